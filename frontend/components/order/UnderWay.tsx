/** Transactions about this order that are not over: their stage, and the jury as it works. */
"use client";
import { LiveJury } from "@/components/transaction/LiveJury";
import { outcomeSentence, Progress } from "@/components/transaction/Progress";
import { Section } from "@/components/ui/Page";
import { isOver } from "@/lib/chain/transactions";
import type { Related } from "@/lib/hooks/subject";

const DOING: Record<string, string> = {
  submit_deliverable: "A delivery is in front of the jury",
  appeal_delivery: "An appeal is in front of the jury",
};

export function UnderWay({ related }: { related: Related }) {
  const rows = related.transactions.filter((row) => !isOver(row.stage));
  if (rows.length === 0) return null;
  return (
    <Section label="Under way" note="live">
      <div className="flex flex-col gap-6">
        {rows.map((row) => (
          <div key={row.hash} className="flex flex-col gap-3">
            <p className="font-[560]">{DOING[row.method] ?? row.method.replaceAll("_", " ")}</p>
            <Progress transaction={row} />
            {row.stage === "judging" && <LiveJury hash={row.hash} />}
            <p role="status" className="text-small text-ink-2">{outcomeSentence(row)}</p>
          </div>
        ))}
      </div>
    </Section>
  );
}
