/** Reads of the VerdictEscrow contract, one hook each. */
"use client";
import {
  getAgreement, getAgreementCount, getAgreementsByParty, getAgreementsPage, getCredit, getMilestone, getRules, getRulings,
} from "@/lib/chain/agreements";
import { keys } from "./keys";
import { useChainQuery } from "./network";
import { PAGE } from "./orders";

/** Newest first; all of them, or one party's. */
export function useAgreementsPage(page: number, party: string | null = null, enabled = true) {
  return useChainQuery(
    keys.agreements(page * PAGE, party ?? ""),
    (network, signal) =>
      party ? getAgreementsByParty(network, party, page * PAGE, PAGE, signal) : getAgreementsPage(network, page * PAGE, PAGE, signal),
    { enabled },
  );
}

export function useAgreementCount() {
  return useChainQuery(keys.agreementCount, getAgreementCount);
}

export function useAgreement(id: number | null) {
  return useChainQuery(keys.agreement(id ?? -1), (network, signal) => getAgreement(network, id!, signal), { enabled: id !== null });
}

/** All milestones of one agreement, at most twenty, read side by side. */
export function useMilestones(id: number | null, count: number | undefined) {
  return useChainQuery(
    keys.milestones(id ?? -1),
    (network, signal) => Promise.all(Array.from({ length: count! }, (_, index) => getMilestone(network, id!, index, signal))),
    { enabled: id !== null && count !== undefined },
  );
}

export function useRulings(id: number, index: number, enabled: boolean) {
  return useChainQuery(keys.rulings(id, index), (network, signal) => getRulings(network, id, index, signal), { enabled });
}

export function useCredit(address: string | null) {
  return useChainQuery(keys.credit(address ?? ""), (network, signal) => getCredit(network, address!, signal), { enabled: address !== null });
}

export function useRules() {
  return useChainQuery(keys.rules, getRules, { staleTime: Infinity });
}
