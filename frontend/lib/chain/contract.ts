/** Calls of a contract that change nothing: views, and writes that are tried but not sent. */
import { decode, encodeCall, envelope, fromBase64, fromHex, type Argument } from "./calldata";
import { ChainError } from "./errors";
import type { Decoded } from "./fields";
import { rpc } from "./rpc";
import { ZERO } from "@/lib/format/address";

export type { Argument } from "./calldata";

export type View = {
  rpcUrl: string;
  address: string;
  method: string;
  args?: Argument[];
  from?: string;
  signal?: AbortSignal;
};

/** Call a view and decode what it returns. Throws ChainError. */
export async function view({ rpcUrl, address, method, args = [], from = ZERO, signal }: View): Promise<Decoded> {
  const data = envelope(encodeCall(method, args));
  const call = { type: "read", to: address, from, data, transaction_hash_variant: "latest-nonfinal" };
  const answer = await rpc(rpcUrl, "gen_call", [call], signal);
  const hex = typeof answer === "object" && answer !== null && "data" in answer ? answer.data : answer;
  try {
    if (typeof hex === "string" && /^(?:[0-9a-f]{2})+$/i.test(hex)) return decode(fromHex(hex));
  } catch {
    // told below: not calldata
  }
  throw new ChainError("bad_answer", "The node's answer is not calldata.", "Is the address a contract of this app?");
}

/** Run a write up to its first judgement without sending it: the contract's own refusal before anything is signed. */
export async function rehearse({ rpcUrl, address, method, args = [], from = ZERO, signal }: View, value: bigint): Promise<void> {
  const call = {
    type: "write",
    to: address,
    from,
    data: envelope(encodeCall(method, args)),
    value: `0x${value.toString(16)}`,
    transaction_hash_variant: "latest-nonfinal",
  };
  await rpc(rpcUrl, "gen_call", [call], signal);
}

/** A method call's name and arguments, from base64 calldata; null when it is none. */
export function readCall(base64: string): { method: string; args: Decoded[] } | null {
  try {
    const call = decode(fromBase64(base64));
    if (!(call instanceof Map)) return null;
    const method = call.get("method");
    const args = call.get("args");
    return typeof method === "string" ? { method, args: Array.isArray(args) ? args : [] } : null;
  } catch {
    return null;
  }
}

export type Result = { kind: "return"; value: Decoded } | { kind: "revert" | "error"; reason: string };

/** A run's result from its base64 bytes: code byte and payload. null when there are none. */
export function readResult(base64: string): Result | null {
  const bytes = fromBase64(base64);
  if (bytes.length === 0) return null;
  const payload = bytes.subarray(1);
  if (bytes[0] === 0) {
    try {
      return { kind: "return", value: payload.length ? decode(payload) : null };
    } catch {
      return { kind: "error", reason: "the returned value cannot be read" };
    }
  }
  return { kind: bytes[0] === 1 ? "revert" : "error", reason: new TextDecoder().decode(payload) };
}
