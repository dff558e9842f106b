/** One milestone: what was agreed, what was delivered, every ruling, the bonds, and what may be done now. */
"use client";
import { Found } from "@/components/order/Asked";
import { MoneyBar } from "@/components/money/MoneyBar";
import { Amount } from "@/components/ui/Amount";
import { Section, Sheet } from "@/components/ui/Page";
import { SafeLink } from "@/components/ui/SafeLink";
import { StateTag } from "@/components/ui/Tag";
import { Countdown } from "@/components/ui/Time";
import { Timeline } from "@/components/ui/Timeline";
import { Untrusted, UntrustedLine } from "@/components/ui/Untrusted";
import type { Agreement, Milestone } from "@/lib/chain/agreements";
import { HOUR } from "@/lib/format/time";
import { LiveJury } from "@/components/transaction/LiveJury";
import { Rounds } from "@/components/verdict/Rounds";
import { useRulings } from "@/lib/hooks/agreements";
import { useMilestoneJudgements } from "@/lib/hooks/subject";
import { ARBITER_HOURS, WINDOW_HOURS } from "@/lib/lifecycle/limits";
import { milestoneMoney } from "@/lib/lifecycle/money";
import { MilestoneActions } from "./MilestoneActions";
import { Rulings } from "./Rulings";

export function MilestoneView({ agreement, milestone }: { agreement: Agreement; milestone: Milestone }) {
  const rulings = useRulings(agreement.id, milestone.index, milestone.verdict !== "").data ?? [];
  const judgements = useMilestoneJudgements(agreement, milestone.index);
  const last = rulings.at(-1);
  const over = milestone.state === "released" || milestone.state === "refunded";
  return (
    <Section label={`Milestone ${milestone.index}`} id={`milestone-${milestone.index}`} note={<StateTag state={milestone.state} />}>
      <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="min-w-0">
          <h3 className="text-lead"><UntrustedLine text={milestone.title} /></h3>
          <p className="mt-1 flex flex-wrap gap-x-5 text-small text-ink-2">
            <Amount wei={milestone.amountWei} />
            <span>attempt {Math.max(1, milestone.submissions)} of 3</span>
            <Clock milestone={milestone} />
          </p>
          <ol className="mt-4 border-t">
            {milestone.criteria.map((criterion, at) => (
              <li key={at} className="grid grid-cols-[2.5rem_minmax(0,1fr)_auto] gap-x-3 border-b py-2">
                <span className="figure text-ink-3">{at}</span>
                <Untrusted text={criterion} />
                {last && last.verdict !== "INSUFFICIENT_EVIDENCE" && <Found met={!last.unmet.includes(at)} />}
              </li>
            ))}
          </ol>
          {milestone.claim && <Claim milestone={milestone} />}
          <Rulings rulings={rulings} criteria={milestone.criteria} judgements={judgements.ok} />
          {judgements.busy.map((row) => (
            <div key={row.hash} className="mt-6 flex flex-col gap-3">
              <p className="font-[560]">In front of the jury</p>
              <LiveJury hash={row.hash} />
            </div>
          ))}
          {judgements.failed.map((row) => <Rounds key={row.hash} transaction={row} title="A review that decided nothing" />)}
          <details className="mt-6">
            <summary className="text-small text-ink-2 hover:text-ink">Timeline</summary>
            <div className="mt-4"><Timeline moments={milestone.timeline} /></div>
          </details>
        </div>
        <aside className="flex flex-col gap-4" aria-label={`Money and actions of milestone ${milestone.index}`}>
          {agreement.state !== "draft" && <Sheet className="p-5"><MoneyBar parts={milestoneMoney(agreement, milestone)} /></Sheet>}
          {agreement.state === "active" && !over && <Sheet className="p-5"><MilestoneActions agreement={agreement} milestone={milestone} /></Sheet>}
        </aside>
      </div>
    </Section>
  );
}

function Clock({ milestone }: { milestone: Milestone }) {
  const hour = milestone.state === "ruled" ? milestone.sinceHour + WINDOW_HOURS : milestone.state === "deadlocked" ? milestone.sinceHour + ARBITER_HOURS : milestone.dueHour;
  const what = milestone.state === "ruled" ? "to answer:" : milestone.state === "deadlocked" ? "for the arbiter:" : "due:";
  if (milestone.state === "released" || milestone.state === "refunded" || milestone.state === "under_review") return null;
  return <span>{what} <Countdown to={(hour + 1) * HOUR} past="over" /></span>;
}

function Claim({ milestone }: { milestone: Milestone }) {
  return (
    <div className="mt-6 flex flex-col gap-3">
      <div>
        <h4 className="text-small text-ink-3">The provider’s claim</h4>
        <Untrusted text={milestone.claim} className="block" />
      </div>
      <ul className="flex flex-col gap-1">{milestone.evidence.map((url) => <li key={url}><SafeLink url={url} /></li>)}</ul>
      {milestone.grounds && (
        <div>
          <h4 className="text-small text-ink-3">Grounds of the appeal</h4>
          <Untrusted text={milestone.grounds} className="block" />
        </div>
      )}
    </div>
  );
}
