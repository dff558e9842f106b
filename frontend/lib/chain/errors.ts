/** Everything that can go wrong between this page and the network, each with a sentence and what to do next. */

export type Kind =
  | "unreachable"
  | "refused"
  | "reverted"
  | "rejected"
  | "wrong_chain"
  | "no_wallet"
  | "insufficient"
  | "not_found"
  | "bad_answer";

export class ChainError extends Error {
  override readonly name = "ChainError";
  constructor(
    readonly kind: Kind,
    readonly sentence: string,
    readonly hint = "",
    readonly code: string | number = kind,
  ) {
    super(hint ? `${sentence} (${hint})` : sentence);
  }
}

export type Explained = { title: string; sentence: string; hint: string };

const TITLES: Record<Kind, string> = {
  unreachable: "The network cannot be reached",
  refused: "The network did not take this",
  reverted: "The contract says no",
  rejected: "You declined in your wallet",
  wrong_chain: "Your wallet is on another network",
  no_wallet: "No account is connected",
  insufficient: "Not enough GEN",
  not_found: "There is nothing here",
  bad_answer: "The network answered something this page does not understand",
};

/** Any thrown value in plain words. Never a stack, never `[object Object]`. */
export function explain(error: unknown): Explained {
  if (error instanceof ChainError) return { title: TITLES[error.kind], sentence: error.sentence, hint: error.hint };
  const known = fromWallet(error);
  if (known) return explain(known);
  return { title: "Something went wrong", sentence: messageOf(error), hint: "Try again; nothing was lost." };
}

/** The errors wallets and their libraries throw (EIP-1193 numbers), as ours; null when it is none of them. */
export function fromWallet(error: unknown): ChainError | null {
  for (let at = error; at && typeof at === "object"; at = (at as { cause?: unknown }).cause) {
    const { code } = at as { code?: unknown };
    if (code === 4001 || code === "ACTION_REJECTED")
      return new ChainError("rejected", "The request was declined, so nothing was sent.", "Your form is as you left it.", 4001);
    if (code === 4902) return new ChainError("wrong_chain", "Your wallet does not know this network yet.", "Add it first.", 4902);
    if (code === -32002)
      return new ChainError("rejected", "Your wallet already has a request open.", "Open the wallet and answer it there.", -32002);
  }
  const text = messageOf(error);
  if (/insufficient[_ ]funds|exceeds the balance/i.test(text))
    return new ChainError("insufficient", "This account does not hold enough GEN for the amount.", "Use a smaller amount or fund the account.");
  if (/failed to fetch|networkerror|load failed|http request failed/i.test(text)) return unreachable();
  return null;
}

export function unreachable(): ChainError {
  return new ChainError(
    "unreachable",
    "No answer came from the node.",
    "If it runs on this machine, start it with `make up`. This page keeps trying.",
  );
}

export function isUnreachable(error: unknown): boolean {
  return error instanceof ChainError && error.kind === "unreachable";
}

/** The network answered that it does not know it. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ChainError && error.kind === "not_found";
}

export function messageOf(error: unknown): string {
  if (typeof error === "string") return error;
  if (error && typeof error === "object") {
    const { details, shortMessage, message } = error as Record<string, unknown>;
    for (const text of [details, shortMessage, message]) if (typeof text === "string" && text) return text;
  }
  return "No reason was given.";
}
