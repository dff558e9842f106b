/** What was delivered: the address as inert text, the provider's note, and what exactly the leader read. */
"use client";
import { Section } from "@/components/ui/Page";
import { SafeLink } from "@/components/ui/SafeLink";
import { When } from "@/components/ui/Time";
import { Copy } from "@/components/ui/Party";
import { Notice } from "@/components/ui/Notice";
import { Untrusted } from "@/components/ui/Untrusted";
import type { Order } from "@/lib/chain/orders";
import { adviseUrl } from "@/lib/evidence";
import type { Related } from "@/lib/hooks/subject";
import { EvidenceNow } from "./EvidenceNow";

export function Delivered({ order, related }: { order: Order; related: Related }) {
  if (!order.deliverableUrl)
    return (
      <Section label="Delivered">
        <p className="text-ink-2">{order.status === "claimed" ? "Nothing yet. The provider may deliver until the deadline." : "Nothing was delivered."}</p>
      </Section>
    );
  const mapped = related.judged.flatMap((row) => row.rounds).flatMap((round) => round.seats).find((seat) => seat.mapped)?.mapped;
  return (
    <Section label="Delivered" note={<When at={order.deliveredAt} />}>
      <div className="flex flex-col gap-4">
        <p><SafeLink url={order.deliverableUrl} /></p>
        {mapped && <Notice tone="warn">On this network that name was mapped to <span className="figure">{mapped}</span>: the page came from this machine, not from the internet.</Notice>}
        {adviseUrl(order.deliverableUrl).filter((advice) => advice.tone === "warn" && !mapped).map((advice) => <Notice key={advice.sentence}>{advice.sentence}</Notice>)}
        {order.deliverableNote && (
          <div>
            <h3 className="text-small text-ink-3">The provider’s note</h3>
            <Untrusted text={order.deliverableNote} className="block" />
          </div>
        )}
        <dl className="grid gap-x-8 gap-y-2 border-t pt-4 text-small sm:grid-cols-2">
          <Fact label="Fingerprint of what the leader read">
            {order.fingerprint ? <><span className="figure">{order.fingerprint}</span> <Copy text={order.fingerprint} label="the fingerprint" /></> : "not recorded by this contract"}
          </Fact>
          <Fact label="Length">
            {order.evidenceChars ? `${order.evidenceChars.toLocaleString("en")} characters${order.truncated ? ", cut: the page is longer than the jury reads" : ", the whole page"}` : "not recorded"}
          </Fact>
        </dl>
        <EvidenceNow order={order} />
      </div>
    </Section>
  );
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-ink-3">{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
