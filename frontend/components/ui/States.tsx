/** The three states every reading place has besides its content: not yet, nothing, and no answer. */
"use client";
import type { ReactNode } from "react";
import { explain, isUnreachable } from "@/lib/chain/errors";
import { Button } from "./Button";

/** Bars where text will be. They do not move: nothing moves at rest. */
export function Loading({ lines = 3, label = "Reading from the network" }: { lines?: number; label?: string }) {
  return (
    <div role="status" className="flex flex-col gap-3 py-2">
      <span className="sr-only">{label}…</span>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} aria-hidden="true" className="h-4 rounded-tick bg-well" style={{ width: `${[92, 68, 80, 55][line % 4]}%` }} />
      ))}
    </div>
  );
}

export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="flex flex-col items-start gap-3 rounded-box border border-dashed border-rule-2 px-5 py-7">
      <p className="text-lead">{title}</p>
      {children && <p className="max-w-[36rem] text-ink-2">{children}</p>}
      {action}
    </div>
  );
}

export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { title, sentence, hint } = explain(error);
  return (
    <div role="alert" className="flex flex-col items-start gap-2 rounded-box border border-bad/40 bg-bad-wash px-5 py-5">
      <p className="font-[560] text-bad">{title}</p>
      <p className="[overflow-wrap:anywhere]">{sentence}</p>
      {hint && <p className="text-ink-2">{hint}</p>}
      {onRetry && <Button size="small" className="mt-2" onClick={onRetry}>{isUnreachable(error) ? "Try again now" : "Try again"}</Button>}
    </div>
  );
}

type Queried<T> = { data: T | undefined; error: unknown; isPending: boolean; refetch: () => unknown };

/** Shows a query's content, or the state it is in. An answer that is there stays there when a later one fails. */
export function Reading<T>({ query, lines, children }: { query: Queried<T>; lines?: number; children: (data: T) => ReactNode }) {
  if (query.data !== undefined) {
    return (
      <>
        {query.error !== null && query.error !== undefined && <Stale />}
        {children(query.data)}
      </>
    );
  }
  if (query.error) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  return <Loading lines={lines} />;
}

function Stale() {
  return <p role="status" className="tick mb-3 text-warn">The network does not answer just now. This is what it said last.</p>;
}
