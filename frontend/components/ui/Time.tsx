/** Moments and countdowns, on the network's clock. */
"use client";
import { useNow } from "@/lib/hooks/network";
import { isoMoment, moment, relative, span } from "@/lib/format/time";

/** `2 h ago`, with the moment itself on hover and for machines. */
export function When({ at, exact = false }: { at: number; exact?: boolean }) {
  const now = useNow(30_000);
  if (!at) return <span className="text-ink-3">not yet</span>;
  return (
    <time dateTime={isoMoment(at)} title={moment(at)} className="whitespace-nowrap">
      {exact || now === null ? moment(at) : relative(at, now)}
    </time>
  );
}

/** What is left until a moment; `past` once it has come. The moment is already too late: windows are half-open. */
export function Countdown({ to, past = "passed" }: { to: number; past?: string }) {
  const now = useNow();
  if (!to) return null;
  const left = now === null ? null : to - now;
  const tone = left === null || left > 86_400 ? "" : left > 0 ? "text-warn" : "text-ink-3";
  return (
    <time dateTime={isoMoment(to)} title={moment(to)} className={`whitespace-nowrap tabular-nums ${tone}`}>
      {left === null ? moment(to) : left > 0 ? `${span(left)} left` : past}
    </time>
  );
}
