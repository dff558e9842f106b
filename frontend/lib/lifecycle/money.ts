/** Where an order's money is, from the order alone. */
import type { Order } from "@/lib/chain/orders";
import { share } from "@/lib/format/gen";

export type Part = { label: string; wei: bigint; kind: "paid" | "refunded" | "escrow" | "settling" };

/** Paid and refunded as the contract counts them; older contracts without those fields are computed from the verdict. */
export function whereTheMoneyIs(order: Order, settling: boolean): Part[] {
  const live = order.status === "open" || order.status === "claimed";
  const total = order.escrowWei + order.depositWei;
  let { paidWei: paid, refundedWei: refunded } = order;
  if (!live && paid + refunded === 0n) {
    const judged = order.status === "completed" || order.status === "rejected";
    paid = judged ? share(order.escrowWei, order.percent) : 0n;
    refunded = order.escrowWei - paid;
  }
  const held = live ? order.escrowWei : total > paid + refunded ? total - paid - refunded : 0n;
  const parts: Part[] = [
    { label: "In escrow", wei: held, kind: "escrow" },
    { label: settling ? "To the provider, settling" : "Paid to the provider", wei: paid, kind: settling ? "settling" : "paid" },
    { label: settling ? "To the client, settling" : "Returned to the client", wei: refunded, kind: settling ? "settling" : "refunded" },
  ];
  return parts;
}
