/** The state of an order, a milestone or a transaction: a colour and a word, so that neither is needed alone. */
import { stateLabel, stateTone, type Tone } from "@/lib/lifecycle/labels";

const TONES: Record<Tone, string> = {
  open: "border-vial-deep bg-vial text-on-vial",
  busy: "border-busy/40 bg-busy-wash text-busy",
  good: "border-ok/40 bg-ok-wash text-ok",
  bad: "border-bad/40 bg-bad-wash text-bad",
  warn: "border-warn/40 bg-warn-wash text-warn",
  calm: "border-rule-2 bg-well text-ink-2",
};

export function StateTag({ state }: { state: string }) {
  return <Tag tone={stateTone(state)}>{stateLabel(state)}</Tag>;
}

export function Tag({ tone, children }: { tone: Tone; children: React.ReactNode }) {
  return <span className={`inline-flex items-center justify-self-start rounded-vial font-sans border px-2.5 py-0.5 text-small font-[560] whitespace-nowrap ${TONES[tone]}`}>{children}</span>;
}
