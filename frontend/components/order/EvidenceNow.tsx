/** Is the page still what the leader read? Asked only when somebody wants to know; told as same, changed or gone. */
"use client";
import { useMutation } from "@tanstack/react-query";
import { Button } from "@/components/ui/Button";
import { Notice } from "@/components/ui/Notice";
import { Failure } from "@/components/ui/States";
import { Untrusted } from "@/components/ui/Untrusted";
import { readEvidence, type Evidence } from "@/lib/chain/evidence";
import type { Order } from "@/lib/chain/orders";
import { useNetwork } from "@/lib/hooks/network";

export function EvidenceNow({ order }: { order: Order }) {
  const network = useNetwork().data ?? null;
  const check = useMutation({ networkMode: "always", mutationFn: () => readEvidence(network!, order.deliverableUrl) });
  return (
    <div>
      <Button size="small" disabled={!network || check.isPending} onClick={() => check.mutate()}>
        {check.isPending ? "Reading the page…" : "Compare with the page now"}
      </Button>
      <div role="status" className="mt-3 empty:hidden">{check.error ? <Failure error={check.error} /> : check.data && <Finding order={order} now={check.data} />}</div>
    </div>
  );
}

function Finding({ order, now }: { order: Order; now: Evidence }) {
  if (now.kind === "unreadable")
    return (
      <Notice>
        {now.reason} On the command line, <code>foreman order verify {order.id}</code> compares it.
      </Notice>
    );
  if (now.kind === "gone") return <Notice tone="bad"><strong className="font-[560]">Gone.</strong> <Untrusted text={now.reason.charAt(0).toUpperCase() + now.reason.slice(1)} /></Notice>;
  const reads = `The page now reads as ${now.fingerprint}, with ${now.chars.toLocaleString("en")} characters.`;
  return (
    <div className="flex flex-col gap-3">
      {!order.fingerprint ? (
        <Notice>{reads} This contract recorded no fingerprint, so nothing can be compared.</Notice>
      ) : now.fingerprint === order.fingerprint ? (
        <Notice tone="good"><strong className="font-[560]">Same.</strong> The page shows exactly what the leader read.</Notice>
      ) : (
        <Notice tone="warn"><strong className="font-[560]">Changed.</strong> {reads}</Notice>
      )}
      <details className="text-small">
        <summary className="text-ink-2 hover:text-ink">The text as the jury would read it now</summary>
        <div className="mt-2 max-h-80 overflow-y-auto rounded-box border bg-sheet p-3" tabIndex={0} role="region" aria-label="The text of the page"><Untrusted text={now.text} className="figure text-[0.9em]" /></div>
      </details>
    </div>
  );
}
