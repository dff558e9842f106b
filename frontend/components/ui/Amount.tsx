/** An amount of GEN: the digits set for reading, the exact number always at hand. */
import { displayGen, formatGen, shortGen } from "@/lib/format/gen";

const ONE_LINE = 12; // characters that fit beside a label on the smallest screens; longer ones wrap, the unit first

export function Amount({ wei, short = false, unit = true, className = "" }: { wei: bigint; short?: boolean; unit?: boolean; className?: string }) {
  const digits = short ? shortGen(wei) : displayGen(wei);
  const long = digits.length > ONE_LINE;
  return (
    <data value={formatGen(wei)} title={`${formatGen(wei)} GEN`} className={`${long ? "" : "whitespace-nowrap"} ${className}`}>
      <span className={`figure ${long ? "inline-block max-w-full [overflow-wrap:anywhere]" : ""}`}>{digits}</span>
      {unit && <>{long ? " " : "\u00a0"}<span className="ml-0.5 whitespace-nowrap text-[0.82em] text-ink-3">GEN</span></>}
    </data>
  );
}

/** One number with its name under it. */
export function Figure({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-col-reverse gap-1.5">
      <dt className="text-small text-ink-2">{label}</dt>
      <dd className="figure text-figure">{children}</dd>
    </div>
  );
}
