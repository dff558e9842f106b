/** Which network this is, and whether it answers. */
"use client";
import Link from "next/link";
import { isUnreachable } from "@/lib/chain/errors";
import { useNetwork } from "@/lib/hooks/network";
import { useStore } from "@/lib/store";
import { liveStore } from "@/lib/transactions";

export function NetworkChip() {
  const network = useNetwork();
  const live = useStore(liveStore, null);
  const down = isUnreachable(network.error) || live === false;
  const name = network.data?.name ?? (network.isPending ? "looking" : down ? "no network" : "not set up");
  return (
    <Link href="/network/" className="tick hidden items-center gap-2 rounded-box px-2.5 py-2 text-ink-2 hover:bg-well sm:flex">
      <span aria-hidden="true" className={`size-2 rounded-vial ${down ? "bg-bad" : network.data ? "bg-ok" : "bg-rule-2"}`} />
      <span className="sr-only">Network: </span>
      {name}
      <span className="sr-only">{down ? ", not reachable" : ""}</span>
    </Link>
  );
}
