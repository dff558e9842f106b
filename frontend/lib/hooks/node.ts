/** What the network tells about itself: balances, seats, books, latest changes. */
"use client";
import { getBalance, getBirth, getBooks, getLatest, getSeats } from "@/lib/chain/node";
import { getHistory } from "@/lib/chain/transactions";
import { keys } from "./keys";
import { useChainQuery } from "./network";

export function useBalance(address: string | null) {
  return useChainQuery(keys.balance(address ?? ""), (network, signal) => getBalance(network, address!, signal), { enabled: address !== null });
}

export function useSeats() {
  return useChainQuery(keys.seats, getSeats, { staleTime: Infinity });
}

/** Which chain this is; read again when the stream of news comes back. */
export function useBirth(enabled: boolean) {
  return useChainQuery(keys.birth, getBirth, { enabled, staleTime: Infinity });
}

export function useBooks() {
  return useChainQuery(keys.books, getBooks);
}

export function useLatest(count = 12) {
  return useChainQuery(keys.changes, (network, signal) => getLatest(network, count, signal));
}

export function useHistory(address: string | null) {
  return useChainQuery(keys.history(address ?? ""), (network, signal) => getHistory(network, address!, "from", signal), {
    enabled: address !== null && address !== "",
  });
}
