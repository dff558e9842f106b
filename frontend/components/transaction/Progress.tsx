/** How far a transaction has come, through the stages the network really has, and how it ended, in words. */
"use client";
import type { Transaction } from "@/lib/chain/transactions";

const STEPS = ["Recorded", "In front of the jury", "Accepted", "Final"] as const;

/** How many steps are done, for a transaction that is on its way or went well. */
function reached(transaction: Transaction | undefined): number {
  if (!transaction) return 0;
  return { waiting: 1, judging: 1, settling: 3, final: 4, failed: 3, undetermined: 2, canceled: 1 }[transaction.stage];
}

export function Progress({ transaction }: { transaction: Transaction | undefined }) {
  const done = reached(transaction);
  const bad = transaction && ["failed", "undetermined", "canceled"].includes(transaction.stage);
  return (
    <ol className="grid grid-cols-4 gap-1" aria-label="Stages">
      {STEPS.map((step, at) => {
        const here = !bad && at === done;
        const tone = bad && at === done - 1 ? "bg-bad" : at < done ? "bg-vial-deep" : here ? "bg-busy" : "bg-rule-2";
        return (
          <li key={step} aria-current={here ? "step" : undefined}>
            <span aria-hidden="true" className={`block h-1.5 rounded-tick ${tone}`} />
            <span className={`tick mt-1 block ${at < done || here ? "text-ink-2" : "text-ink-3"}`}>{step}</span>
          </li>
        );
      })}
    </ol>
  );
}

/** One sentence on where it stands. Failure never sounds like success. */
export function outcomeSentence(transaction: Transaction | undefined): string {
  if (!transaction) return "On its way to the network.";
  switch (transaction.stage) {
    case "waiting": return "Recorded by the network, waiting for its turn.";
    case "judging": return "Validators are reading and judging.";
    case "settling": return "Accepted and carried out. Money is settling until this is final.";
    case "final": return "Final. It was accepted and carried out.";
    case "failed": return `Accepted, but the contract refused: ${transaction.reason || "no reason given"}. Nothing changed.`;
    default: return transaction.reason;
  }
}
