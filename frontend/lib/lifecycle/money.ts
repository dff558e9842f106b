/** Where the money of an order or a milestone is, from what the contract tells of it. */
import type { Agreement, Milestone } from "@/lib/chain/agreements";
import type { Order } from "@/lib/chain/orders";
import { sameAddress } from "@/lib/format/address";
import { share } from "@/lib/format/gen";
import { MAX_SUBMISSIONS } from "./limits";

export type Part = { label: string; wei: bigint; kind: "paid" | "refunded" | "escrow" | "settling"; /** How much of it were bonds. */ bondsWei?: bigint };

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

type Sides = { payer: bigint; provider: bigint };

/** Every wei that was paid in for a milestone, bonds included: held, or credited to whom. */
export function milestoneMoney(agreement: Agreement, milestone: Milestone): Part[] {
  const { state, amountWei, payerBondWei, providerBondWei } = milestone;
  const bonds = creditedBonds(agreement, milestone);
  const held = state === "released" || state === "refunded" ? 0n : amountWei;
  const credited = (label: string, kind: Part["kind"], won: boolean, bondsWei: bigint): Part => ({ label, kind, wei: (won ? amountWei : 0n) + bondsWei, bondsWei });
  return [
    { label: "In escrow", wei: held, kind: "escrow" },
    { label: "Bonds held", wei: payerBondWei + providerBondWei, kind: "settling" },
    credited("Credited to the provider", "paid", state === "released", bonds.provider),
    credited("Credited to the payer", "refunded", state === "refunded", bonds.payer),
  ];
}

/** The bonds that were credited, by side. The contract forgets a bond when it moves; its timeline tells who posted it and what came of it. */
function creditedBonds(agreement: Agreement, milestone: Milestone): Sides {
  const credited: Sides = { payer: 0n, provider: 0n };
  let held: Sides = { payer: 0n, provider: 0n };
  for (const { event, actor, detail } of milestone.timeline) {
    if (event === "appealed" || event === "escalated") {
      held[sameAddress(actor, agreement.payer) ? "payer" : "provider"] += milestone.appealBondWei;
      continue;
    }
    if (event !== "reopened" && event !== "released" && event !== "refunded") continue;
    const winner = event === "reopened" || !forfeits(milestone, detail) ? null : event === "released" ? "provider" : "payer";
    credited.payer += winner === null ? held.payer : winner === "payer" ? held.payer + held.provider : 0n;
    credited.provider += winner === null ? held.provider : winner === "provider" ? held.payer + held.provider : 0n;
    held = { payer: 0n, provider: 0n };
  }
  return credited;
}

/** Who lost forfeits; an absent arbiter after a stall, or after a ruling that proved nothing, leaves no loser. */
function forfeits(milestone: Milestone, how: string): boolean {
  const inconclusive = milestone.verdict === "INSUFFICIENT_EVIDENCE" && milestone.submissions < MAX_SUBMISSIONS;
  return how !== "arbiter absent" || (milestone.escalated && !inconclusive);
}
