/** Four numbers of the whole book, from one read whose cost does not grow. */
"use client";
import { Amount, Figure } from "@/components/ui/Amount";
import { Failure } from "@/components/ui/States";
import { useStats } from "@/lib/hooks/orders";

export function HomeStats() {
  const query = useStats();
  const stats = query.data;
  if (query.unset) return null;
  if (query.error && !stats) return <div className="measure pb-10"><Failure error={query.error} onRetry={() => void query.refetch()} /></div>;
  const live = stats ? stats.byStatus.open + stats.byStatus.claimed : null;
  return (
    <div className="border-y bg-sheet">
      <dl className="measure grid min-h-32 grid-cols-2 items-center gap-x-6 gap-y-6 py-7 md:grid-cols-4">
        <Figure label="Orders opened">{stats?.orders ?? "…"}</Figure>
        <Figure label="Live now">{live ?? "…"}</Figure>
        <Figure label="Verdicts">{stats?.verdicts ?? "…"}</Figure>
        <Figure label="Paid to providers">{stats ? <Amount wei={stats.payoutsWei} short /> : "…"}</Figure>
      </dl>
    </div>
  );
}
