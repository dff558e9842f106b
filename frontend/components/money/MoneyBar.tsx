/** Where the money is: one bar, four parts, the exact amounts beside it. */
import { Amount } from "@/components/ui/Amount";
import { GEN } from "@/lib/format/gen";
import type { Part } from "@/lib/lifecycle/money";


const LOOKS: Record<Part["kind"], string> = {
  escrow: "bg-vial text-on-vial",
  settling: "hatch text-warn bg-warn-wash",
  paid: "bg-ok",
  refunded: "bg-ink-3",
};

export function MoneyBar({ parts }: { parts: Part[] }) {
  const shown = parts.filter((part) => part.wei > 0n);
  const total = shown.reduce((sum, part) => sum + part.wei, 0n);
  const percent = (wei: bigint) => Number((wei * 1_000_000n) / (total || GEN)) / 10_000;
  return (
    <div>
      <div aria-hidden="true" className="flex h-5 gap-px overflow-hidden rounded-box border border-rule-2 bg-well">
        {shown.map((part) => (
          <span key={part.label} className={LOOKS[part.kind]} style={{ width: `${percent(part.wei)}%`, minWidth: "4px" }} />
        ))}
      </div>
      <dl className="mt-3 flex flex-col gap-1.5">
        {parts.map((part) => (
          <div key={part.label} className="flex flex-wrap items-baseline justify-between gap-x-4">
            <dt className="flex items-center gap-2 text-ink-2">
              <span aria-hidden="true" className={`size-2.5 shrink-0 rounded-tick border border-rule-2 ${LOOKS[part.kind]}`} />
              {part.label}
            </dt>
            <dd className="ml-auto text-right">
              <Amount wei={part.wei} />
              {!!part.bondsWei && <span className="block text-small text-ink-2"><Amount wei={part.bondsWei} /> of it bonds</span>}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
