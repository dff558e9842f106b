/** What happened, oldest first, by whom. */
"use client";
import type { Moment } from "@/lib/chain/orders";
import { isNobody } from "@/lib/format/address";
import { Party } from "./Party";
import { When } from "./Time";
import { Untrusted } from "./Untrusted";

export function Timeline({ moments }: { moments: Moment[] }) {
  if (moments.length === 0) return <p className="text-ink-2">This contract keeps no timeline.</p>;
  return (
    <ol>
      {moments.map((moment, at) => (
        <li key={at} className="relative grid grid-cols-[1rem_minmax(0,1fr)] gap-x-3 pb-5 last:pb-0">
          <span aria-hidden="true" className="relative flex justify-center">
            {at < moments.length - 1 && <span className="absolute top-3 -bottom-5 w-px bg-rule-2" />}
            <span className={`mt-[0.45rem] size-2.5 rounded-vial border ${at === moments.length - 1 ? "border-on-vial bg-vial" : "border-rule-2 bg-sheet"}`} />
          </span>
          <div className="min-w-0">
            <div className="flex flex-wrap items-baseline gap-x-3">
              <span className="font-[560]">{words(moment.event)}</span>
              <span className="text-small text-ink-2"><When at={moment.t} /></span>
              {!isNobody(moment.actor) && <span className="text-small">by <Party address={moment.actor} /></span>}
            </div>
            {moment.detail && <Untrusted text={moment.detail} className="block text-small text-ink-2" />}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** `appeal_failed` as people say it. */
function words(event: string): string {
  const text = event.replaceAll("_", " ").slice(0, 60);
  return text.charAt(0).toUpperCase() + text.slice(1);
}
