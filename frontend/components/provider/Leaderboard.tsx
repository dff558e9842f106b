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

const COUNTS = ["completed", "rejected", "abandoned", "disputed"] as const;
const HEADS = ["", "Provider", "Reliability", ...COUNTS, "Earned"];

function Table({ rows }: { rows: Reputation[] }) {
  return (
    <>
      <ol className="border-t md:hidden" aria-label="Providers">
        {rows.map((row, at) => <Card key={row.provider} row={row} rank={at + 1} />)}
      </ol>
      <table className="hidden w-full text-left md:table">
        <caption className="sr-only">Providers</caption>
        <thead>
          <tr className="tick border-b text-ink-3">
            {HEADS.map((head, at) => <th key={head || "rank"} scope="col" className={`py-2 font-normal capitalize ${at > 2 ? "text-right" : ""}`}>{head || <span className="sr-only">Rank</span>}</th>)}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={row.provider} className="border-b hover:bg-well/60">
              <td className="figure w-12 py-3 text-ink-3">{at + 1}</td>
              <td className="py-3 pr-4"><Party address={row.provider} /></td>
              <td className="py-3 pr-4"><Reliability row={row} /></td>
              {COUNTS.map((count) => <td key={count} className="figure py-3 text-right">{row[count]}</td>)}
              <td className="py-3 pl-4 text-right"><Amount wei={row.earnedWei} short /></td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Card({ row, rank }: { row: Reputation; rank: number }) {
  return (
    <li className="grid grid-cols-[1.75rem_minmax(0,1fr)_auto] gap-x-3 gap-y-2 border-b py-4">
      <span className="figure text-ink-3">{rank}</span>
      <Party address={row.provider} />
      <Amount wei={row.earnedWei} short />
      <span className="col-start-2"><Reliability row={row} /></span>
      <p className="col-span-2 col-start-2 text-small text-ink-2">{COUNTS.map((count) => `${row[count]} ${count}`).join(", ")}</p>
    </li>
  );
}

/** Completed out of all that ended, as a bar and a number; `no history` is not zero. */
export function Reliability({ row }: { row: Reputation }) {
  if (row.completed + row.rejected + row.abandoned === 0) return <span className="text-ink-3">no history</span>;
  const percent = row.reliabilityBps / 100;
  return (
    <span className="inline-flex items-center gap-2.5">
      <span aria-hidden="true" className="h-2.5 w-20 overflow-hidden rounded-vial border border-rule-2 bg-well"><span className="block h-full bg-vial-deep" style={{ width: `${percent}%` }} /></span>
      <span className="figure mr-0.5">{percent.toFixed(percent % 1 ? 1 : 0)}%</span>
    </span>
  );
}
