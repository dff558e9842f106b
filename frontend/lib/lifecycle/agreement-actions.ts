/** What may be done with a milestone now, by whom, at what cost and with what consequence; and for the rest, why not. */
import type { Agreement, Milestone } from "@/lib/chain/agreements";
import { sameAddress } from "@/lib/format/address";
import { displayGen } from "@/lib/format/gen";
import { HOUR, moment, span } from "@/lib/format/time";
import { stateLabel } from "./labels";
import { ARBITER_HOURS, MAX_ROUNDS, MAX_SUBMISSIONS, STALL_HOURS, WINDOW_HOURS } from "./limits";
import { LIVES } from "./table";

export type MilestoneNeeds = "nothing" | "evidence" | "grounds" | "ruling";

export type MilestoneAction = {
  method: string;
  title: string;
  blocked: string | null;
  cost: string;
  consequence: string[];
  needs: MilestoneNeeds;
  valueWei: bigint;
};

type Case = { agreement: Agreement; milestone: Milestone; who: string | null; hour: number; gen: (wei: bigint) => string };
type Rule = Omit<MilestoneAction, "blocked" | "method">;
type Draft = Rule & { not: (string | null)[] };

/** The party that lost the last ruling, and may answer it. */
export function loserOf(agreement: Agreement, milestone: Milestone): string {
  return milestone.verdict === "APPROVE" ? agreement.payer : agreement.provider;
}

export function milestoneActions(agreement: Agreement, milestone: Milestone, who: string | null, now: number): MilestoneAction[] {
  const at: Case = { agreement, milestone, who, hour: Math.floor(now / HOUR), gen: (wei) => `${displayGen(wei)} GEN` };
  const drafts: Record<string, Draft> = {
    submit_evidence: submit(at),
    adjudicate: adjudicate(),
    accept_ruling: accept(at),
    appeal: appeal(at),
    escalate_to_arbiter: escalate(at),
    finalize: finalize(at),
    arbiter_ruling: arbiter(at),
    cancel_overdue: overdue(at),
    resolve_stalled_review: stalled(at),
    resolve_absent_arbiter: absent(at),
  };
  return Object.entries(drafts).map(([method, { not, ...rest }]) => {
    const reason = outOfState(method, milestone) ?? not.find((why) => why !== null) ?? null;
    return { method, ...rest, blocked: reason ?? (who === null ? "Choose an account first." : null) };
  });
}

function outOfState(method: string, milestone: Milestone): string | null {
  const from = LIVES.verdict_escrow.transitions.filter((row) => row.method === method).flatMap((row) => row.from);
  return from.includes(milestone.state) ? null : `Only while the milestone is ${from.map((state) => stateLabel(state).toLowerCase()).join(" or ")}.`;
}

const unless = (yes: boolean, otherwise: string): string | null => (yes ? null : otherwise);
const party = (at: Case, address: string, name: string) => unless(sameAddress(at.who, address), `Only ${name} can.`);

function loses(at: Case): string | null {
  const loser = loserOf(at.agreement, at.milestone);
  return unless(sameAddress(at.who, loser), `Only the side that lost the ruling can: the ${sameAddress(loser, at.agreement.payer) ? "payer" : "provider"}.`);
}

/** Limits are whole hours, and the last hour still counts. */
function open(at: Case): string | null {
  const last = at.milestone.sinceHour + WINDOW_HOURS;
  return unless(at.hour <= last, `The ${WINDOW_HOURS} hours to answer the ruling ended.`);
}

function notBefore(at: Case, hour: number, what: string): string | null {
  return unless(at.hour >= hour, `${what} from ${moment(hour * HOUR)} on, in ${span((hour - at.hour) * HOUR)}.`);
}

function submit(at: Case): Draft {
  const { agreement, milestone } = at;
  return {
    title: "Submit evidence",
    not: [
      party(at, agreement.provider, "the provider"),
      unless(at.hour <= milestone.dueHour, `It was due at ${moment(milestone.dueHour * HOUR)}.`),
      unless(milestone.submissions < MAX_SUBMISSIONS, "All attempts are used."),
    ],
    cost: `One of ${MAX_SUBMISSIONS - milestone.submissions} attempts left.`,
    consequence: ["This is also your yes to the arbiter and to the list of places evidence may come from.", `If the network approves, ${at.gen(milestone.amountWei)} becomes your credit.`],
    needs: "evidence",
    valueWei: 0n,
  };
}

function adjudicate(): Draft {
  return {
    title: "Ask the network to rule",
    not: [],
    cost: "Nothing. Anyone may ask.",
    consequence: ["Every seat reads the evidence and rules for itself. Nothing is written before more than half agree."],
    needs: "nothing",
    valueWei: 0n,
  };
}

