/** A list of things one may do now, one open at a time; and, folded away, what one may not and why. */
"use client";
import { useState, type ReactNode } from "react";
import { AccountDialog } from "@/components/wallet/AccountDialog";
import { useStore } from "@/lib/store";
import { accountStore } from "@/lib/wallet/account";
import { Button } from "./Button";

type Shown = { method: string; title: string; blocked: string | null };

/** What a person most likely came for: open without a click. */
const LEADS = new Set(["claim_order", "submit_deliverable", "submit_evidence", "adjudicate", "arbiter_ruling"]);

export function ActionList<A extends Shown>({ actions, form }: { actions: A[]; form: (action: A) => ReactNode }) {
  const [chosen, setOpen] = useState<string | null | undefined>(undefined);
  const stranger = useStore(accountStore, null) === null;
  const able = actions.filter((action) => action.blocked === null);
  const open = chosen === undefined ? (able.find((action) => LEADS.has(action.method))?.method ?? null) : chosen;
  const others = actions.filter((action) => action.blocked !== null);
  return (
    <>
      {stranger && <Connect />}
      {!stranger && able.length === 0 && <p className="text-ink-2">Nothing, with this account, at this moment.</p>}
      <ul className="flex flex-col gap-2">
        {able.map((action) => {
          const shown = open === action.method;
          return (
            <li key={action.method} className="rounded-box border border-rule-2">
              <button
                type="button"
                aria-expanded={shown}
                onClick={() => setOpen(shown ? null : action.method)}
                className="flex w-full items-center justify-between px-4 py-2.5 text-left font-[560] hover:bg-well"
              >
                {action.title}
                <span aria-hidden="true" className="figure text-ink-3">{shown ? "−" : "+"}</span>
              </button>
              {shown && <div className="border-t px-4 py-4">{form(action)}</div>}
            </li>
          );
        })}
      </ul>
      {others.length > 0 && (
        <details className="mt-4">
          <summary className="text-small text-ink-2 hover:text-ink">Not possible now, and why</summary>
          <dl className="mt-3 flex flex-col gap-2.5 text-small">
            {others.map((action) => (
              <div key={action.method}>
                <dt className="font-[560]">{action.title}</dt>
                <dd className="text-ink-2">{action.blocked}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  );
}

function Connect() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button weight="primary" onClick={() => setOpen(true)}>Choose an account</Button>
      {open && <AccountDialog onClose={() => setOpen(false)} />}
    </>
  );
}

/** Cost and consequence, before the button. */
export function Stakes({ cost, consequence }: { cost: string; consequence: string[] }) {
  return (
    <dl className="text-small">
      <dt className="text-ink-3">Cost</dt>
      <dd>{cost}</dd>
      <dt className="mt-2 text-ink-3">What follows</dt>
      {consequence.map((sentence) => <dd key={sentence} className="mb-1">{sentence}</dd>)}
    </dl>
  );
}
