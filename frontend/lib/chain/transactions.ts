/** A transaction as the app tells it: where it is, what every seat said, how it ended, what it changed. */
import type { Network } from "./config";
import { readCall, readResult, type Result } from "./contract";
import { ChainError } from "./errors";
import { Fields, type Decoded } from "./fields";
import { rpc } from "./rpc";

export type Vote = "agree" | "disagree" | "timeout" | "deterministic_violation" | "idle";

export type Seat = {
  seat: number;
  judge: string;
  vote: Vote | string;
  leader: boolean;
  /** What this seat found by itself, before it looked at the proposal; null when it never came to an answer. */
  own: Result | null;
  note: string;
  /** The loopback address that served the evidence, when a host map did. */
  mapped: string;
};

export type Round = { leader: number; seats: Seat[] };

export type Stage = "waiting" | "judging" | "settling" | "final" | "failed" | "undetermined" | "canceled";

export type Transaction = {
  hash: string;
  status: string;
  stage: Stage;
  /** Decided, and the run succeeded. Nothing else is a success. */
  ok: boolean;
  from: string;
  to: string;
  valueWei: bigint;
  method: string;
  args: Decoded[];
  result: Result | null;
  /** Why it failed, in the contract's or the network's words. */
  reason: string;
  rounds: Round[];
  createdAt: number;
  decidedAt: number;
  children: string[];
};

type Json = Record<string, unknown>;

const WAITING = new Set(["UNINITIALIZED", "PENDING", "ACTIVATED"]);
const NO_DECISION: Record<string, string> = {
  UNDETERMINED: "The validators did not agree, so nothing was decided and nothing changed. It can be tried again.",
  LEADER_TIMEOUT: "Every validator that proposed ran out of time, so nothing was decided and nothing changed.",
  VALIDATORS_TIMEOUT: "The validators ran out of time, so nothing was decided and nothing changed.",
  CANCELED: "It was taken back before it began.",
};

/** Ask for one transaction. Throws ChainError not_found. */
export async function getTransaction(network: Network, hash: string, signal?: AbortSignal): Promise<Transaction> {
  const found = await rpc(network.rpcUrl, "eth_getTransactionByHash", [hash], signal);
  if (found === null || typeof found !== "object")
    throw new ChainError("not_found", "The network knows no transaction with this hash.", "Check the hash and the network.");
  return readTransaction(found as Json);
}

/** The newest transactions from or to an address. */
export async function getHistory(network: Network, address: string, filter: "from" | "to" | "all", signal?: AbortSignal) {
  const rows = await rpc(network.rpcUrl, "sim_getTransactionsForAddress", [address, filter], signal);
  return Array.isArray(rows) ? rows.map((row) => readTransaction(row as Json)) : [];
}

export function readTransaction(raw: Json): Transaction {
  const status = String(raw.status ?? "PENDING");
  const consensus = (raw.consensus_data ?? {}) as Json;
  const receipt = leaderReceipt(consensus);
  const result = typeof receipt.result === "string" ? readResult(receipt.result) : null;
  const ran = receipt.execution_result === "SUCCESS" && result?.kind === "return";
  const ok = ran && (status === "ACCEPTED" || status === "FINALIZED");
  const call = readCall(String((raw.data as Json | null)?.calldata ?? ""));
  return {
    hash: String(raw.hash ?? raw.tx_id ?? ""),
    status,
    stage: stageOf(status, ok),
    ok,
    from: String(raw.from_address ?? raw.sender ?? ""),
    to: String(raw.to_address ?? raw.recipient ?? ""),
    valueWei: toWei(raw.value),
    method: call?.method ?? (Number(raw.type) === 1 ? "deploy" : ""),
    args: call?.args ?? [],
    result,
    reason: NO_DECISION[status] ?? (ok || !result || result.kind === "return" ? "" : result.reason),
    rounds: roundsOf(consensus),
    createdAt: seconds(raw.created_at),
    decidedAt: seconds(raw.decided_at),
    children: Array.isArray(raw.triggered_transactions) ? raw.triggered_transactions.map(String) : [],
  };
}

function leaderReceipt(consensus: Json): Json {
  const receipts = consensus.leader_receipt;
  return ((Array.isArray(receipts) ? receipts[0] : receipts) ?? {}) as Json;
}

