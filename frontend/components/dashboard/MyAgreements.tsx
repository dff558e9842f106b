/** Agreements an account is a party of, and the credit it can take out. */
"use client";
import { AgreementRows } from "@/components/agreement/AgreementRows";
import { SendButton } from "@/components/transaction/SendButton";
import { Amount } from "@/components/ui/Amount";
import { ButtonLink } from "@/components/ui/Button";
import { Empty, Reading } from "@/components/ui/States";
import { useAgreementsPage, useCredit } from "@/lib/hooks/agreements";
import { useNetwork } from "@/lib/hooks/network";

export function MyAgreements({ who }: { who: string }) {
  const network = useNetwork().data;
  const mine = useAgreementsPage(0, who, !!network?.agreements);
  const credit = useCredit(network?.agreements ? who : null).data ?? 0n;
  if (network && !network.agreements) return <p className="text-ink-2">This network has no agreements contract set.</p>;
  return (
    <>
      {credit > 0n && network?.agreements && (
        <div className="mb-5 flex flex-wrap items-center justify-between gap-4 rounded-box border border-ok/40 bg-ok-wash px-4 py-3">
          <p><Amount wei={credit} /> of yours is ready to be taken out.</p>
          <SendButton sending={{ write: { contract: network.agreements, method: "withdraw", args: [] }, label: "Withdraw credit" }}>Withdraw</SendButton>
        </div>
      )}
      <Reading query={mine}>
        {(rows) => (rows.length ? <AgreementRows agreements={rows} /> : <Empty title="You are a party of no agreement." action={<ButtonLink href="/agreements/new/">New agreement</ButtonLink>} />)}
      </Reading>
    </>
  );
}
