/** Opening an order, in four steps: what, by which standard, for how much, and a look at exactly what the judges will read. */
"use client";
import { useEffect, useState } from "react";
import { Stepper } from "@/components/ui/Stepper";
import { useOpenWhenMade } from "@/lib/hooks/made";
import { keep, recall } from "@/lib/store";
import { EMPTY, problems, type Draft } from "./draft";
import { CriteriaStep, ReviewStep, TermsStep, WhatStep } from "./NewOrderSteps";

const KEY = "foreman.new-order";
const STEPS = ["The work", "The criteria", "The terms", "Review and lock"];

export function NewOrder({ task }: { task: string }) {
  const [draft, setDraft] = useState<Draft>(EMPTY);
  const [step, setStep] = useState(0);
  const [hash, setHash] = useState<string | null>(null);
  const sent = useOpenWhenMade(hash, "/orders/detail/") ? hash : null;

  useEffect(() => {
    const kept = recall("session", KEY) as Partial<Draft> | null;
    if (kept) setDraft({ ...EMPTY, ...kept });
  }, []);

  const change = (part: Partial<Draft>) => {
    const next = { ...draft, ...part };
    setDraft(next);
    keep("session", KEY, next);
  };
  const found = problems(draft);
  const done = (sent: string) => {
    keep("session", KEY, null);
    setHash(sent);
  };
  return (
    <Stepper steps={STEPS} at={step} onStep={setStep} blocked={found}>
      {step === 0 && <WhatStep draft={draft} change={change} found={found[0] ?? {}} />}
      {step === 1 && <CriteriaStep draft={draft} change={change} found={found[1] ?? {}} />}
      {step === 2 && <TermsStep draft={draft} change={change} found={found[2] ?? {}} />}
      {step === 3 && <ReviewStep draft={draft} task={task} sent={sent} onSent={done} onStep={setStep} found={found} />}
    </Stepper>
  );
}
