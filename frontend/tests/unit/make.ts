/** Orders, milestones and networks for tests, each field with a plain default. */
import type { Agreement, Milestone } from "@/lib/chain/agreements";
import type { Network } from "@/lib/chain/config";
import { Fields, type Decoded } from "@/lib/chain/fields";
import { readOrder, type Order } from "@/lib/chain/orders";
import { GEN } from "@/lib/format/gen";

export const CLIENT = `0x${"a1".repeat(20)}`;
export const PROVIDER = `0x${"b2".repeat(20)}`;
export const ARBITER = `0x${"c3".repeat(20)}`;
export const STRANGER = `0x${"d4".repeat(20)}`;
export const NOW = 1_800_000_000;
export const DAY = 86_400;

export function order(part: Partial<Order> = {}): Order {
  const plain = readOrder(Fields.of(new Map<string, Decoded>([["id", 7n], ["status", "open"]]))!);
  return { ...plain, client: CLIENT, title: "An order", escrowWei: 10n * GEN, createdAt: NOW - DAY, deadline: NOW + 7 * DAY, ...part };
}

export const agreement: Agreement = {
  id: 1, payer: CLIENT, provider: PROVIDER, arbiter: ARBITER, title: "An agreement", domains: ["docs.example.org"], escrowedWei: 10n * GEN, state: "active", milestoneCount: 1,
};

export const HOUR_NOW = Math.floor(NOW / 3600);

export function milestone(part: Partial<Milestone> = {}): Milestone {
  return {
    index: 0, title: "First", criteria: ["The page is valid JSON"], amountWei: 10n * GEN, dueHour: HOUR_NOW + 24, sinceHour: HOUR_NOW, state: "awaiting_evidence", claim: "", evidence: [],
    submissions: 0, round: 0, verdict: "", payerBondWei: 0n, providerBondWei: 0n, appealBondWei: GEN, grounds: "", escalated: false, timeline: [], ...part,
  };
}

export const network: Network = {
  name: "local", chainId: 61127, rpcUrl: "http://127.0.0.1:4000/api", foreman: CLIENT, agreements: PROVIDER, dev: true, node: "http://127.0.0.1:4000", samples: [],
};
