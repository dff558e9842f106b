/** The state of an order, a milestone or a transaction: a colour, a shape and a word, so that none is needed alone. */
const TONES = {
  open: "border-vial-deep bg-vial text-on-vial",
  busy: "border-busy/40 bg-busy-wash text-busy",
  good: "border-ok/40 bg-ok-wash text-ok",
  bad: "border-bad/40 bg-bad-wash text-bad",
  warn: "border-warn/40 bg-warn-wash text-warn",
  calm: "border-rule-2 bg-well text-ink-2",
} as const;

export type Tone = keyof typeof TONES;

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
};

export function StateTag({ state }: { state: string }) {
  const [label, tone] = KNOWN[state] ?? [state.slice(0, 30) || "Unknown", "calm"];
  return <Tag tone={tone}>{label}</Tag>;
}

export function stateLabel(state: string): string {
  return KNOWN[state]?.[0] ?? state;
}

export function Tag({ tone, children }: { tone: Tone; children: React.ReactNode }) {
  return (
    <span className={`inline-flex items-center rounded-vial border px-2.5 py-0.5 text-small font-[560] whitespace-nowrap ${TONES[tone]}`}>{children}</span>
  );
}
