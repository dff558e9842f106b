/** Said once, right under the head and staying there, when the network stops answering; and when nothing is configured, where to look. */
"use client";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { isUnreachable } from "@/lib/chain/errors";
import { useNetwork } from "@/lib/hooks/network";
import { useStore } from "@/lib/store";
import { liveStore } from "@/lib/transactions";

export function Outage() {
  const network = useNetwork();
  const live = useStore(liveStore, null);
  const path = usePathname();
  if (isUnreachable(network.error) || live === false)
    return (
      <Strip tone="bad">
        The network cannot be reached. This page keeps trying; nothing you see is newer than the last answer.
      </Strip>
    );
  if (network.data === null && path !== "/setup/")
    return (
      <Strip tone="warn">
        This app is not connected to a network yet. <Link href="/setup/" className="link">Set it up</Link>
      </Strip>
    );
  return null;
}

function Strip({ tone, children }: { tone: "bad" | "warn"; children: React.ReactNode }) {
  return (
    <div role="status" className={`sticky top-18 z-20 border-b ${tone === "bad" ? "bg-bad-wash" : "bg-warn-wash"}`}>
      <p className="measure py-2.5 text-small">{children}</p>
    </div>
  );
}
