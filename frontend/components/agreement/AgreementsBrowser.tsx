/** All agreements, newest first, a page at a time. */
"use client";
import { useSearchParams } from "next/navigation";
import { ButtonLink } from "@/components/ui/Button";
import { Pager } from "@/components/ui/Pager";
import { Empty, Reading } from "@/components/ui/States";
import { goWithin } from "@/components/ui/WithinLink";
import { useAgreementsPage } from "@/lib/hooks/agreements";
import { PAGE } from "@/lib/hooks/orders";
import { AgreementRows } from "./AgreementRows";

export function AgreementsBrowser() {
  const page = Math.max(0, Math.trunc(Number(useSearchParams().get("page")) || 0));
  const query = useAgreementsPage(page);
  return (
    <Reading query={query} lines={6}>
      {(rows) =>
        rows.length === 0 ? (
          <Empty title={page ? `There is no page ${page + 1} of agreements.` : "No agreement has been drafted yet."} action={<ButtonLink href="/agreements/new/" weight="primary">New agreement</ButtonLink>}>
            An agreement has milestones, each with its own money and criteria, and a person who can decide when the network cannot.
          </Empty>
        ) : (
          <>
            <AgreementRows agreements={rows} />
            <Pager page={page} more={rows.length === PAGE} onPage={(next) => goWithin(next ? `/agreements/?page=${next}` : "/agreements/")} />
          </>
        )
      }
    </Reading>
  );
}
