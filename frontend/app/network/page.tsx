/** The network behind the app. */
import type { Metadata } from "next";
import { NetworkView } from "@/components/network/NetworkView";
import { PageHead } from "@/components/ui/Page";

export const metadata: Metadata = { title: "Network" };

export default function NetworkPage() {
  return (
    <>
      <PageHead title="Network" lead="Who judges, whether the books balance, and what happened last." />
      <div className="measure"><NetworkView /></div>
    </>
  );
}
