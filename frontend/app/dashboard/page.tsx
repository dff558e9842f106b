/** One account's desk. */
import type { Metadata } from "next";
import { Dashboard } from "@/components/dashboard/Dashboard";
import { PageHead } from "@/components/ui/Page";

export const metadata: Metadata = { title: "Dashboard" };

export default function DashboardPage() {
  return (
    <>
      <PageHead title="Dashboard" lead="What you ordered, what you promised, and what waits for you." />
      <div className="measure"><Dashboard /></div>
    </>
  );
}
