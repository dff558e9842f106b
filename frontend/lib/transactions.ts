/** The transactions this tab follows, and what the stream of news said of them. */
import { keep, makeStore, recall } from "@/lib/store";

export type Followed = {
  hash: string;
  /** What the person did, in words: "Claim order 7". */
  label: string;
  method: string;
  order?: number;
  agreement?: number;
  from: string;
  /** The birth of the chain that took it, where the network tells one. */
  chain?: string;
};

const KEY = "foreman.followed";
const MOST = 8;

export const followedStore = makeStore<Followed[]>([]);

/** true while the stream of news is connected; null where the network has none. */
export const liveStore = makeStore<boolean | null>(null);

export function restoreFollowed(): void {
  const kept = recall("session", KEY);
  if (Array.isArray(kept)) followedStore.set(kept.filter((row): row is Followed => typeof row?.hash === "string" && typeof row?.label === "string"));
}

export function followTransaction(followed: Followed): void {
  const next = [followed, ...followedStore.get().filter((row) => row.hash !== followed.hash)].slice(0, MOST);
  followedStore.set(next);
  keep("session", KEY, next);
}

export function forgetTransaction(hash: string): void {
  const next = followedStore.get().filter((row) => row.hash !== hash);
  followedStore.set(next);
  keep("session", KEY, next);
}

const changed = new Map<string, number>();
const MOST_CHANGES = 500;

/** The stream told that a transaction's status has changed, just now. */
export function noteChange(hash: string): void {
  changed.delete(hash);
  changed.set(hash, Date.now());
  if (changed.size > MOST_CHANGES) changed.delete(changed.keys().next().value!);
}

/** Has its status changed since a moment (ms)? Then an answer asked for at that moment may be old already. */
export function changedSince(hash: string, moment: number): boolean {
  return (changed.get(hash) ?? 0) >= moment;
}
