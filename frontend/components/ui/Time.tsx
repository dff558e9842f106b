/** Moments and countdowns, on the network's clock. */
"use client";
import { useClock, useNow } from "@/lib/hooks/network";
import { ago, isoMoment, moment, span } from "@/lib/format/time";

/** When something happened: `2 h ago`, with the moment itself on hover and for machines. */
export function When({ at, exact = false }: { at: number; exact?: boolean }) {
  const told = useClock((now) => ago(at, now)); // drawn again only when the words change
  if (!at) return <span className="text-ink-3">not yet</span>;
  return (
    <time dateTime={isoMoment(at)} title={moment(at)} className="whitespace-nowrap">
      {exact || told === null ? moment(at) : told}
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
