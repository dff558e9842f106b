/** What the account of this tab may do with a milestone now, with the form for it. */
"use client";
import { useState } from "react";
import { SendButton } from "@/components/transaction/SendButton";
import { ActionList, Stakes } from "@/components/ui/ActionList";
import { Field } from "@/components/ui/Field";
import type { Agreement, Milestone } from "@/lib/chain/agreements";
import type { Argument } from "@/lib/chain/contract";
import { countChars } from "@/lib/format/text";
import { useNetwork, useNow } from "@/lib/hooks/network";
import { evidenceProblem } from "@/lib/domains";
import { milestoneActions, type MilestoneAction } from "@/lib/lifecycle/agreement-actions";
import { MAX_ARGUMENT, MAX_EVIDENCE_URLS, MAX_RATIONALE, MIN_ARGUMENT } from "@/lib/lifecycle/limits";
import { useStore } from "@/lib/store";
import { accountStore } from "@/lib/wallet/account";

type Props = { agreement: Agreement; milestone: Milestone };

export function MilestoneActions({ agreement, milestone }: Props) {
  const account = useStore(accountStore, null);
  const now = useNow(5);
  return (
    <div>
      <h4 className="mb-3 font-[560]">What you can do now</h4>
      {now !== null && (
        <ActionList
          actions={milestoneActions(agreement, milestone, account?.address ?? null, now)}
          form={(action) => <MilestoneForm action={action} agreement={agreement} milestone={milestone} />}
        />
      )}
    </div>
  );
}

function MilestoneForm({ action, agreement, milestone }: Props & { action: MilestoneAction }) {
  const contract = useNetwork().data?.agreements ?? null;
  const [text, setText] = useState("");
  const [urls, setUrls] = useState("");
  const [approve, setApprove] = useState<boolean | null>(null);
  const pages = urls.split("\n").map((line) => line.trim()).filter(Boolean);
  const problem = pages.map((page) => evidenceProblem(page, agreement.domains)).find((found) => found !== null) ?? (pages.length > MAX_EVIDENCE_URLS ? `At most ${MAX_EVIDENCE_URLS} pages.` : undefined);
  const args = argumentsOf(action, agreement.id, milestone.index, { text, pages, approve, fit: problem === undefined });
  const sending = args && contract
    ? { write: { contract, method: action.method, args, value: action.valueWei }, label: `${action.title}: agreement ${agreement.id}`, agreement: agreement.id }
    : null;
  return (
    <div className="flex flex-col gap-4">
      {action.needs === "evidence" && (
        <>
          <Field label="Claim" hint={`What you delivered, at least ${MIN_ARGUMENT} characters.`} rows={3} cap={MAX_ARGUMENT} value={text} onChange={setText} />
          <Field label="Evidence URLs" hint={`One per line, https, at most ${MAX_EVIDENCE_URLS}, on this agreement’s list.`} rows={3} mono inputMode="url" value={urls} onChange={setUrls} error={problem} />
        </>
      )}
      {action.needs === "grounds" && <Field label="Grounds" hint={`Why the ruling is wrong, at least ${MIN_ARGUMENT} characters.`} rows={4} cap={MAX_ARGUMENT} value={text} onChange={setText} />}
      {action.needs === "ruling" && (
        <>
          <fieldset className="flex gap-4">
            <legend className="mb-1 font-[560]">Your ruling</legend>
            {([["Approve: pay the provider", true], ["Reject: refund the payer", false]] as const).map(([label, value]) => (
              <label key={label} className="flex items-center gap-2"><input type="radio" name="ruling" className="accent-ink" checked={approve === value} onChange={() => setApprove(value)} />{label}</label>
            ))}
          </fieldset>
          <Field label="Reason" hint={`It is kept for ever. At least ${MIN_ARGUMENT} characters.`} rows={4} cap={MAX_RATIONALE} value={text} onChange={setText} />
        </>
      )}
      <Stakes cost={action.cost} consequence={action.consequence} />
      <SendButton sending={sending}>{action.title}</SendButton>
    </div>
  );
}

type Typed = { text: string; pages: string[]; approve: boolean | null; fit: boolean };

/** The contract's arguments, or null while the form is not fit to be sent. */
function argumentsOf(action: MilestoneAction, id: number, index: number, { text, pages, approve, fit }: Typed): Argument[] | null {
  const length = countChars(text);
  const enough = length >= MIN_ARGUMENT && length <= MAX_ARGUMENT;
  switch (action.needs) {
    case "evidence": return enough && fit && pages.length > 0 && new Set(pages).size === pages.length ? [id, index, text.trim(), pages] : null;
    case "grounds": return enough ? [id, index, text.trim()] : null;
    case "ruling": return enough && length <= MAX_RATIONALE && approve !== null ? [id, index, approve, text.trim()] : null;
    default: return [id, index];
  }
}
