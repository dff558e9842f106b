/** Drafting an agreement. */
import type { Metadata } from "next";
import { NewAgreement } from "@/components/agreement/NewAgreement";
import { PageHead } from "@/components/ui/Page";

export const metadata: Metadata = { title: "New agreement" };

export default function NewAgreementPage() {
  return (
    <>
      <PageHead title="New agreement" lead="First the parties and the places evidence may come from. Milestones and money follow on the draft’s own page; nothing is locked here." />
      <NewAgreement />
    </>
  );
}
