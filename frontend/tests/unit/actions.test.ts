/** What may be done when and by whom: the app's answer at every edge, and a reason wherever it is no. */
import { describe, expect, it } from "vitest";
import { loserOf, milestoneActions } from "@/lib/lifecycle/agreement-actions";
import { daysLeftToExtend, orderActions } from "@/lib/lifecycle/order-actions";
import { milestoneMoney, whereTheMoneyIs } from "@/lib/lifecycle/money";
import { lockedBy, whatWaits } from "@/lib/lifecycle/waiting";
import { GEN } from "@/lib/format/gen";
import { agreement, ARBITER, CLIENT, DAY, HOUR_NOW, milestone, NOW, order, PROVIDER, STRANGER } from "./make";

const can = (one: ReturnType<typeof order>, who: string | null, now = NOW) => orderActions(one, who, now).filter((action) => action.blocked === null).map((action) => action.method);
const canWith = (one: ReturnType<typeof milestone>, who: string | null, now = NOW) => milestoneActions(agreement, one, who, now).filter((action) => action.blocked === null).map((action) => action.method);

describe("an order", () => {
  const claimed = order({ status: "claimed", provider: PROVIDER });
  const judged = order({ status: "rejected", provider: PROVIDER, percent: 20, appealDeadline: NOW + DAY });
  it.each([
    ["open, client", order(), CLIENT, NOW, ["cancel_order", "extend_deadline"]],
    ["open, stranger", order(), STRANGER, NOW, ["claim_order"]],
    ["open, nobody connected", order(), null, NOW, []],
    ["open, the last second", order(), STRANGER, NOW + 7 * DAY - 1, ["claim_order"]],
    ["open, the deadline itself", order(), STRANGER, NOW + 7 * DAY, ["expire_order"]],
    ["claimed, provider", claimed, PROVIDER, NOW, ["submit_deliverable", "abandon_claim"]],
    ["claimed, client", claimed, CLIENT, NOW, ["extend_deadline"]],
    ["claimed, client, late", claimed, CLIENT, NOW + 7 * DAY, ["expire_order"]],
    ["rejected, client, in time", judged, CLIENT, NOW, ["appeal_delivery"]],
    ["rejected, client, one moment late", judged, CLIENT, NOW + DAY, []],
    ["rejected, provider", judged, PROVIDER, NOW, []],
    ["rejected, appeal used", { ...judged, appealUsed: true }, CLIENT, NOW, []],
    ["cancelled", order({ status: "cancelled" }), CLIENT, NOW, []],
    ["a status of a later contract", order({ status: "unknown" }), CLIENT, NOW, []],
  ] as const)("%s", (_name, one, who, now, expected) => expect(can(one, who, now)).toEqual([...expected]));

  it("gives a sentence for everything that is not possible, and a cost and a consequence for all", () => {
    for (const one of [order(), claimed, judged, order({ status: "expired" })])
      for (const action of orderActions(one, STRANGER, NOW)) {
        if (action.blocked !== null) expect(action.blocked).toMatch(/^[A-Z].*\.$/);
        expect(action.cost).not.toBe("");
        expect(action.consequence.length).toBeGreaterThan(0);
      }
  });

  it("tells the appeal's deposit, best and worst case exactly", () => {
    const action = orderActions(order({ status: "completed", provider: PROVIDER, percent: 60, escrowWei: 1_234n * GEN + GEN / 2n, appealDeadline: NOW + DAY }), CLIENT, NOW).find((row) => row.method === "appeal_delivery")!;
    expect(action.valueWei).toBe(1_234n * GEN + GEN / 2n);
    expect(action.cost).toContain("1\u2009234.5 GEN");
    expect(action.consequence.join(" ")).toContain("493.8 GEN");
  });

  it("extends by whole days, 30 at most, never beyond a year", () => {
    expect(daysLeftToExtend(order())).toBe(30);
    expect(daysLeftToExtend(order({ createdAt: NOW, deadline: NOW + 360 * DAY }))).toBe(5);
    expect(daysLeftToExtend(order({ createdAt: NOW, deadline: NOW + 365 * DAY }))).toBe(0);
  });
});

