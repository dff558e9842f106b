/** Agreements as rows. */
"use client";
import Link from "next/link";
import { Amount } from "@/components/ui/Amount";
import { Party } from "@/components/ui/Party";
import { StateTag } from "@/components/ui/Tag";
import { UntrustedLine } from "@/components/ui/Untrusted";
import type { Agreement } from "@/lib/chain/agreements";
import { plural } from "@/lib/format/text";

export function AgreementRows({ agreements }: { agreements: Agreement[] }) {
  return (
    <ol className="border-t">
      {agreements.map((agreement) => (
        <li key={agreement.id} className="relative grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4 gap-y-2 border-b py-4 hover:bg-well/60 md:grid-cols-[3.5rem_minmax(0,1fr)_7rem_9rem_8rem] md:items-center md:px-2">
          <span className="figure hidden text-ink-3 md:block" aria-hidden="true">{agreement.id}</span>
          <div className="min-w-0 max-md:contents">
            <Link href={`/agreements/detail/?id=${agreement.id}`} className="line-clamp-2 font-[560] after:absolute after:inset-0 md:line-clamp-1">
              <span className="sr-only">Agreement {agreement.id}: </span>
              <UntrustedLine text={agreement.title} />
            </Link>
            <div className="flex flex-wrap gap-x-3 text-small text-ink-2 max-md:col-span-2 max-md:row-start-2 md:mt-0.5">
              <span>from <Party address={agreement.payer} link={false} /></span>
              <span>to <Party address={agreement.provider} link={false} /></span>
            </div>
          </div>
          <div className="justify-self-end max-md:col-start-2 max-md:row-start-1 md:justify-self-start"><StateTag state={agreement.state} /></div>
          <div className="md:text-right"><Amount wei={agreement.escrowedWei} short /></div>
          <div className="justify-self-end text-small text-ink-2">{plural(agreement.milestoneCount, "milestone")}</div>
        </li>
      ))}
    </ol>
  );
}
