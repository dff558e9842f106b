/** What the seats of recent judgements said last, as it was heard. A busy network says much: only who looks at a transaction is told. */
import { useSyncExternalStore } from "react";
import type { SeatNews } from "@/lib/chain/events";

export type Seats = Record<number, SeatNews>;

const MOST = 200; // transactions remembered; the oldest make room

const heard = new Map<string, Seats>();
const listeners = new Map<string, Set<() => void>>();

export function noteSeat(news: SeatNews): void {
  const before = heard.get(news.hash);
  heard.delete(news.hash);
  heard.set(news.hash, { ...before, [news.seat]: news });
  if (heard.size > MOST) heard.delete(heard.keys().next().value!);
  for (const listener of listeners.get(news.hash) ?? []) listener();
}

function listen(hash: string, listener: () => void): () => void {
  const here = listeners.get(hash) ?? new Set();
  listeners.set(hash, here.add(listener));
  return () => {
    here.delete(listener);
    if (here.size === 0) listeners.delete(hash);
  };
}

const NOTHING: Seats = {};

/** The newest news of each seat of one transaction. Live only: empty after a reload. */
export function useSeatsOf(hash: string): Seats {
  return useSyncExternalStore(
    (listener) => listen(hash, listener),
    () => heard.get(hash) ?? NOTHING,
    () => NOTHING,
  );
}
