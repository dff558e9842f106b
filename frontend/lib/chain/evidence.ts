/** Reading an evidence page again, the way a seat would: through the node, which has the guarded fetcher; else from this browser. */
import { cleaned } from "@/lib/format/text";
import { toHex } from "./calldata";
import type { Network } from "./config";
import { ChainError } from "./errors";
import { rpc } from "./rpc";

export type Evidence =
  | { kind: "read"; text: string; fingerprint: string; chars: number; truncated: boolean }
  | { kind: "gone"; reason: string }
  | { kind: "unreadable"; reason: string };

/** What a node says that reads no pages for others: it was told not to, or it is older than the method. */
const NOT_OFFERED = new Set<string | number>(["not_offered", "unknown_method", -32601]);

const MAX_EVIDENCE_CHARS = 15_000;

export async function readEvidence(network: Network, url: string): Promise<Evidence> {
  if (network.node) {
    try {
      return fromNode((await rpc(network.rpcUrl, "foreman_readEvidence", [url])) as Record<string, unknown>);
    } catch (error) {
      if (!(error instanceof ChainError) || !NOT_OFFERED.has(error.code)) throw error;
    }
  }
  return fromBrowser(url);
}

function fromNode(row: Record<string, unknown>): Evidence {
  if (typeof row.fingerprint !== "string") return { kind: "gone", reason: String(row.reason ?? "The page cannot be read.") };
  return { kind: "read", text: String(row.text ?? ""), fingerprint: row.fingerprint, chars: Number(row.chars), truncated: row.truncated === true };
}

/** A browser may read only pages that allow it, and HTML it would reduce in its own way: plain text and JSON are compared. */
async function fromBrowser(url: string): Promise<Evidence> {
  let answer: Response;
  try {
    answer = await fetch(url, { credentials: "omit", referrerPolicy: "no-referrer", signal: AbortSignal.timeout(20_000) });
  } catch {
    return { kind: "unreadable", reason: "That site does not let this browser read it, or it is gone." };
  }
  if (!answer.ok) return { kind: "gone", reason: `The page answered ${answer.status}.` };
  if (/html/i.test(answer.headers.get("content-type") ?? "")) return { kind: "unreadable", reason: "It is an HTML page, which the jury reads through its own reader." };
  const whole = cleaned(await answer.text()).trim();
  const text = Array.from(whole).slice(0, MAX_EVIDENCE_CHARS).join("");
  return { kind: "read", text, fingerprint: await fingerprint(text), chars: Array.from(text).length, truncated: text.length < whole.length };
}

/** The first 16 hex digits of SHA-256 over the UTF-8 of the text shown to the judge. */
export async function fingerprint(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return toHex(new Uint8Array(digest)).slice(0, 16);
}