describe("a milestone", () => {
  const ruled = milestone({ state: "ruled", verdict: "REJECT", round: 1, submissions: 1 });
  it.each([
    ["awaiting, provider, the due hour", milestone({ dueHour: HOUR_NOW }), PROVIDER, ["submit_evidence"]],
    ["awaiting, provider, one hour late", milestone({ dueHour: HOUR_NOW - 1 }), PROVIDER, []],
    ["awaiting, payer, the due hour", milestone({ dueHour: HOUR_NOW }), CLIENT, []],
    ["awaiting, payer, one hour late", milestone({ dueHour: HOUR_NOW - 1 }), CLIENT, ["cancel_overdue"]],
    ["under review, stranger", milestone({ state: "under_review", round: 1 }), STRANGER, ["adjudicate"]],
    ["under review, provider, stalled", milestone({ state: "under_review", round: 1, sinceHour: HOUR_NOW - 48 }), PROVIDER, ["adjudicate", "resolve_stalled_review"]],
    ["ruled against the provider", ruled, PROVIDER, ["accept_ruling", "appeal"]],
    ["ruled against the provider, the payer", ruled, CLIENT, []],
    ["ruled, the last hour", { ...ruled, sinceHour: HOUR_NOW - 72 }, PROVIDER, ["accept_ruling", "appeal"]],
    ["ruled, one hour later", { ...ruled, sinceHour: HOUR_NOW - 73 }, PROVIDER, ["finalize"]],
    ["ruled, one hour later, a stranger", { ...ruled, sinceHour: HOUR_NOW - 73 }, STRANGER, ["finalize"]],
    ["ruled in round 3", { ...ruled, round: 3 }, PROVIDER, ["accept_ruling", "escalate_to_arbiter"]],
    ["approved, the payer lost", { ...ruled, verdict: "APPROVE" }, CLIENT, ["accept_ruling", "appeal"]],
    ["deadlocked, arbiter", milestone({ state: "deadlocked", round: 3 }), ARBITER, ["arbiter_ruling"]],
    ["deadlocked, arbiter too late", milestone({ state: "deadlocked", sinceHour: HOUR_NOW - 337 }), ARBITER, []],
    ["deadlocked, payer, arbiter absent", milestone({ state: "deadlocked", sinceHour: HOUR_NOW - 337 }), CLIENT, ["resolve_absent_arbiter"]],
    ["released", milestone({ state: "released" }), PROVIDER, []],
  ] as const)("%s", (_name, one, who, expected) => expect(canWith(one, who)).toEqual([...expected]));

  it("names the loser: the payer after an approval, else the provider", () => {
    expect(loserOf(agreement, milestone({ verdict: "APPROVE" }))).toBe(CLIENT);
    expect(loserOf(agreement, milestone({ verdict: "INSUFFICIENT_EVIDENCE" }))).toBe(PROVIDER);
  });

  it("tells what accepting does with every wei", () => {
    const action = milestoneActions(agreement, milestone({ state: "ruled", verdict: "REJECT", round: 2, providerBondWei: GEN }), PROVIDER, NOW).find((row) => row.method === "accept_ruling")!;
    expect(action.consequence[0]).toContain("11 GEN");
    expect(action.consequence[0]).toContain("payer");
  });
});

describe("money", () => {
  it("is all in escrow while the order lives", () => expect(whereTheMoneyIs(order(), false)[0]!.wei).toBe(10n * GEN));

  it("is computed from the verdict for contracts that do not count it", () => {
    const parts = whereTheMoneyIs(order({ status: "completed", percent: 60, escrowWei: 7n }), false);
    expect(parts.map((part) => part.wei)).toEqual([0n, 4n, 3n]);
  });

  it("is told as settling until it has moved", () => {
    const parts = whereTheMoneyIs(order({ status: "completed", percent: 60, paidWei: 6n * GEN, refundedWei: 4n * GEN }), true);
    expect(parts[1]).toMatchObject({ kind: "settling", wei: 6n * GEN });
  });
});

