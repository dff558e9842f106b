/** The names of states as people read them, and the tone each is told in. */
export type Tone = "open" | "busy" | "good" | "bad" | "warn" | "calm";

const KNOWN: Record<string, [string, Tone]> = {
  open: ["Open", "open"],
  claimed: ["Claimed", "busy"],
  completed: ["Completed", "good"],
  rejected: ["Rejected", "bad"],
  cancelled: ["Cancelled", "calm"],
  expired: ["Expired", "calm"],
  draft: ["Draft", "calm"],
  active: ["Active", "busy"],
  closed: ["Closed", "calm"],
  awaiting_evidence: ["Awaiting evidence", "open"],
  under_review: ["Under review", "busy"],
  ruled: ["Ruled", "warn"],
  released: ["Released", "good"],
  refunded: ["Refunded", "bad"],
  deadlocked: ["Deadlocked", "warn"],
  abandoned: ["Abandoned", "calm"],
  none: ["Not yet", "calm"],
  waiting: ["In the queue", "busy"],
  judging: ["Being judged", "busy"],
  settling: ["Settling", "warn"],
  final: ["Final", "good"],
  failed: ["Failed", "bad"],
  undetermined: ["No agreement", "bad"],
  canceled: ["Taken back", "calm"],
  gone: ["Not known any more", "warn"],
};

export function stateLabel(state: string): string {
  return KNOWN[state]?.[0] ?? (state.slice(0, 30) || "Unknown");
}

export function stateTone(state: string): Tone {
  return KNOWN[state]?.[1] ?? "calm";
}
