/** The transactions about one order or milestone, found among those its parties sent. */
"use client";
import { isOver, type Transaction } from "@/lib/chain/transactions";
import type { Agreement } from "@/lib/chain/agreements";
import type { Order } from "@/lib/chain/orders";
import { useHistory } from "./node";

export type Related = {
  /** Newest first, without duplicates. */
  transactions: Transaction[];
  /** One is under way. */
  busy: boolean;
  /** Money of one is ordered and not moved yet. */
  settling: boolean;
  /** Deliveries and appeals that a jury answered, newest first; failed ones too. */
  judged: Transaction[];
};

const JUDGING = new Set(["submit_deliverable", "appeal_delivery"]);

export function useOrderTransactions(order: Order | undefined): Related {
  const client = useHistory(order?.client ?? null);
  const provider = useHistory(order?.provider || null);
  const seen = new Set<string>();
  const transactions = [...(client.data ?? []), ...(provider.data ?? [])]
    .filter((row) => row.args[0] === BigInt(order?.id ?? -1) && row.method !== "" && !seen.has(row.hash) && seen.add(row.hash))
    .sort((one, other) => other.createdAt - one.createdAt);
  return {
    transactions,
    busy: transactions.some((row) => !isOver(row.stage) && row.stage !== "settling"),
    settling: transactions.some((row) => row.stage === "settling"),
    judged: transactions.filter((row) => JUDGING.has(row.method) && row.rounds.length > 0),
  };
}

/** Judgements of one milestone, oldest first, as far as its parties or its arbiter asked for them. */
export function useMilestoneJudgements(agreement: Agreement, index: number): { ok: Transaction[]; failed: Transaction[]; busy: Transaction[] } {
  const histories = [useHistory(agreement.payer), useHistory(agreement.provider), useHistory(agreement.arbiter)];
  const about = histories
    .flatMap((history) => history.data ?? [])
    .filter((row) => row.args[0] === BigInt(agreement.id) && row.args[1] === BigInt(index) && row.method === "adjudicate")
    .sort((one, other) => one.createdAt - other.createdAt);
  return {
    ok: about.filter((row) => row.ok),
    failed: about.filter((row) => isOver(row.stage) && !row.ok && row.rounds.length > 0),
    busy: about.filter((row) => !isOver(row.stage) && row.stage !== "settling"),
  };
}
