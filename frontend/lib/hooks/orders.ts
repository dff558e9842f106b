/** Reads of the Foreman contract, one hook each. No hook reads the whole book. */
"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getOrder, getOrdersPage, getPartyPage, getReputation, getStats, getTopProviders, type OrderStatus } from "@/lib/chain/orders";
import { keys } from "./keys";
import { retryWhileUnreachable, useChainQuery, useNetwork } from "./network";

export const PAGE = 20;

export function useStats() {
  return useChainQuery(keys.stats, getStats);
}

/** One page, newest first. The page before stays on screen while the next one comes. */
export function useOrdersPage(page: number, status: OrderStatus | "") {
  const network = useNetwork();
  const query = useQuery({
    queryKey: keys.orders(page * PAGE, PAGE, status),
    queryFn: ({ signal }) => getOrdersPage(network.data!, page * PAGE, PAGE, status, signal),
    enabled: !!network.data,
    placeholderData: keepPreviousData,
    staleTime: 15_000,
    refetchInterval: retryWhileUnreachable,
  });
  return { ...query, error: network.error ?? query.error };
}

export function usePartyOrders(role: "client" | "provider", address: string | null, page = 0) {
  return useChainQuery(
    keys.partyOrders(role, address ?? "", page * PAGE),
    (network, signal) => getPartyPage(network, role, address!, page * PAGE, PAGE, signal),
    { enabled: address !== null },
  );
}

export function useOrder(id: number | null) {
  return useChainQuery(keys.order(id ?? -1), (network, signal) => getOrder(network, id!, signal), { enabled: id !== null });
}

export function useReputation(address: string | null) {
  return useChainQuery(keys.reputation(address ?? ""), (network, signal) => getReputation(network, address!, signal), {
    enabled: address !== null,
  });
}

export function useTopProviders(limit = 50) {
  return useChainQuery(keys.top(limit), (network, signal) => getTopProviders(network, limit, signal));
}
