/** The rulings of a milestone, oldest first: they are only ever added, so how the decision moved stays readable. */
"use client";
import { Tag } from "@/components/ui/Tag";
import { When } from "@/components/ui/Time";
import { Untrusted } from "@/components/ui/Untrusted";
import { Rounds } from "@/components/verdict/Rounds";
import type { Ruling } from "@/lib/chain/agreements";
import { opinionOf, type Transaction } from "@/lib/chain/transactions";
import { HOUR } from "@/lib/format/time";
import { useRules } from "@/lib/hooks/agreements";

const WORDS = { APPROVE: ["Approve", "good"], REJECT: ["Reject", "bad"], INSUFFICIENT_EVIDENCE: ["Insufficient evidence", "warn"] } as const;

type Props = { rulings: Ruling[]; criteria: string[]; judgements: Transaction[] };

export function Rulings({ rulings, criteria, judgements }: Props) {
  const rules = useRules().data;
  if (rulings.length === 0) return null;
  return (
    <div className="mt-6">
      <h4 className="font-[560]">Rulings</h4>
      <ol className="mt-2 border-t">
        {rulings.map((ruling, at) => {
          const [word, tone] = WORDS[ruling.verdict as keyof typeof WORDS] ?? [ruling.verdict, "calm" as const];
          const band = rules?.tolerance[String(ruling.round)];
          const overlap = rules?.overlapBps[String(ruling.round)];
          return (
            <li key={at} className="border-b py-4">
              <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
                <span className="text-small text-ink-2">{ruling.byArbiter ? "Arbiter" : `Attempt ${ruling.attempt}, round ${ruling.round}`}</span>
                <Tag tone={tone}>{word}</Tag>
                <span className="text-small text-ink-2">confidence <span className="figure">{ruling.confidence}</span></span>
                <span className="ml-auto text-small text-ink-2"><When at={ruling.ruledAtHour * HOUR} /></span>
              </div>
              <Untrusted text={ruling.rationale} className="mt-2 block max-w-read" />
              {ruling.unmet.length > 0 && (
                <p className="mt-2 text-small text-ink-2">
                  Not met: {ruling.unmet.map((index) => `criterion ${index}${criteria[index] === undefined ? " (unknown)" : ""}`).join(", ")}
                </p>
              )}
              {!ruling.byArbiter && band !== undefined && overlap !== undefined && (
                <p className="tick mt-2 text-ink-3">
                  Seats agreed on the verdict, within {band} points of confidence, with {overlap / 100}% overlap of unmet criteria{ruling.round > 1 ? ", and on the same facts" : ""}.
                </p>
              )}
              <SeatsOf transaction={judgements.find((row) => sameRuling(row, ruling))} />
            </li>
          );
        })}
      </ol>
    </div>
  );
}

/** A judgement belongs to a ruling when it was decided in its hour with its reasons. */
function sameRuling(transaction: Transaction, ruling: Ruling): boolean {
  return transaction.rounds.some((round) => round.seats.some((seat) => seat.leader && opinionOf(seat.own).text === ruling.rationale)) && Math.abs(transaction.createdAt / HOUR - ruling.ruledAtHour) < 1.1;
}

function SeatsOf({ transaction }: { transaction: Transaction | undefined }) {
  if (!transaction) return null;
  return (
    <details className="mt-2">
      <summary className="text-small text-ink-2 hover:text-ink">Every seat</summary>
      <Rounds transaction={transaction} title="Every seat" />
    </details>
  );
}
