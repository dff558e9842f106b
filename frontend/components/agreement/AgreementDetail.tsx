/** One agreement: its parties and terms, and each milestone with its fate. */
"use client";
import { useSearchParams } from "next/navigation";
import { ButtonLink } from "@/components/ui/Button";
import { Amount } from "@/components/ui/Amount";
import { PageHead, Section } from "@/components/ui/Page";
import { Party } from "@/components/ui/Party";
import { Empty, Failure, Loading, Reading } from "@/components/ui/States";
import { StateTag } from "@/components/ui/Tag";
import { UntrustedLine } from "@/components/ui/Untrusted";
import type { Agreement } from "@/lib/chain/agreements";
import { ChainError } from "@/lib/chain/errors";
import { useAgreement, useMilestones } from "@/lib/hooks/agreements";
import { DraftDesk } from "./DraftDesk";
import { MilestoneView } from "./MilestoneView";

export function AgreementDetail() {
  const text = useSearchParams().get("id") ?? "";
  const id = /^[1-9][0-9]{0,9}$/.test(text) ? Number(text) : null;
  const query = useAgreement(id);
  if (id === null || (query.error instanceof ChainError && query.error.kind === "reverted"))
    return (
      <div className="measure py-12">
        <h1 className="sr-only">Agreement not found</h1>
        <Empty title={text ? `There is no agreement ${text.slice(0, 20)}.` : "No agreement was named."} action={<ButtonLink href="/agreements/">All agreements</ButtonLink>}>
          Agreements are numbered from 1.
        </Empty>
      </div>
    );
  if (query.data) return <Story agreement={query.data} />;
  return <div className="measure py-12">{query.error ? <Failure error={query.error} onRetry={() => void query.refetch()} /> : <Loading lines={8} label="Reading the agreement" />}</div>;
}

function Story({ agreement }: { agreement: Agreement }) {
  const milestones = useMilestones(agreement.id, agreement.milestoneCount);
  return (
    <>
      <PageHead
        over={<><span className="text-ink">Agreement {agreement.id}</span> <StateTag state={agreement.state} /></>}
        title={<UntrustedLine text={agreement.title} />}
        lead={
          <span className="flex flex-wrap gap-x-6 gap-y-1 text-base">
            <Fact label="Payer"><Party address={agreement.payer} /></Fact>
            <Fact label="Provider"><Party address={agreement.provider} /></Fact>
            <Fact label="Arbiter"><Party address={agreement.arbiter} /></Fact>
            <Fact label="In escrow"><Amount wei={agreement.escrowedWei} /></Fact>
          </span>
        }
      />
      <div className="measure">
        <Terms agreement={agreement} />
        {agreement.state === "draft" && <Section label="Draft" note="not funded yet">{milestones.data ? <DraftDesk agreement={agreement} milestones={milestones.data} /> : <Loading />}</Section>}
        <Reading query={milestones} lines={5}>
          {(rows) => (
            <>
              {rows.length === 0 && <Section label="Milestones"><p className="text-ink-2">There is none yet.</p></Section>}
              {rows.map((milestone) => <MilestoneView key={milestone.index} agreement={agreement} milestone={milestone} />)}
            </>
          )}
        </Reading>
      </div>
    </>
  );
}

function Terms({ agreement }: { agreement: Agreement }) {
  return (
    <Section label="Terms" note="fixed when it was drafted">
      <p className="mb-2">Evidence may only come from, or from below:</p>
      <ul className="mb-4 flex flex-wrap gap-1.5">
        {agreement.domains.map((domain) => <li key={domain} className="figure rounded-box border border-rule-2 bg-sheet px-2.5 py-0.5 text-small">{domain}</li>)}
      </ul>
      <p className="max-w-read text-ink-2">
        The payer chose these places and the arbiter. By submitting evidence the provider says yes to both. The arbiter can act in a deadlock and nowhere else.
      </p>
    </Section>
  );
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <span className="inline-flex items-baseline gap-2">
      <span className="text-small text-ink-3">{label}</span>
      <span>{children}</span>
    </span>
  );
}
