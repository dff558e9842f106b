/** A draft on the desk: add milestones, then lock exactly their sum, or close it. */
"use client";
import { useState } from "react";
import { BalanceWarning } from "@/components/transaction/Balance";
import { SendButton } from "@/components/transaction/SendButton";
import { Amount } from "@/components/ui/Amount";
import { Field } from "@/components/ui/Field";
import type { Agreement, Milestone } from "@/lib/chain/agreements";
import { sameAddress } from "@/lib/format/address";
import { parseGen } from "@/lib/format/gen";
import { countChars } from "@/lib/format/text";
import { DAY, HOUR } from "@/lib/format/time";
import { useNetwork, useNow } from "@/lib/hooks/network";
import { splitCriteria } from "@/lib/judging/criteria";
import { MAX_CRITERION, MAX_MILESTONE_CRITERIA, MAX_MILESTONES, MAX_TITLE, MIN_CRITERION, MIN_ESCROW_WEI } from "@/lib/lifecycle/limits";
import { useStore } from "@/lib/store";
import { accountStore } from "@/lib/wallet/account";

export function DraftDesk({ agreement, milestones }: { agreement: Agreement; milestones: Milestone[] }) {
  const account = useStore(accountStore, null);
  const contract = useNetwork().data?.agreements ?? null;
  const total = milestones.reduce((sum, milestone) => sum + milestone.amountWei, 0n);
  if (!sameAddress(account?.address, agreement.payer)) return <p className="text-ink-2">The payer is still writing it. Nothing is funded yet.</p>;
  if (!contract) return null;
  const about = { agreement: agreement.id };
  return (
    <div className="flex flex-col gap-8">
      {milestones.length < MAX_MILESTONES && <AddMilestone agreement={agreement} contract={contract} number={milestones.length} />}
      {milestones.length > 0 && (
        <div className="flex flex-wrap items-center justify-between gap-4 rounded-box border border-rule-2 bg-sheet p-5">
          <p>Milestones sum up to <Amount wei={total} />. Funding locks exactly that and makes the terms final.</p>
          <SendButton sending={{ write: { contract, method: "fund_and_activate", args: [agreement.id], value: total }, label: `Fund agreement ${agreement.id}`, ...about }}>Fund and activate</SendButton>
        </div>
      )}
      <SendButton weight="plain" sending={{ write: { contract, method: "abandon_draft", args: [agreement.id] }, label: `Close draft ${agreement.id}`, ...about }}>Close this draft</SendButton>
    </div>
  );
}

function AddMilestone({ agreement, contract, number }: { agreement: Agreement; contract: string; number: number }) {
  const now = useNow(60);
  const [title, setTitle] = useState("");
  const [criteria, setCriteria] = useState("");
  const [gen, setGen] = useState("");
  const [days, setDays] = useState("14");
  const lines = splitCriteria(criteria);
  const amount = parseGen(gen);
  const problems = {
    criteria: criteriaProblem(criteria, lines),
    gen: gen === "" ? undefined : !amount.ok ? amount.reason : amount.wei < MIN_ESCROW_WEI ? "At least 0.001 GEN." : undefined,
    days: /^[1-9][0-9]{0,3}$/.test(days.trim()) ? undefined : "A whole number of days.",
  };
  const fit = now !== null && title.trim() !== "" && countChars(title) <= MAX_TITLE && lines.length > 0 && amount.ok && gen !== "" && Object.values(problems).every((problem) => problem === undefined);
  const due = now === null ? 0 : Math.floor((now + Number(days) * DAY) / HOUR);
  const args = fit && amount.ok ? [agreement.id, title.trim(), lines, amount.wei, due] : null;
  const clear = () => {
    setTitle("");
    setCriteria("");
    setGen("");
  };
  return (
    <form className="flex flex-col gap-5" onSubmit={(event) => event.preventDefault()}>
      <h3 className="font-[560]">Milestone {number}</h3>
      <Field label="Milestone title" cap={MAX_TITLE} value={title} onChange={setTitle} />
      <Field label="Milestone criteria" hint={`One per line, 1 to ${MAX_MILESTONE_CRITERIA}, at least ${MIN_CRITERION} characters each. A ruling names those that failed by number.`} rows={4} value={criteria} onChange={setCriteria} error={problems.criteria} />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Amount" inputMode="decimal" unit="GEN" mono value={gen} onChange={setGen} error={problems.gen} after={amount.ok && <BalanceWarning wei={amount.wei} />} />
        <Field label="Due in" inputMode="numeric" unit="days" mono value={days} onChange={setDays} error={problems.days} />
      </div>
      <SendButton sending={args ? { write: { contract, method: "add_milestone", args }, label: `Add milestone ${number} to agreement ${agreement.id}`, agreement: agreement.id } : null} onSent={clear}>
        Add the milestone
      </SendButton>
    </form>
  );
}

function criteriaProblem(text: string, lines: string[]): string | undefined {
  if (text.trim() === "") return undefined;
  if (lines.length > MAX_MILESTONE_CRITERIA) return `At most ${MAX_MILESTONE_CRITERIA} criteria.`;
  if (new Set(lines).size !== lines.length) return "Two of them are the same.";
  const odd = lines.find((line) => countChars(line) < MIN_CRITERION || countChars(line) > MAX_CRITERION);
  return odd === undefined ? undefined : `Each has ${MIN_CRITERION} to ${MAX_CRITERION} characters: “${odd.slice(0, 40)}” does not.`;
}
