/** Reads a contract's view: arguments encoded and answers decoded by genlayer-js, so any GenLayer network understands. */
import { abi } from "genlayer-js";
import { toRlp, fromHex, toHex } from "viem";
import { ChainError } from "./errors";
import type { Decoded } from "./fields";
import { rpc } from "./rpc";
import { ZERO } from "@/lib/format/address";

export type Argument = string | number | bigint | boolean | null | Argument[];

export type View = {
  rpcUrl: string;
  address: string;
  method: string;
  args?: Argument[];
  from?: string;
  signal?: AbortSignal;
};

/** The payload envelope of a call: RLP of calldata and the leader-only mark, which is never set. */
function envelope(method: string, args: Argument[]): `0x${string}` {
  const call = abi.calldata.makeCalldataObject(method, args as never, undefined);
  return toRlp([toHex(abi.calldata.encode(call)), "0x00"]);
}

function decode(result: unknown): Decoded {
  if (typeof result !== "string" || !/^[0-9a-f]+$/i.test(result))
    throw new ChainError("bad_answer", "The node's answer is not calldata.", "Is the address a contract of this app?");
  return abi.calldata.decode(fromHex(`0x${result}`, "bytes")) as Decoded;
}

/** Call a view and decode what it returns. Throws ChainError. */
export async function view({ rpcUrl, address, method, args = [], from = ZERO, signal }: View): Promise<Decoded> {
  const call = { type: "read", to: address, from, data: envelope(method, args), transaction_hash_variant: "latest-nonfinal" };
  return decode(await rpc(rpcUrl, "gen_call", [call], signal));
}

/** Run a write up to its first judgement without sending it: the contract's own refusal before anything is signed. */
export async function rehearse(
  { rpcUrl, address, method, args = [], from = ZERO, signal }: View,
  value: bigint,
): Promise<void> {
  const call = {
    type: "write",
    to: address,
    from,
    data: envelope(method, args),
    value: toHex(value),
    transaction_hash_variant: "latest-nonfinal",
  };
  await rpc(rpcUrl, "gen_call", [call], signal);
}

/** Decode a method call's calldata: its name and arguments; null when it is none. */
export function readCall(base64: string): { method: string; args: Decoded[] } | null {
  try {
    const call = abi.calldata.decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))) as Decoded;
    if (!(call instanceof Map)) return null;
    const method = call.get("method");
    const args = call.get("args");
    return typeof method === "string" ? { method, args: Array.isArray(args) ? args : [] } : null;
  } catch {
    return null;
  }
}

export type Result = { kind: "return"; value: Decoded } | { kind: "revert" | "error"; reason: string };

/** Decode a run's result bytes: code byte and payload. null when there are none. */
export function readResult(bytes: Uint8Array): Result | null {
  if (bytes.length === 0) return null;
  const payload = bytes.subarray(1);
  if (bytes[0] === 0) {
    try {
      return { kind: "return", value: payload.length ? (abi.calldata.decode(payload) as Decoded) : null };
    } catch {
      return { kind: "error", reason: "the returned value cannot be read" };
    }
  }
  return { kind: bytes[0] === 1 ? "revert" : "error", reason: new TextDecoder().decode(payload) };
}