function accept(at: Case): Draft {
  const { verdict, amountWei, payerBondWei, providerBondWei, submissions } = at.milestone;
  const all = amountWei + payerBondWei + providerBondWei;
  const open_again = verdict === "INSUFFICIENT_EVIDENCE" && submissions < MAX_SUBMISSIONS;
  return {
    title: "Accept the ruling",
    not: [loses(at), open(at)],
    cost: "You give up your appeal.",
    consequence: [
      open_again
        ? "The ruling was inconclusive: bonds return to their owners, and there is another attempt with at least 24 hours."
        : `${at.gen(all)}, the amount and every bond, becomes the ${verdict === "APPROVE" ? "provider" : "payer"}’s credit at once.`,
    ],
    needs: "nothing",
    valueWei: 0n,
  };
}

function bondStakes(at: Case): string[] {
  return [
    `Best case: the next decision goes your way, and the bond of ${at.gen(at.milestone.appealBondWei)} returns with the amount.`,
    `Worst case: it stands, and the bond goes to the other side.`,
  ];
}

function appeal(at: Case): Draft {
  return {
    title: "Appeal",
    not: [loses(at), open(at), unless(at.milestone.round < MAX_ROUNDS, "All rounds are used. You can escalate to the arbiter.")],
    cost: `A bond of ${at.gen(at.milestone.appealBondWei)}, a tenth of the amount.`,
    consequence: [...bondStakes(at), `Round ${at.milestone.round + 1} is stricter: the seats must agree more closely, and also on the reasons.`],
    needs: "grounds",
    valueWei: at.milestone.appealBondWei,
  };
}

function escalate(at: Case): Draft {
  return {
    title: "Escalate to the arbiter",
    not: [loses(at), open(at), unless(at.milestone.round >= MAX_ROUNDS, "First the network’s rounds: you can appeal.")],
    cost: `A bond of ${at.gen(at.milestone.appealBondWei)}, a tenth of the amount.`,
    consequence: [...bondStakes(at), "The arbiter has 14 days. If it stays away, the network’s last ruling decides."],
    needs: "grounds",
    valueWei: at.milestone.appealBondWei,
  };
}

function finalize(at: Case): Draft {
  return {
    title: "Settle the ruling",
    not: [notBefore(at, at.milestone.sinceHour + WINDOW_HOURS + 1, "Possible")],
    cost: "Nothing. Anyone may.",
    consequence: ["Nobody answered the ruling in time. It is settled as if the losing side had accepted."],
    needs: "nothing",
    valueWei: 0n,
  };
}

function arbiter(at: Case): Draft {
  return {
    title: "Rule as arbiter",
    not: [party(at, at.agreement.arbiter, "the arbiter"), unless(at.hour <= at.milestone.sinceHour + ARBITER_HOURS, "The arbiter’s 14 days are over.")],
    cost: "Nothing. It is final.",
    consequence: ["The winner is credited the amount and every bond at once."],
    needs: "ruling",
    valueWei: 0n,
  };
}

function overdue(at: Case): Draft {
  return {
    title: "Take it back as overdue",
    not: [party(at, at.agreement.payer, "the payer"), notBefore(at, at.milestone.dueHour + 1, "Possible")],
    cost: "Nothing.",
    consequence: [`${at.gen(at.milestone.amountWei)} becomes your credit.`],
    needs: "nothing",
    valueWei: 0n,
  };
}

function stalled(at: Case): Draft {
  const { payer, provider, arbiter: judge } = at.agreement;
  const again = at.milestone.round === 1 && at.milestone.submissions < MAX_SUBMISSIONS;
  return {
    title: "End a stalled review",
    not: [
      unless([payer, provider, judge].some((one) => sameAddress(one, at.who)), "Only a party or the arbiter can."),
      notBefore(at, at.milestone.sinceHour + STALL_HOURS, "Possible"),
    ],
    cost: "Nothing.",
    consequence: [again ? "The attempt is given back, and the due hour moves by the time lost. No money moves." : "It becomes a deadlock, which the arbiter settles. No money moves."],
    needs: "nothing",
    valueWei: 0n,
  };
}

function absent(at: Case): Draft {
  const { payer, provider } = at.agreement;
  return {
    title: "Close without the arbiter",
    not: [
      unless([payer, provider].some((one) => sameAddress(one, at.who)), "Only payer or provider can."),
      notBefore(at, at.milestone.sinceHour + ARBITER_HOURS + 1, "Possible"),
    ],
    cost: "Nothing.",
    consequence: [`The last ruling decides: ${at.milestone.verdict === "APPROVE" ? "the provider is paid" : "the payer is refunded"}.`],
    needs: "nothing",
    valueWei: 0n,
  };
}
