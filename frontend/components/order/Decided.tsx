/** Who decided and why: the level with every seat's number, the reasoning, and each seat in its own words, dissent included. */
"use client";
import { Section } from "@/components/ui/Page";
import { Untrusted } from "@/components/ui/Untrusted";
import { When } from "@/components/ui/Time";
import { Level, type Mark } from "@/components/verdict/Level";
import { Rounds } from "@/components/verdict/Rounds";
import type { Order } from "@/lib/chain/orders";
import { opinionOf, type Transaction } from "@/lib/chain/transactions";
import type { Related } from "@/lib/hooks/subject";

export function Decided({ order, related }: { order: Order; related: Related }) {
  const judged = order.status === "completed" || order.status === "rejected";
  const failures = related.judged.filter((row) => !row.ok);
  if (!judged && failures.length === 0) return null;
  const verdicts = related.judged.filter((row) => row.ok);
  const last = verdicts[0];
  return (
    <Section label="Decided" note={judged ? <When at={order.resolvedAt} /> : "not yet"}>
      {judged && (
        <>
          <p className="mb-4 text-lead">
            <span className="figure text-figure">{order.percent}%</span>{" "}
            <span className="ml-1 text-ink-2">
              {order.percent >= 50 ? "accepted" : "rejected"}
              {order.appealUsed && order.firstPercent !== null && `, after a first verdict of ${order.firstPercent}%`}
            </span>
          </p>
          <Level percent={order.percent} marks={last ? marksOf(last) : []} />
          {order.reasoning && (
            <div className="mt-6">
              <h3 className="text-small text-ink-3">The leading judge’s reasoning, as it wrote it</h3>
              <Untrusted text={order.reasoning} className="mt-1 block max-w-read" />
            </div>
          )}
        </>
      )}
      {verdicts.slice(0, 1).map((row) => <Rounds key={row.hash} transaction={row} title={verdicts.length > 1 ? "Every seat, at the appeal" : "Every seat"} />)}
      {verdicts.slice(1).map((row) => (
        <details key={row.hash} className="mt-6">
          <summary className="text-small text-ink-2 hover:text-ink">Every seat, at the first verdict</summary>
          <Rounds transaction={row} title="The first verdict" />
        </details>
      ))}
      {failures.map((row) => (
        <Rounds key={row.hash} transaction={row} title={row.method === "appeal_delivery" ? "An appeal that decided nothing" : "A delivery that decided nothing"} />
      ))}
    </Section>
  );
}

/** The seats of the round that decided, as marks under the level. */
export function marksOf(transaction: Transaction): Mark[] {
  const round = transaction.rounds.at(-1);
  return (round?.seats ?? []).map((seat) => ({ seat: seat.seat, percent: opinionOf(seat.own).percent, agrees: seat.vote === "agree" }));
}
