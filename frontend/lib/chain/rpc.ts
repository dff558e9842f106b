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

/** A JSON-RPC error as ours. The node sends `data: {code, hint}`; a Studio sends only text. */
function fromReply(error: NonNullable<Reply["error"]>): ChainError {
  const data = error.data && typeof error.data === "object" ? (error.data as Record<string, unknown>) : {};
  const code = typeof data.code === "string" ? data.code : error.code;
  const hint = typeof data.hint === "string" ? data.hint : "";
  const reason = revertReason(error.message, data);
  if (reason !== null) return new ChainError("reverted", reason, hint, code);
  if (error.code === -32001) return new ChainError("not_found", error.message, hint, code);
  if (code === "insufficient_funds") return new ChainError("insufficient", error.message, hint, code);
  return new ChainError("refused", error.message, hint, code);
}

/** What the contract said, when this error is a contract's revert; else null. */
function revertReason(message: string, data: Record<string, unknown>): string | null {
  if (data.code === "reverted" || data.code === "execution_failed") return message;
  const receipt = data.receipt as { result?: unknown } | undefined;
  if (receipt && typeof receipt.result === "string") {
    try {
      const bytes = Uint8Array.from(atob(receipt.result), (char) => char.charCodeAt(0));
      if (bytes[0] === 1 || bytes[0] === 2) return new TextDecoder().decode(bytes.subarray(1));
    } catch {
      return message; // not base64: the message is all there is
    }
  }
  return null;
}