describe("the money of a milestone", () => {
  const moments = (...told: [string, string, string?][]) => told.map(([event, actor, detail = ""], t) => ({ t, event, actor, detail }));
  const appealed: [string, string, string] = ["appealed", CLIENT, "round 2"];
  const sums = (part: Parameters<typeof milestone>[0]) => milestoneMoney(agreement, milestone({ amountWei: 10n * GEN, ...part })).map(({ wei, bondsWei = 0n }) => [wei / GEN, bondsWei / GEN]);

  it.each([
    ["while it is funded", {}, [[10, 0], [0, 0], [0, 0], [0, 0]]],
    ["while an appeal runs", { payerBondWei: GEN, timeline: moments(appealed) }, [[10, 0], [1, 0], [0, 0], [0, 0]]],
    ["approved, no appeal", { state: "released", verdict: "APPROVE", timeline: moments(["released", CLIENT, "accepted"]) }, [[0, 0], [0, 0], [10, 0], [0, 0]]],
    ["the payer's appeal lost", { state: "released", verdict: "APPROVE", timeline: moments(appealed, ["released", CLIENT, "accepted"]) }, [[0, 0], [0, 0], [11, 1], [0, 0]]],
    ["the payer's appeal won", { state: "refunded", verdict: "REJECT", timeline: moments(appealed, ["refunded", PROVIDER, "accepted"]) }, [[0, 0], [0, 0], [0, 0], [11, 1]]],
    ["both appealed, the provider lost last", { state: "refunded", verdict: "REJECT", timeline: moments(appealed, ["appealed", PROVIDER, "round 3"], ["refunded", STRANGER, "left standing"]) }, [[0, 0], [0, 0], [0, 0], [12, 2]]],
    ["escalated, the arbiter approves", { state: "released", verdict: "APPROVE", escalated: true, timeline: moments(appealed, ["escalated", PROVIDER], ["released", ARBITER, "arbiter"]) }, [[0, 0], [0, 0], [12, 2], [0, 0]]],
    ["a stalled appeal, no arbiter: each bond to its poster", { state: "released", verdict: "APPROVE", timeline: moments(appealed, ["stalled", CLIENT], ["released", PROVIDER, "arbiter absent"]) }, [[0, 0], [0, 0], [10, 0], [1, 1]]],
    ["an inconclusive escalation, no arbiter", { state: "refunded", verdict: "INSUFFICIENT_EVIDENCE", submissions: 1, escalated: true, timeline: moments(["escalated", PROVIDER], ["refunded", CLIENT, "arbiter absent"]) }, [[0, 0], [0, 0], [1, 1], [10, 0]]],
    ["escalated over the third attempt, no arbiter", { state: "refunded", verdict: "INSUFFICIENT_EVIDENCE", submissions: 3, escalated: true, timeline: moments(["escalated", PROVIDER], ["refunded", CLIENT, "arbiter absent"]) }, [[0, 0], [0, 0], [0, 0], [11, 1]]],
    ["another attempt: each bond returned to its poster", { timeline: moments(appealed, ["appealed", PROVIDER, "round 3"], ["reopened", PROVIDER, "accepted"]) }, [[10, 0], [0, 0], [1, 1], [1, 1]]],
  ] as [string, Parameters<typeof milestone>[0], number[][]][])("%s", (_, part, expected) => expect(sums(part)).toEqual(expected.map((row) => row.map(BigInt))));
});

describe("the desk", () => {
  it("puts what is urgent first and leaves out what is not mine", () => {
    const rows = whatWaits(
      [order({ id: 1, status: "claimed", provider: STRANGER, client: CLIENT, deadline: NOW - 1 }), order({ id: 2, status: "claimed", client: STRANGER, provider: CLIENT }), order({ id: 3, client: STRANGER })],
      CLIENT,
      NOW,
    );
    expect(rows.map((row) => row.order.id)).toEqual([1, 2]);
    expect(lockedBy([order(), order({ status: "completed" }), order({ client: STRANGER })], CLIENT)).toBe(10n * GEN);
  });
});
