/** A value that components can watch, for what lives outside React: accounts, followed transactions, the theme. */
import { useSyncExternalStore } from "react";

export type Store<T> = {
  get: () => T;
  set: (next: T | ((now: T) => T)) => void;
  subscribe: (listener: () => void) => () => void;
};

export function makeStore<T>(first: T): Store<T> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      const made = typeof next === "function" ? (next as (now: T) => T)(value) : next;
      if (Object.is(made, value)) return;
      value = made;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Watch a store. The exported page is rendered with `first`, so both renders agree. */
export function useStore<T>(store: Store<T>, first: T): T {
  return useSyncExternalStore(store.subscribe, store.get, () => first);
}

/** JSON from web storage; null when absent, broken or forbidden. */
export function recall(kind: "local" | "session", key: string): unknown {
  try {
    const text = (kind === "local" ? localStorage : sessionStorage).getItem(key);
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** Keep JSON in web storage; a full or forbidden storage is no reason to fail. */
export function keep(kind: "local" | "session", key: string, value: unknown): void {
  try {
    const storage = kind === "local" ? localStorage : sessionStorage;
    if (value === null) storage.removeItem(key);
    else storage.setItem(key, JSON.stringify(value));
  } catch {
    // private windows may forbid storage: the app then forgets on reload
  }
}
