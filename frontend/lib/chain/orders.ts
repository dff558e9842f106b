/** Orders as the app knows them, and the reads of the Foreman contract. Old contracts may lack fields; nothing here minds. */
import { view, type Argument } from "./contract";
import { ChainError } from "./errors";
import { Fields } from "./fields";
import type { Network } from "./config";

export const STATUSES = ["open", "claimed", "completed", "rejected", "cancelled", "expired"] as const;
export type OrderStatus = (typeof STATUSES)[number];

export type Moment = { t: number; event: string; actor: string; detail: string };
export type Criterion = { criterion: string; met: boolean | null };

export type Order = {
  id: number;
  client: string;
  provider: string;
  title: string;
  spec: string;
  criteria: string;
  deliverableUrl: string;
  deliverableNote: string;
  escrowWei: bigint;
  depositWei: bigint;
  paidWei: bigint;
  refundedWei: bigint;
  deadline: number;
  status: OrderStatus | "unknown";
  percent: number;
  firstPercent: number | null;
  reasoning: string;
  redFlags: string[];
  results: Criterion[];
  fingerprint: string;
  evidenceChars: number;
  truncated: boolean;
  appealUsed: boolean;
  appealDeadline: number;
  extensions: number;
  createdAt: number;
  claimedAt: number;
  deliveredAt: number;
  resolvedAt: number;
  timeline: Moment[];
  /** Older routine entries that made room. */
  timelineFolded: number;
};

/** One order of the contract's answer, with a default for every field it does not carry. */
export function readOrder(row: Fields): Order {
  const status = row.text("status") as OrderStatus;
  return {
    id: row.count("id", -1),
    client: row.text("client"),
    provider: row.text("provider"),
    title: row.text("title"),
    spec: row.text("spec"),
    criteria: row.text("acceptance_criteria"),
    deliverableUrl: row.text("deliverable_url"),
    deliverableNote: row.text("deliverable_note"),
    escrowWei: row.wei("escrow_wei"),
    depositWei: row.wei("deposit_wei"),
    paidWei: row.wei("paid_wei"),
    refundedWei: row.wei("refunded_wei"),
    deadline: row.count("deadline"),
    status: STATUSES.includes(status) ? status : "unknown",
    percent: row.count("payout_percent"),
    firstPercent: row.has("first_payout_percent") ? row.count("first_payout_percent") : null,
    reasoning: row.text("verdict_reasoning"),
    redFlags: row.texts("red_flags"),
    results: row.rows("criteria_results").map((item) => ({ criterion: item.text("criterion"), met: item.flagOrNull("met") })),
    fingerprint: row.text("evidence_fingerprint"),
    evidenceChars: row.count("evidence_chars"),
    truncated: row.flag("evidence_truncated"),
    appealUsed: row.flag("appeal_used"),
    appealDeadline: row.count("appeal_deadline"),
    extensions: row.count("extensions"),
    createdAt: row.count("created_at"),
    claimedAt: row.count("claimed_at"),
    deliveredAt: row.count("delivered_at"),
    resolvedAt: row.count("resolved_at"),
    timeline: row.rows("timeline").map(readMoment),
    timelineFolded: row.count("timeline_folded"),
  };
}

export function readMoment(row: Fields): Moment {
  return { t: row.count("t"), event: row.text("event"), actor: row.text("actor"), detail: row.text("detail") };
}

export type Stats = {
  orders: number;
  byStatus: Record<OrderStatus, number>;
  providers: number;
  volumeWei: bigint;
  depositsWei: bigint;
  payoutsWei: bigint;
  refundsWei: bigint;
  verdicts: number;
  appeals: number;
};

export type Reputation = {
  provider: string;
  completed: number;
  rejected: number;
  disputed: number;
  abandoned: number;
  earnedWei: bigint;
  reliabilityBps: number;
};

function foreman(network: Network, method: string, args: Argument[], signal?: AbortSignal) {
  if (!network.foreman) throw new ChainError("not_found", "This network has no Foreman contract set.", "See the set-up page.");
  return view({ rpcUrl: network.rpcUrl, address: network.foreman, method, args, signal });
}

export async function getOrder(network: Network, id: number, signal?: AbortSignal): Promise<Order> {
  const row = Fields.of(await foreman(network, "get_order", [id], signal));
  if (row === null) throw new ChainError("not_found", `There is no order ${id}.`);
  return readOrder(row);
}

async function orderList(network: Network, method: string, args: Argument[], signal?: AbortSignal): Promise<Order[]> {
  const rows = await foreman(network, method, args, signal);
  return Array.isArray(rows) ? rows.map(Fields.of).filter((row) => row !== null).map(readOrder) : [];
}

/** Newest first; limit 1..50; status "" is all. */
export function getOrdersPage(network: Network, offset: number, limit: number, status: OrderStatus | "", signal?: AbortSignal) {
  return orderList(network, "get_orders_page", [offset, limit, status], signal);
}

/** Orders a party opened or took, newest first, a page at a time. */
export function getPartyPage(network: Network, role: "client" | "provider", address: string, offset: number, limit: number, signal?: AbortSignal) {
  return orderList(network, `get_orders_by_${role}_page`, [address, offset, limit], signal);
}

export async function getStats(network: Network, signal?: AbortSignal): Promise<Stats> {
  const row = Fields.of(await foreman(network, "get_stats", [], signal));
  if (row === null) throw new ChainError("bad_answer", "The contract gave no statistics.");
  return {
    orders: row.count("orders"),
    byStatus: Object.fromEntries(STATUSES.map((status) => [status, row.count(status)])) as Stats["byStatus"],
    providers: row.count("providers"),
    volumeWei: row.wei("volume_wei"),
    depositsWei: row.wei("deposits_wei"),
    payoutsWei: row.wei("payouts_wei"),
    refundsWei: row.wei("refunds_wei"),
    verdicts: row.count("verdicts"),
    appeals: row.count("appeals"),
  };
}

function readReputation(row: Fields, provider = ""): Reputation {
  return {
    provider: row.text("provider") || row.text("address") || provider,
    completed: row.count("completed"),
    rejected: row.count("rejected"),
    disputed: row.count("disputed"),
    abandoned: row.count("abandoned"),
    earnedWei: row.wei("total_earned_wei"),
    reliabilityBps: row.count("reliability_bps"),
  };
}

export async function getReputation(network: Network, address: string, signal?: AbortSignal): Promise<Reputation> {
  const row = Fields.of(await foreman(network, "get_provider_reputation", [address], signal));
  if (row === null) throw new ChainError("bad_answer", "The contract gave no record for this provider.");
  return readReputation(row, address);
}

export async function getTopProviders(network: Network, limit: number, signal?: AbortSignal): Promise<Reputation[]> {
  const rows = await foreman(network, "get_top_providers", [limit], signal);
  return Array.isArray(rows) ? rows.map(Fields.of).filter((row) => row !== null).map((row) => readReputation(row)) : [];
}
