/** Every seat of every round of one judgement: its vote, its judge, its own number and its own words. */
import Link from "next/link";
import { Untrusted } from "@/components/ui/Untrusted";
import { opinionOf, type Round, type Seat, type Transaction } from "@/lib/chain/transactions";

const VOTES: Record<string, [string, string]> = {
  agree: ["agrees", "text-ok"],
  disagree: ["disagrees", "text-bad"],
  timeout: ["ran out of time", "text-warn"],
  deterministic_violation: ["saw another run", "text-bad"],
  idle: ["came too late to matter", "text-ink-3"],
};

export function Rounds({ transaction, title, linked = true }: { transaction: Transaction; title: string; linked?: boolean }) {
  const last = transaction.rounds.length - 1;
  return (
    <div className={linked ? "mt-8" : ""}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="font-[560]">{title}</h3>
        {linked && <Link href={`/network/transaction/?hash=${transaction.hash}`} className="link text-small">The transaction</Link>}
      </div>
      {!transaction.ok && transaction.reason && <p className="mt-1 text-bad"><Untrusted text={transaction.reason} /></p>}
      {transaction.rounds.map((round, at) =>
        at === last ? (
          <Seats key={at} round={round} caption={transaction.rounds.length > 1 ? `Round ${at + 1}` : ""} />
        ) : (
          <details key={at} className="mt-3">
            <summary className="text-small text-ink-2 hover:text-ink">
              Round {at + 1}: seat {round.leader} proposed, and fewer than half of the seats agreed
            </summary>
            <Seats round={round} caption="" />
          </details>
        ),
      )}
    </div>
  );
}

function Seats({ round, caption }: { round: Round; caption: string }) {
  return (
    <div className="mt-3">
      {caption && <p className="tick mb-1 text-ink-3">{caption}: seat {round.leader} proposed</p>}
      <ol className="border-t">
        {round.seats.map((seat) => <SeatRow key={seat.seat} seat={seat} />)}
      </ol>
    </div>
  );
}

function SeatRow({ seat }: { seat: Seat }) {
  const opinion = opinionOf(seat.own);
  const [vote, tone] = VOTES[seat.vote] ?? [seat.vote, "text-ink-2"];
  const number = opinion.percent !== null ? `${opinion.percent}%` : opinion.verdict ? `${opinion.verdict.toLowerCase().replace("_", " ")}${opinion.confidence === null ? "" : `, ${opinion.confidence}`}` : "no answer";
  const line = (
    <span className="grid min-w-0 flex-1 grid-cols-[4rem_auto_minmax(0,1fr)_auto] items-baseline gap-x-4">
      <span className="font-[560]">Seat {seat.seat}</span>
      <span className="figure">{number}</span>
      <span className={tone}>{vote}{seat.leader ? ", proposed this" : ""}</span>
      <span className="tick text-ink-3">{seat.judge || "judge not told"}</span>
    </span>
  );
  const more = opinion.text || opinion.failed || seat.note;
  return (
    <li className={`border-b ${seat.vote === "disagree" ? "border-l-2 border-l-bad pl-3" : ""}`}>
      {more ? (
        <details open={seat.vote === "disagree"}>
          <summary className="fold py-2.5 hover:bg-well/60">{line}</summary>
          <div className="max-w-read pb-3 pl-[1.25rem] text-small text-ink-2">
            {opinion.text && <Untrusted text={opinion.text} />}
            {opinion.unmet.length > 0 && <p>Not met: {opinion.unmet.map((index) => `criterion ${index}`).join(", ")}</p>}
            {opinion.failed && <p className="text-warn"><Untrusted text={opinion.failed} /></p>}
            {seat.note && <p><Untrusted text={seat.note} /></p>}
          </div>
        </details>
      ) : (
        <div className="flex py-2.5 pl-[1.25rem]">{line}</div>
      )}
    </li>
  );
}
