/** One JSON-RPC question to the node. The only place in the app that opens a connection for reading. */
import { ChainError, unreachable } from "./errors";

const PATIENCE_MS = 20_000;

type Reply = { result?: unknown; error?: { code: number; message: string; data?: unknown } };

let nextId = 1;

/** Ask and return the result. Throws ChainError: unreachable, reverted, not_found or refused. */
export async function rpc(url: string, method: string, params: unknown[], signal?: AbortSignal): Promise<unknown> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  let reply: Reply;
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: nextId++, method, params }),
      signal: signal ? AbortSignal.any([signal, patience]) : patience,
    });
    if (answer.status === 403)
      throw new ChainError("refused", "The node does not answer to this web page.", "Start it with --allow-origin for this address.", 403);
    reply = (await answer.json()) as Reply;
  } catch (error) {
    if (error instanceof ChainError || signal?.aborted) throw error;
    throw unreachable();
  }
  if (reply.error) throw fromReply(reply.error);
  return reply.result ?? null;
}

/** A JSON-RPC error as ours. The node sends `data: {code, hint, receipt}`; a Studio sends text and a receipt. */
function fromReply(error: NonNullable<Reply["error"]>): ChainError {
  const data = error.data && typeof error.data === "object" ? (error.data as Record<string, unknown>) : {};
  const code = typeof data.code === "string" ? data.code : error.code;
  const hint = typeof data.hint === "string" ? data.hint : "";
  const sentence = hint && error.message.endsWith(` (${hint})`) ? error.message.slice(0, -hint.length - 3) : error.message;
  const reason = revertReason(data);
  if (reason !== null) return new ChainError("reverted", reason, hint, code);
  if (code === "execution_reverted") return new ChainError("reverted", sentence.replace(/^execution reverted: /, ""), hint, code);
  if (error.code === -32001) return new ChainError("not_found", sentence, hint, code);
  if (code === "insufficient_funds") return new ChainError("insufficient", sentence, hint, code);
  return new ChainError("refused", sentence, hint, code);
}

/** What the contract said, when this error carries the receipt of a run that failed; else null. */
function revertReason(data: Record<string, unknown>): string | null {
  const receipt = data.receipt as { result?: unknown } | undefined;
  if (!receipt || typeof receipt.result !== "string") return null;
  try {
    const bytes = Uint8Array.from(atob(receipt.result), (char) => char.charCodeAt(0));
    return bytes[0] === 1 || bytes[0] === 2 ? new TextDecoder().decode(bytes.subarray(1)) : null;
  } catch {
    return null; // not base64: the message is all there is
  }
}
