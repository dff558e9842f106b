/** The four steps of a new order. */
"use client";
import { useState } from "react";
import { BalanceWarning } from "@/components/transaction/Balance";
import { SendButton } from "@/components/transaction/SendButton";
import { Amount } from "@/components/ui/Amount";
import { Field } from "@/components/ui/Field";
import { Notice } from "@/components/ui/Notice";
import { Untrusted } from "@/components/ui/Untrusted";
import { parseGen, share } from "@/lib/format/gen";
import { useNetwork } from "@/lib/hooks/network";
import { reviewCriteria, splitCriteria } from "@/lib/judging/criteria";
import { MAX_CRITERIA, MAX_SPEC, MAX_TITLE } from "@/lib/lifecycle/limits";
import { SAMPLE_ORDERS } from "@/lib/samples";
import type { Draft, Problems } from "./draft";
import { PromptPreview } from "./PromptPreview";

type Step = { draft: Draft; change: (part: Partial<Draft>) => void; found: Problems };

/** Say a problem only once the field was written in. */
function said(value: string, problem: string | undefined): string | undefined {
  return value === "" ? undefined : problem;
}

export function WhatStep({ draft, change, found }: Step) {
  const network = useNetwork().data;
  return (
    <div className="flex flex-col gap-6">
      {network?.dev && (
        <div className="text-small text-ink-2">
          {network.samples.length > 0 ? "Start from a sample; this network serves pages that answer it:" : "Start from a sample:"}
          <div className="mt-2 flex flex-wrap gap-1.5">
            {SAMPLE_ORDERS.map(({ name, ...rest }) => (
              <button key={name} type="button" onClick={() => change(rest)} className="rounded-vial border border-rule-2 px-3 py-1 text-ink hover:border-ink">{name}</button>
            ))}
          </div>
        </div>
      )}
      <Field label="Title" hint="One line that tells it from other orders." cap={MAX_TITLE} value={draft.title} onChange={(title) => change({ title })} error={said(draft.title, found.title)} />
      <Field label="Spec" hint="What is to be made, for what, in which form." rows={7} cap={MAX_SPEC} value={draft.spec} onChange={(spec) => change({ spec })} error={said(draft.spec, found.spec)} />
    </div>
  );
}

export function CriteriaStep({ draft, change, found }: Step) {
  const lines = splitCriteria(draft.criteria);
  const remarks = reviewCriteria(draft.criteria);
  return (
    <div className="flex flex-col gap-6">
      <Field
        label="Acceptance criteria"
        hint="One per line. The jury judges these and nothing else: not fairness, not effort."
        rows={8}
        cap={MAX_CRITERIA}
        value={draft.criteria}
        onChange={(criteria) => change({ criteria })}
        error={said(draft.criteria, found.criteria)}
      />
      <div aria-live="polite" className="flex flex-col gap-2">
        {lines.length > 0 && (
          <p className="text-small text-ink-2">
            {lines.length === 1 ? "One criterion: all or nothing." : `${lines.length} criteria. If they weigh the same, each is worth ${Math.floor(100 / lines.length)}%.`}
          </p>
        )}
        {remarks.map((remark) => (
          <Notice key={remark.line} tone={remark.tone}><strong className="font-[560]">{remark.line.slice(0, 80)}</strong><br />{remark.sentence}</Notice>
        ))}
      </div>
      <GoodCriteria />
    </div>
  );
}

function GoodCriteria() {
  return (
    <details className="rounded-box border border-rule-2 px-4 py-3" open>
      <summary className="font-[560]">What a good criterion is</summary>
      <dl className="mt-3 grid gap-x-6 gap-y-3 text-small sm:grid-cols-2">
        <div><dt className="text-ok">Can be seen on one page</dt><dd className="text-ink-2">“The list readings has exactly 7 entries”</dd></div>
        <div><dt className="text-bad">Cannot</dt><dd className="text-ink-2">“The readings are accurate”</dd></div>
        <div><dt className="text-ok">Reads the same to two strangers</dt><dd className="text-ink-2">“At most 120 words”</dd></div>
        <div><dt className="text-bad">Does not</dt><dd className="text-ink-2">“Short and well written”</dd></div>
        <div><dt className="text-ok">Stands alone</dt><dd className="text-ink-2">One fact per line, so that partial work earns its part</dd></div>
        <div><dt className="text-bad">Speaks to the judge</dt><dd className="text-ink-2">“Give 100 if…” is void and is reported</dd></div>
      </dl>
    </details>
  );
}

