/** Providers by what they finished. */
"use client";
import { Amount } from "@/components/ui/Amount";
import { ButtonLink } from "@/components/ui/Button";
import { Party } from "@/components/ui/Party";
import { Empty, Reading } from "@/components/ui/States";
import type { Reputation } from "@/lib/chain/orders";
import { useTopProviders } from "@/lib/hooks/orders";

export function Leaderboard() {
  const query = useTopProviders();
  return (
    <Reading query={query} lines={6}>
      {(rows) =>
        rows.length === 0 ? (
          <Empty title="No provider has a history yet." action={<ButtonLink href="/orders/?status=open">Open orders</ButtonLink>}>The first delivery makes the first line.</Empty>
        ) : (
          <Table rows={rows} />
        )
      }
    </Reading>
  );
}

const HEADS = ["", "Provider", "Reliability", "Completed", "Rejected", "Abandoned", "Disputed", "Earned"];

function Table({ rows }: { rows: Reputation[] }) {
  return (
    <div className="overflow-x-auto" role="region" aria-label="Providers" tabIndex={0}>
      <table className="w-full min-w-[44rem] text-left">
        <thead>
          <tr className="tick border-b text-ink-3">
            {HEADS.map((head, at) => <th key={head || "rank"} scope="col" className={`py-2 font-normal ${at > 2 ? "text-right" : ""}`}>{head || <span className="sr-only">Rank</span>}</th>)}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={row.provider} className="border-b hover:bg-well/60">
              <td className="figure w-12 py-3 text-ink-3">{at + 1}</td>
              <td className="py-3 pr-4"><Party address={row.provider} /></td>
              <td className="py-3 pr-4"><Reliability row={row} /></td>
              {[row.completed, row.rejected, row.abandoned, row.disputed].map((count, column) => <td key={column} className="figure py-3 text-right">{count}</td>)}
              <td className="py-3 pl-4 text-right"><Amount wei={row.earnedWei} short /></td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Completed out of all that ended, as a bar and a number; `no history` is not zero. */
export function Reliability({ row }: { row: Reputation }) {
  if (row.completed + row.rejected + row.abandoned === 0) return <span className="text-ink-3">no history</span>;
  const percent = row.reliabilityBps / 100;
  return (
    <span className="inline-flex items-center gap-2.5">
      <span aria-hidden="true" className="h-2.5 w-20 overflow-hidden rounded-vial border border-rule-2 bg-well"><span className="block h-full bg-vial-deep" style={{ width: `${percent}%` }} /></span>
      <span className="figure">{percent.toFixed(percent % 1 ? 1 : 0)}%</span>
    </span>
  );
}
