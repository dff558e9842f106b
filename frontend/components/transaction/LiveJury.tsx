/** The jury while it works: each seat, and what it is doing at this moment. */
"use client";
import { useSeats } from "@/lib/hooks/node";
import { useSeatsOf } from "@/lib/seats";

const WORDS: Record<string, string> = { asking: "reading", answered: "has an answer", voted: "voted" };

export function LiveJury({ hash }: { hash: string }) {
  const heard = useSeatsOf(hash);
  const known = useSeats().data ?? [];
  const numbers = known.length ? known.map((seat) => seat.seat) : Object.keys(heard).map(Number);
  if (numbers.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-1.5" aria-label="Seats of the jury">
      {numbers.map((seat) => {
        const news = heard[seat];
        const tone =
          news?.vote === "agree" ? "border-ok bg-ok-wash text-ok"
          : news?.vote ? "border-bad bg-bad-wash text-bad"
          : news?.stage === "answered" ? "border-busy bg-busy-wash text-busy"
          : "border-rule-2 bg-well text-ink-2";
        return (
          <li key={seat} className={`tick rounded-box border px-2 py-1 ${tone}`}>
            Seat {seat}: {news ? news.vote ?? WORDS[news.stage] : "waiting"}
          </li>
        );
      })}
    </ul>
  );
}