export function TermsStep({ draft, change, found }: Step) {
  const read = parseGen(draft.gen);
  return (
    <div className="flex flex-col gap-6">
      <Field label="Escrow" hint="Locked when the order opens. At least 0.001 GEN." inputMode="decimal" unit="GEN" mono value={draft.gen} onChange={(gen) => change({ gen })} error={said(draft.gen, found.gen)} after={read.ok && <BalanceWarning wei={read.wei} />} />
      {read.ok && read.wei > 0n && (
        <dl className="grid gap-4 border-y py-4 text-small sm:grid-cols-3" aria-label="How it would split">
          {[100, 60, 20].map((percent) => (
            <div key={percent}>
              <dt className="text-ink-3">A verdict of {percent}%</dt>
              <dd><Amount wei={share(read.wei, percent)} short /> to the provider</dd>
              <dd className="text-ink-2"><Amount wei={read.wei - share(read.wei, percent)} short /> back to you</dd>
            </div>
          ))}
        </dl>
      )}
      <Field label="Days until the deadline" hint="1 to 365. A short deadline keeps a claim from holding your escrow for nothing; you can give more time later." inputMode="numeric" unit="days" mono value={draft.days} onChange={(days) => change({ days })} error={found.days} />
    </div>
  );
}

type Review = { draft: Draft; task: string; sent: string | null; onSent: (hash: string) => void; onStep: (step: number) => void; found: Problems[] };

export function ReviewStep({ draft, task, sent, onSent, onStep, found }: Review) {
  const network = useNetwork().data ?? null;
  const [shown, setShown] = useState(false);
  const read = parseGen(draft.gen);
  const wrong = found.findIndex((step) => Object.keys(step).length > 0);
  const fit = wrong === -1 && read.ok && network?.foreman && sent === null;
  const args = [draft.title.trim(), draft.spec.trim(), draft.criteria.trim(), Number(draft.days)];
  const sending = fit ? { write: { contract: network.foreman!, method: "create_order", args, value: read.wei }, label: `Open “${draft.title.trim().slice(0, 40)}”` } : null;
  if (sent !== null) return <Notice tone="good">It is on its way. This page opens the order as soon as the network has made it.</Notice>;
  return (
    <div className="flex flex-col gap-6">
      {wrong !== -1 && <Notice tone="warn">Something is missing. <button type="button" className="link" onClick={() => onStep(wrong)}>Go there</button></Notice>}
      <dl className="flex flex-col gap-4">
        <Row label="Title"><Untrusted text={draft.title.trim()} /></Row>
        <Row label="Spec"><Untrusted text={draft.spec.trim()} /></Row>
        <Row label="Criteria"><Untrusted text={draft.criteria.trim()} /></Row>
        <Row label="Escrow">{read.ok ? <Amount wei={read.wei} /> : "not yet"}</Row>
        <Row label="Deadline">{draft.days} days after it opens</Row>
      </dl>
      <details onToggle={(event) => setShown(event.currentTarget.open)}>
        <summary className="font-[560]">Exactly what the judges will read</summary>
        {shown && <PromptPreview draft={draft} task={task} />}
      </details>
      <Notice>
        You can cancel while nobody has claimed. After that the money leaves by a verdict or, past the deadline, back to you. Nobody can override it.
      </Notice>
      <SendButton sending={sending} onSent={onSent}>{read.ok ? `Lock ${draft.gen.trim()} GEN and open the order` : "Open the order"}</SendButton>
    </div>
  );
}

function Row({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="grid gap-x-6 gap-y-1 border-t pt-3 sm:grid-cols-[7rem_minmax(0,1fr)]">
      <dt className="text-small text-ink-3">{label}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}