/** The stage of a status this page knows; one it does not know is still on its way. */
export function stageOf(status: string, ok: boolean): Stage {
  if (WAITING.has(status)) return "waiting";
  if (status === "ACCEPTED") return ok ? "settling" : "failed";
  if (status === "FINALIZED") return ok ? "final" : "failed";
  if (status === "CANCELED") return "canceled";
  return status in NO_DECISION ? "undetermined" : "judging";
}

/** Nothing more will happen to it. */
export function isOver(stage: Stage): boolean {
  return stage !== "waiting" && stage !== "judging" && stage !== "settling";
}

function roundsOf(consensus: Json): Round[] {
  const blocks = Array.isArray(consensus.blocks) ? (consensus.blocks as Json[]) : [];
  const rounds = blocks.flatMap((block) => (Array.isArray(block.rounds) ? (block.rounds as Json[]) : []));
  if (rounds.length === 0) return studioRound(consensus);
  return rounds.map((round) => {
    const leader = Number(round.leader_seat);
    const votes = Array.isArray(round.votes) ? (round.votes as Json[]) : [];
    return { leader, seats: votes.map((vote) => readSeat(vote, Number(vote.seat) === leader)) };
  });
}

function readSeat(vote: Json, leader: boolean): Seat {
  return {
    seat: Number(vote.seat),
    judge: String(vote.judge ?? ""),
    vote: String(vote.vote ?? "idle"),
    leader,
    own: typeof vote.result === "string" ? readResult(vote.result) : null,
    note: String(vote.note ?? ""),
    mapped: String(vote.mapped ?? ""),
  };
}

/** A Studio tells one round: the leader's validation receipt, then the other validators. */
function studioRound(consensus: Json): Round[] {
  const receipts = Array.isArray(consensus.leader_receipt) ? (consensus.leader_receipt as Json[]) : [];
  const others = Array.isArray(consensus.validators) ? (consensus.validators as Json[]) : [];
  const leader = receipts[1] ?? receipts[0];
  if (!leader || others.length === 0) return [];
  const seats = [leader, ...others].map((row, seat) => {
    const node = (row.node_config ?? {}) as Json;
    const model = (node.primary_model ?? {}) as Json;
    return {
      seat,
      judge: [model.provider, model.model].filter(Boolean).join(":"),
      vote: String(row.vote ?? "idle"),
      leader: seat === 0,
      own: studioAnswer(row.eq_outputs),
      note: "",
      mapped: "",
    };
  });
  return [{ leader: 0, seats }];
}

function studioAnswer(outputs: unknown): Result | null {
  const first = outputs && typeof outputs === "object" ? Object.values(outputs)[0] : null;
  return typeof first === "string" ? readResult(first) : null;
}

export type Opinion = { percent: number | null; verdict: string; confidence: number | null; text: string; unmet: number[]; failed: string };

/** What a seat's own answer says, for either contract. */
export function opinionOf(own: Result | null): Opinion {
  const blank: Opinion = { percent: null, verdict: "", confidence: null, text: "", unmet: [], failed: "" };
  if (own === null) return { ...blank, failed: "no answer" };
  if (own.kind !== "return") return { ...blank, failed: own.reason };
  const row = Fields.of(own.value);
  if (row === null) return { ...blank, failed: "an answer of another shape" };
  return {
    percent: row.has("payout_percent") ? row.count("payout_percent") : null,
    verdict: row.text("verdict"),
    confidence: row.has("confidence") ? row.count("confidence") : null,
    text: row.text("reasoning") || row.text("verdict_reasoning") || row.text("rationale"),
    unmet: row.counts("unmet_criteria"),
    failed: row.text("error") || row.text("failure"),
  };
}

function toWei(value: unknown): bigint {
  try {
    return typeof value === "string" || typeof value === "number" || typeof value === "bigint" ? BigInt(value) : 0n;
  } catch {
    return 0n;
  }
}

function seconds(iso: unknown): number {
  const at = typeof iso === "string" ? Date.parse(iso) : NaN;
  return Number.isFinite(at) ? Math.floor(at / 1000) : 0;
}
