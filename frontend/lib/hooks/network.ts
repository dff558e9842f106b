/** The network this page talks to, and its clock. */
"use client";
import { useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { findNetwork, type Network } from "@/lib/chain/config";
import { isUnreachable } from "@/lib/chain/errors";
import { getNow } from "@/lib/chain/node";
import { localClock } from "@/lib/clock";
import { keys } from "./keys";

/** Try again by itself every three seconds while the node cannot be reached. */
export function retryWhileUnreachable(query: { state: { error: unknown } }): number | false {
  return isUnreachable(query.state.error) ? 3000 : false;
}

/** `data` is null when nothing is configured: the set-up page explains. */
export function useNetwork() {
  return useQuery({
    queryKey: keys.network,
    queryFn: ({ signal }) => findNetwork(signal),
    staleTime: Infinity,
    refetchInterval: retryWhileUnreachable,
  });
}

/** A query that needs the network: waits for it, and fails with its error when there is none. */
export function useChainQuery<T>(
  queryKey: readonly unknown[],
  read: (network: Network, signal: AbortSignal) => Promise<T>,
  options: { enabled?: boolean; staleTime?: number; refetchInterval?: number | false } = {},
) {
  const network = useNetwork();
  const ready = network.data ?? null;
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => read(ready!, signal),
    enabled: ready !== null && options.enabled !== false,
    staleTime: options.staleTime ?? 15_000,
    refetchInterval: (state) => retryWhileUnreachable(state) || (options.refetchInterval ?? false),
  });
  return { ...query, error: network.error ?? query.error, network: ready, unset: network.data === null };
}

/** What follows from the network's time in seconds, ticking for all at once. null until it is known, so that nothing is told wrong first. */
export function useClock<T extends string | number>(tell: (now: number) => T): T | null {
  const { data: offset } = useChainQuery(
    keys.clock,
    async (network, signal) => (network.dev ? (await getNow(network, signal)) - Date.now() / 1000 : 0),
    { staleTime: 60_000 },
  );
  const read = () => {
    const local = localClock.get();
    return local === null || offset === undefined ? null : tell(Math.floor(local + offset));
  };
  return useSyncExternalStore(localClock.subscribe, read, () => null);
}

/** The network's time in seconds; a coarse one moves on every so many seconds only. */
export function useNow(everySeconds = 1): number | null {
  return useClock((now) => now - (now % everySeconds));
}
