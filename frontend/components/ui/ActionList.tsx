/** A list of things one may do now, one open at a time; and, folded away, what one may not and why. */
"use client";
import { useState, type ReactNode } from "react";

type Shown = { method: string; title: string; blocked: string | null };

export function ActionList<A extends Shown>({ actions, form }: { actions: A[]; form: (action: A) => ReactNode }) {
  const [open, setOpen] = useState<string | null>(null);
  const able = actions.filter((action) => action.blocked === null);
  const others = actions.filter((action) => action.blocked !== null);
  return (
    <>
      {able.length === 0 && <p className="text-ink-2">Nothing, with this account, at this moment.</p>}
      <ul className="flex flex-col gap-2">
        {able.map((action) => {
          const shown = open === action.method || able.length === 1;
          return (
            <li key={action.method} className="rounded-box border border-rule-2">
              <button
                type="button"
                aria-expanded={shown}
                onClick={() => setOpen(open === action.method ? null : action.method)}
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
