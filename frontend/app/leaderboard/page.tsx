/** Providers by what they finished. */
import type { Metadata } from "next";
import { Leaderboard } from "@/components/provider/Leaderboard";
import { PageHead } from "@/components/ui/Page";

export const metadata: Metadata = { title: "Leaderboard" };

export default function LeaderboardPage() {
  return (
    <>
      <PageHead title="Leaderboard" lead="Ranked by completed orders, then by what they earned. Written by verdicts, not by anyone’s opinion." />
      <div className="measure min-h-dvh"><Leaderboard /></div>
    </>
  );
}
