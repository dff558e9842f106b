/** Whose hand signs in this tab: a burner of this browser, a wallet extension, or nobody. */
import { isAddress } from "@/lib/format/address";
import { keep, makeStore, recall } from "@/lib/store";

export type Account =
  | { kind: "burner"; address: string; label: string }
  | { kind: "injected"; address: string; label: string; rdns: string };

export type Burner = { address: string; key: `0x${string}`; label: string };

const BURNERS = "foreman.burners";
const CHOSEN = "foreman.account";

export const accountStore = makeStore<Account | null>(null);
export const burnerStore = makeStore<Burner[]>([]);

function isBurner(value: unknown): value is Burner {
  const row = value as Partial<Burner> | null;
  return !!row && isAddress(row.address ?? "") && /^0x[0-9a-f]{64}$/i.test(row.key ?? "") && typeof row.label === "string";
}

/** Read what this browser remembers: burners for all tabs, the chosen account for this tab alone. */
export function restoreAccounts(): void {
  const kept = recall("local", BURNERS);
  burnerStore.set(Array.isArray(kept) ? kept.filter(isBurner) : []);
  const chosen = (recall("session", CHOSEN) ?? recall("local", CHOSEN)) as Partial<Account> | null;
  if (!chosen || !isAddress(chosen.address ?? "")) return;
  if (chosen.kind === "burner") chooseBurner(chosen.address!);
  else if (chosen.kind === "injected" && typeof chosen.rdns === "string")
    accountStore.set({ kind: "injected", address: chosen.address!, label: String(chosen.label ?? "Wallet"), rdns: chosen.rdns });
}

export function chooseBurner(address: string): void {
  const burner = burnerStore.get().find((row) => row.address === address);
  if (burner) choose({ kind: "burner", address: burner.address, label: burner.label });
}

/** Choose for this tab, and as the first choice of tabs to come. */
export function choose(account: Account | null): void {
  accountStore.set(account);
  keep("session", CHOSEN, account);
  keep("local", CHOSEN, account);
}

export function burnerKey(address: string): `0x${string}` | null {
  return burnerStore.get().find((row) => row.address === address)?.key ?? null;
}

/** Make a burner: a fresh key kept in this browser. For development networks only; the caller checks. */
export async function makeBurner(): Promise<Burner> {
  const { generatePrivateKey, privateKeyToAccount } = await import("viem/accounts");
  const key = generatePrivateKey();
  const fresh: Burner = { address: privateKeyToAccount(key).address, key, label: nextLabel() };
  const all = [...burnerStore.get(), fresh];
  burnerStore.set(all);
  keep("local", BURNERS, all);
  return fresh;
}

const NAMES = ["Ada", "Brunel", "Curie", "Dürer", "Euler", "Franklin", "Gauss", "Hopper", "Imhotep", "Jacquard"];

/** A name is easier to tell apart than forty digits when one person plays both sides. */
function nextLabel(): string {
  const taken = new Set(burnerStore.get().map((row) => row.label));
  return NAMES.find((name) => !taken.has(name)) ?? `Burner ${taken.size + 1}`;
}
