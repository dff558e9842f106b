/** All agreements. */
import type { Metadata } from "next";
import { Suspense } from "react";
import { AgreementsBrowser } from "@/components/agreement/AgreementsBrowser";
import { ButtonLink } from "@/components/ui/Button";
import { PageHead } from "@/components/ui/Page";
import { Loading } from "@/components/ui/States";

export const metadata: Metadata = { title: "Agreements" };

export default function AgreementsPage() {
  return (
    <>
      <PageHead
        title="Agreements"
        lead="Longer work in milestones. The network rules on each, more strictly with every appeal; a named person decides only in a deadlock."
        actions={<ButtonLink href="/agreements/new/" weight="primary">New agreement</ButtonLink>}
      />
      <div className="measure min-h-dvh"><Suspense fallback={<Loading lines={6} />}><AgreementsBrowser /></Suspense></div>
    </>
  );
}
