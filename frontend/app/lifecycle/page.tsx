/** Every scenario of both contracts, played against the table that the contract tests run. */
import type { Metadata } from "next";
import { Player } from "@/components/lifecycle/Player";
import { TransitionTable } from "@/components/lifecycle/Table";
import { PageHead, Section } from "@/components/ui/Page";

export const metadata: Metadata = { title: "Lifecycle" };

export default function LifecyclePage() {
  return (
    <>
      <PageHead title="Lifecycle" lead="Every way an order or a milestone can go. The steps are checked against the transition table below, the same data that the contracts are tested with." />
      <Player />
      <div className="measure mt-12">
        <Section label="Orders" note="the whole table"><TransitionTable name="foreman" caption="Transitions of an order" /></Section>
        <Section label="Milestones" note="the whole table"><TransitionTable name="verdict_escrow" caption="Transitions of a milestone" /></Section>
      </div>
    </>
  );
}
