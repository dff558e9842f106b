/** A remark beside the content: advice, a warning, good news. */
const TONES = {
  note: "border-rule-2 bg-well text-ink-2",
  warn: "border-warn/40 bg-warn-wash text-ink",
  good: "border-ok/40 bg-ok-wash text-ink",
  bad: "border-bad/40 bg-bad-wash text-ink",
} as const;

export function Notice({ tone = "note", children }: { tone?: keyof typeof TONES; children: React.ReactNode }) {
  return <div className={`rounded-box border px-4 py-3 text-small ${TONES[tone]}`}>{children}</div>;
}
