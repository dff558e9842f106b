/** Agreements, milestones and rulings as the app knows them, and the reads of the VerdictEscrow contract. */
import { view, type Argument } from "./contract";
import { ChainError } from "./errors";
import { Fields } from "./fields";
import { readMoment, type Moment } from "./orders";
import type { Network } from "./config";

export const MILESTONE_STATES = [
  "draft",
  "awaiting_evidence",
  "under_review",
  "ruled",
  "released",
  "refunded",
  "deadlocked",
] as const;
export type MilestoneState = (typeof MILESTONE_STATES)[number];

export const AGREEMENT_STATES = ["draft", "active", "closed"] as const;
export type AgreementState = (typeof AGREEMENT_STATES)[number];

export type Agreement = {
  id: number;
  payer: string;
  provider: string;
  arbiter: string;
  title: string;
  domains: string[];
  escrowedWei: bigint;
  state: AgreementState;
  milestoneCount: number;
};

export type Milestone = {
  index: number;
  title: string;
  criteria: string[];
  amountWei: bigint;
  dueHour: number;
  sinceHour: number;
  state: MilestoneState;
  claim: string;
  evidence: string[];
  submissions: number;
  round: number;
  verdict: string;
  payerBondWei: bigint;
  providerBondWei: bigint;
  appealBondWei: bigint;
  grounds: string;
  escalated: boolean;
  timeline: Moment[];
};

export type Ruling = {
  attempt: number;
  round: number;
  verdict: string;
  confidence: number;
  unmet: number[];
  rationale: string;
  ruledAtHour: number;
  byArbiter: boolean;
};

export type AgreementRules = {
  bondBps: number;
  maxRounds: number;
  windowHours: number;
  maxSubmissions: number;
  tolerance: Record<string, number>;
  overlapBps: Record<string, number>;
};

function readAgreement(row: Fields, id = 0): Agreement {
  return {
    id: row.count("id", id),
    payer: row.text("payer"),
    provider: row.text("provider"),
    arbiter: row.text("arbiter"),
    title: row.text("title"),
    domains: row.texts("allowed_domains"),
    escrowedWei: row.wei("escrowed"),
    state: AGREEMENT_STATES[row.count("state")] ?? "draft",
    milestoneCount: row.count("milestone_count"),
  };
}

function readMilestone(row: Fields, index: number): Milestone {
  return {
    index,
    title: row.text("title"),
    criteria: row.texts("criteria"),
    amountWei: row.wei("amount"),
    dueHour: row.count("due_hour"),
    sinceHour: row.count("since_hour"),
    state: MILESTONE_STATES[row.count("state")] ?? "draft",
    claim: row.text("claim"),
    evidence: row.texts("evidence"),
    submissions: row.count("submissions"),
    round: row.count("round_no"),
    verdict: row.text("verdict"),
    payerBondWei: row.wei("payer_bond"),
    providerBondWei: row.wei("provider_bond"),
    appealBondWei: row.wei("appeal_bond", null) ?? row.wei("amount") / 10n,
    grounds: row.text("appeal_grounds"),
    escalated: row.flag("escalated"),
    timeline: row.rows("timeline").map(readMoment),
  };
}

function readRuling(row: Fields): Ruling {
  return {
    attempt: row.count("attempt", 1),
    round: row.count("round_no"),
    verdict: row.text("verdict"),
    confidence: row.count("confidence"),
    unmet: row.counts("unmet"),
    rationale: row.text("rationale"),
    ruledAtHour: row.count("ruled_at_hour"),
    byArbiter: row.flag("by_arbiter"),
  };
}

function escrow(network: Network, method: string, args: Argument[], signal?: AbortSignal) {
  if (!network.agreements) throw new ChainError("not_found", "This network has no agreements contract set.", "See the set-up page.");
  return view({ rpcUrl: network.rpcUrl, address: network.agreements, method, args, signal });
}

function list<T>(rows: unknown, read: (row: Fields) => T): T[] {
  return Array.isArray(rows) ? rows.map(Fields.of).filter((row) => row !== null).map(read) : [];
}

export async function getAgreement(network: Network, id: number, signal?: AbortSignal): Promise<Agreement> {
  const row = Fields.of(await escrow(network, "get_agreement", [id], signal));
  if (row === null) throw new ChainError("not_found", `There is no agreement ${id}.`);
  return readAgreement(row, id);
}

export async function getMilestone(network: Network, id: number, index: number, signal?: AbortSignal): Promise<Milestone> {
  const row = Fields.of(await escrow(network, "get_milestone", [id, index], signal));
  if (row === null) throw new ChainError("not_found", `Agreement ${id} has no milestone ${index}.`);
  return readMilestone(row, index);
}

export async function getRulings(network: Network, id: number, index: number, signal?: AbortSignal): Promise<Ruling[]> {
  return list(await escrow(network, "get_rulings", [id, index], signal), readRuling);
}

export async function getAgreementCount(network: Network, signal?: AbortSignal): Promise<number> {
  return Number(await escrow(network, "get_agreement_count", [], signal));
}

export async function getAgreementsPage(network: Network, offset: number, limit: number, signal?: AbortSignal): Promise<Agreement[]> {
  return list(await escrow(network, "get_agreements_page", [offset, limit], signal), (row) => readAgreement(row));
}

export async function getAgreementsByParty(network: Network, party: string, offset: number, limit: number, signal?: AbortSignal) {
  return list(await escrow(network, "get_agreements_by_party", [party, offset, limit], signal), (row) => readAgreement(row));
}

export async function getCredit(network: Network, who: string, signal?: AbortSignal): Promise<bigint> {
  return BigInt(String(await escrow(network, "credit_of", [who], signal)));
}

export async function getRules(network: Network, signal?: AbortSignal): Promise<AgreementRules> {
  const row = Fields.of(await escrow(network, "config", [], signal));
  if (row === null) throw new ChainError("bad_answer", "The contract gave no rules.");
  return {
    bondBps: row.count("appeal_bond_bps"),
    maxRounds: row.count("max_rounds"),
    windowHours: row.count("appeal_window_hours"),
    maxSubmissions: row.count("max_submissions"),
    tolerance: numbers(row.inner("confidence_tolerance")),
    overlapBps: numbers(row.inner("unmet_jaccard_min")),
  };
}

function numbers(row: Fields | null): Record<string, number> {
  return Object.fromEntries((row?.keys() ?? []).map((key) => [key, row!.count(key)]));
}
