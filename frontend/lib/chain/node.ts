/** What this repository's node tells beyond the methods every GenLayer network has: seats, books, time, the faucet, evidence. */
import type { Network } from "./config";
import { rpc } from "./rpc";
import { getTransaction, type Transaction } from "./transactions";

export type SeatInfo = { seat: number; address: string; judge: string };
export type Change = { seq: number; hash: string; status: string; at: number };
export type Books = { mintedWei: bigint; balancesWei: bigint; reservedWei: bigint; inFlightWei: bigint; conserved: boolean };

export async function getSeats(network: Network, signal?: AbortSignal): Promise<SeatInfo[]> {
  const rows = await rpc(network.rpcUrl, "foreman_getSeats", [], signal);
  return Array.isArray(rows)
    ? (rows as Record<string, unknown>[]).map((row, at) => ({
        seat: Number(row.seat ?? row.number ?? at),
        address: String(row.address ?? ""),
        judge: String(row.judge ?? ""),
      }))
    : [];
}

/** The newest transactions that changed their status, each once, the newest first. */
export async function getLatest(network: Network, count: number, signal?: AbortSignal): Promise<Transaction[]> {
  const head = (await rpc(network.rpcUrl, "foreman_getJournal", [0, 1], signal)) as { last: number };
  const span = 4 * count; // a transaction changes its status two to four times
  const page = (await rpc(network.rpcUrl, "foreman_getJournal", [Math.max(0, head.last - span), span], signal)) as { changes: Change[] };
  const hashes = [...new Set(page.changes.map((change) => change.hash).reverse())].slice(0, count);
  return Promise.all(hashes.map((hash) => getTransaction(network, hash, signal)));
}

/** What no other chain shares: the first line of the node's journal. Empty where none is told. */
export async function getBirth(network: Network, signal?: AbortSignal): Promise<string> {
  if (!network.node) return "";
  const told = (await rpc(network.rpcUrl, "foreman_getJournal", [0, 1], signal)) as { changes?: Change[] } | null;
  const first = told?.changes?.[0];
  return first ? `${first.hash} ${first.at}` : "";
}

export async function getBooks(network: Network, signal?: AbortSignal): Promise<Books> {
  const row = (await rpc(network.rpcUrl, "foreman_getBooks", [], signal)) as Record<string, string | boolean>;
  const wei = (key: string) => BigInt(String(row[key] ?? 0));
  return {
    mintedWei: wei("minted_wei"),
    balancesWei: wei("balances_wei"),
    reservedWei: wei("reserved_wei"),
    inFlightWei: wei("in_flight_wei"),
    conserved: row.conserved === true,
  };
}

export async function getBalance(network: Network, address: string, signal?: AbortSignal): Promise<bigint> {
  return BigInt(String(await rpc(network.rpcUrl, "eth_getBalance", [address, "latest"], signal)));
}

export async function getHeight(network: Network, signal?: AbortSignal): Promise<number> {
  return Number(await rpc(network.rpcUrl, "eth_blockNumber", [], signal));
}

/** The network's clock in seconds. A development network may have turned it; others keep the world's. */
export async function getNow(network: Network, signal?: AbortSignal): Promise<number> {
  if (!network.dev) return Math.floor(Date.now() / 1000);
  const told = (await rpc(network.rpcUrl, "sim_getTime", [], signal)) as { timestamp: number };
  return told.timestamp;
}

/** Development networks only: mint for an account; the hash of the transaction. */
export async function fund(network: Network, address: string, wei: bigint): Promise<string> {
  return String(await rpc(network.rpcUrl, "sim_fundAccount", [address, `0x${wei.toString(16)}`]));
}

/** Development networks only: turn the clock forward. */
export async function travel(network: Network, seconds: number): Promise<void> {
  await rpc(network.rpcUrl, "sim_increaseTime", [seconds]);
}
