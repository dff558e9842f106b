/** What may be done with an order now, by whom, at what cost and with what consequence; and for the rest, why not. */
import type { Order } from "@/lib/chain/orders";
import { isNobody, sameAddress } from "@/lib/format/address";
import { displayGen, share } from "@/lib/format/gen";
import { DAY, moment, span } from "@/lib/format/time";
import { APPEAL_DAYS, MAX_DEADLINE_DAYS, MAX_EXTENSION_DAYS } from "./limits";
import { LIVES } from "./table";

export type Needs = "nothing" | "url" | "days" | "context";

export type Action = {
  method: string;
  title: string;
  /** null: it may be done now by this account. Else the reason why not, as a sentence. */
  blocked: string | null;
  cost: string;
  consequence: string[];
  needs: Needs;
  valueWei: bigint;
};

type Rule = Omit<Action, "blocked" | "method"> & { who: string | null; when: string | null };

/** Every method of the table except opening, in the order of a life. */
export function orderActions(order: Order, who: string | null, now: number): Action[] {
  const rules: Record<string, Rule> = {
    claim_order: claim(order, who, now),
    submit_deliverable: deliver(order, who, now),
    abandon_claim: abandon(order, who, now),
    cancel_order: cancel(order, who),
    extend_deadline: extend(order, who, now),
    expire_order: expire(order, now),
    appeal_delivery: appeal(order, who, now),
  };
  return Object.entries(rules).map(([method, { who: notYou, when: notNow, ...rest }]) => ({
    method,
    ...rest,
    blocked: outOfState(method, order) ?? notNow ?? (who === null ? "Choose an account first." : notYou),
  }));
}

/** The table's own word on the state; a sentence when the method does not leave from here. */
function outOfState(method: string, order: Order): string | null {
  const rows = LIVES.foreman.transitions.filter((row) => row.method === method);
  if (rows.some((row) => row.from.includes(order.status))) return null;
  const from = rows.flatMap((row) => row.from).join(" or ");
  return `Only ${/^[aeiou]/.test(from) ? "an" : "a"} ${from} order; this one is ${order.status}.`;
}

const gen = (wei: bigint) => `${displayGen(wei)} GEN`;

function only(yes: boolean, otherwise: string): string | null {
  return yes ? null : otherwise;
}

function inTime(order: Order, now: number): string | null {
  return only(now < order.deadline, `The deadline passed on ${moment(order.deadline)}.`);
}

function claim(order: Order, who: string | null, now: number): Rule {
  return {
    title: "Claim this order",
    who: only(!sameAddress(who, order.client), "The client cannot claim its own order."),
    when: inTime(order, now),
    cost: "Nothing.",
    consequence: [
      `You promise to deliver before ${moment(order.deadline)}.`,
      "Letting go or missing the deadline counts as abandoned on your record. One account can claim an order three times.",
    ],
    needs: "nothing",
    valueWei: 0n,
  };
}

function deliver(order: Order, who: string | null, now: number): Rule {
  return {
    title: "Deliver",
    who: only(sameAddress(who, order.provider), "Only the provider who claimed can deliver."),
    when: inTime(order, now),
    cost: "Nothing.",
    consequence: [
      `The jury reads your URL at once. You get ${gen(order.escrowWei)} times their percent; the client gets the rest.`,
      "If the page cannot be read, or the validators do not agree, nothing changes and you can try again.",
    ],
    needs: "url",
    valueWei: 0n,
  };
}

function abandon(order: Order, who: string | null, now: number): Rule {
  return {
    title: "Let go of the claim",
    who: only(sameAddress(who, order.provider), "Only the provider who claimed can let go."),
    when: inTime(order, now),
    cost: "One more abandoned claim on your record.",
    consequence: ["The order opens again for everyone. The escrow stays where it is."],
    needs: "nothing",
    valueWei: 0n,
  };
}

function cancel(order: Order, who: string | null): Rule {
  return {
    title: "Cancel",
    who: only(sameAddress(who, order.client), "Only the client can cancel."),
    when: null,
    cost: "Nothing.",
    consequence: [`${gen(order.escrowWei)} returns to you. The order cannot be opened again.`],
    needs: "nothing",
    valueWei: 0n,
  };
}

function extend(order: Order, who: string | null, now: number): Rule {
  const room = daysLeftToExtend(order);
  return {
    title: "Give more time",
    who: only(sameAddress(who, order.client), "Only the client can give more time."),
    when: inTime(order, now) ?? only(room > 0, `An order lives at most ${MAX_DEADLINE_DAYS} days.`),
    cost: "Your escrow stays locked for longer.",
    consequence: [`The deadline moves by 1 to ${room} days. It cannot be moved back.`],
    needs: "days",
    valueWei: 0n,
  };
}

/** Whole days by which the deadline may still move in one call. */
export function daysLeftToExtend(order: Order): number {
  const last = order.createdAt + MAX_DEADLINE_DAYS * DAY;
  return Math.max(0, Math.min(MAX_EXTENSION_DAYS, Math.floor((last - order.deadline) / DAY)));
}

function expire(order: Order, now: number): Rule {
  return {
    title: "Close as expired",
    who: null,
    when: only(now >= order.deadline, `The deadline is ${span(order.deadline - now)} away.`),
    cost: "Nothing, whoever does it.",
    consequence: [
      `${gen(order.escrowWei)} returns to the client.`,
      ...(isNobody(order.provider) ? [] : ["The provider's record counts the claim as abandoned."]),
    ],
    needs: "nothing",
    valueWei: 0n,
  };
}

function appeal(order: Order, who: string | null, now: number): Rule {
  const most = order.escrowWei - share(order.escrowWei, order.percent);
  return {
    title: "Appeal",
    who: only(sameAddress(who, order.client), "Only the client can appeal."),
    when:
      only(!order.appealUsed, "The one appeal was used; the second verdict is final.") ??
      only(now < order.appealDeadline, `The ${APPEAL_DAYS} days for an appeal ended on ${moment(order.appealDeadline)}.`),
    cost: `A deposit of ${gen(order.escrowWei)}, exactly the escrow.`,
    consequence: [
      "An appeal corrects the record and can add to what was paid. It never takes anything back.",
      `Best case for your money: the second verdict is ${order.percent}% or less, and the whole deposit returns.`,
      `Worst case: the second verdict is 100%, and ${gen(most)} of the deposit goes to the provider.`,
      "If the page cannot be read any more, the deposit returns and the appeal stays unused.",
    ],
    needs: "context",
    valueWei: order.escrowWei,
  };
}
