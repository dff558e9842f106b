/** The edge to the network: answers read tolerantly, errors told in words, transactions never called a success when they are none. */
import { describe, expect, it, vi } from "vitest";
import { encode, toHex } from "@/lib/chain/calldata";
import { findNetwork, readConfig } from "@/lib/chain/config";
import { view } from "@/lib/chain/contract";
import { ChainError, explain, fromWallet } from "@/lib/chain/errors";
import { Fields, type Decoded } from "@/lib/chain/fields";
import { getOrdersPage, readOrder } from "@/lib/chain/orders";
import { rpc } from "@/lib/chain/rpc";
import { isOver, opinionOf, readTransaction, stageOf } from "@/lib/chain/transactions";
import { CLIENT, network } from "./make";

const answer = (body: unknown, status = 200) => vi.stubGlobal("fetch", vi.fn(async () => new Response(JSON.stringify(body), { status })));
const b64 = (...bytes: number[]) => btoa(String.fromCharCode(...bytes));
const text = (code: number, words: string) => b64(code, ...new TextEncoder().encode(words));

async function failure(work: Promise<unknown>): Promise<ChainError> {
  const error = await work.catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ChainError);
  return error as ChainError;
}

describe("rpc", () => {
  it("gives the result", async () => {
    answer({ result: "0x1" });
    expect(await rpc("http://x/api", "eth_chainId", [])).toBe("0x1");
  });

  it("tells a node that does not answer from one that says no", async () => {
    vi.stubGlobal("fetch", vi.fn(async () => Promise.reject(new TypeError("Failed to fetch"))));
    expect((await failure(rpc("http://x/api", "a", []))).kind).toBe("unreachable");
    answer({ error: { code: -32000, message: "pay first (send more)", data: { code: "insufficient_funds", hint: "send more" } } });
    const error = await failure(rpc("http://x/api", "a", []));
    expect(error).toMatchObject({ kind: "insufficient", sentence: "pay first", hint: "send more", code: "insufficient_funds" });
    answer({}, 403);
    expect((await failure(rpc("http://x/api", "a", []))).sentence).toMatch(/does not answer to this web page/);
  });

  it.each([
    [{ code: -32000, message: "execution reverted: the order is claimed, not open", data: { code: "execution_reverted", hint: "" } }],
    [{ code: -32000, message: "execution failed", data: { receipt: { result: text(1, "the order is claimed, not open") } } }],
  ])("finds the contract's own words in %j", async (error) => {
    answer({ error });
    expect(await failure(rpc("http://x/api", "gen_call", []))).toMatchObject({ kind: "reverted", sentence: "the order is claimed, not open" });
  });

  it("does not take HTML for an answer", async () => {
    vi.stubGlobal("fetch", vi.fn(async () => new Response("<html>")));
    expect((await failure(rpc("http://x/api", "a", []))).kind).toBe("unreachable");
  });
});

describe("views", () => {
  it("decode what the node answers, with and without a wrapping object", async () => {
    answer({ result: toHex(encode([1, "x"])) });
    expect(await view({ rpcUrl: "http://x", address: CLIENT, method: "m" })).toEqual([1n, "x"]);
    answer({ result: { data: toHex(encode(true)), status: { code: 0 } } });
    expect(await view({ rpcUrl: "http://x", address: CLIENT, method: "m" })).toBe(true);
  });

  it.each([null, "", "zz", "0", "1d09", 5, {}])("refuse %j", async (result) => {
    answer({ result });
    expect((await failure(view({ rpcUrl: "http://x", address: CLIENT, method: "m" }))).kind).toBe("bad_answer");
  });

  it("read an order with nothing in it", () => {
    const bare = readOrder(Fields.of(new Map())!);
    expect(bare).toMatchObject({ id: -1, status: "unknown", escrowWei: 0n, timeline: [], results: [], redFlags: [], firstPercent: null });
  });

  it("read odd fields as their defaults, and keys that name prototypes as data", () => {
    const odd = new Map<string, Decoded>([["escrow_wei", "12"], ["red_flags", "one"], ["timeline", "no"], ["payout_percent", 2n ** 80n], ["__proto__", 1n]]);
    expect(readOrder(Fields.of(odd)!)).toMatchObject({ escrowWei: 12n, redFlags: ["one"], timeline: [], percent: 0 });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it("skip rows that are no orders", async () => {
    answer({ result: toHex(encode([{ id: 1, status: "open" }, 5, "x"])) });
    expect((await getOrdersPage(network, 0, 20, "")).map((row) => row.id)).toEqual([1]);
  });
});

describe("transactions", () => {
  const receipt = (execution_result: string, result: string) => ({ consensus_data: { leader_receipt: [{ execution_result, result }] } });
  it.each([
    ["final", { status: "FINALIZED", ...receipt("SUCCESS", b64(0, 0)) }, true],
    ["settling", { status: "ACCEPTED", ...receipt("SUCCESS", b64(0, 0)) }, true],
    ["failed", { status: "FINALIZED", ...receipt("ERROR", text(1, "no")) }, false],
    ["failed", { status: "ACCEPTED", ...receipt("ERROR", text(2, "exit_code 1")) }, false],
    ["failed", { status: "FINALIZED" }, false],
    ["undetermined", { status: "UNDETERMINED", ...receipt("SUCCESS", b64(0, 0)) }, false],
    ["undetermined", { status: "LEADER_TIMEOUT" }, false],
    ["canceled", { status: "CANCELED" }, false],
    ["waiting", { status: "PENDING" }, false],
    ["judging", { status: "PROPOSING" }, false],
    ["judging", { status: "A_STATUS_OF_TOMORROW" }, false],
    ["waiting", {}, false],
  ])("%s: %j", (stage, raw, ok) => expect(readTransaction(raw)).toMatchObject({ stage, ok }));

  it("keep following a status they do not know, and stop at every end", () => {
    expect(isOver(stageOf("A_STATUS_OF_TOMORROW", false))).toBe(false);
    for (const status of ["UNDETERMINED", "LEADER_TIMEOUT", "VALIDATORS_TIMEOUT", "CANCELED", "FINALIZED"]) expect(isOver(stageOf(status, true))).toBe(true);
  });

  it("give each seat its own answer, dissent and silence included", () => {
    const own = (percent: number) => b64(0, ...encode({ payout_percent: percent, reasoning: "so" }));
    const votes = [{ seat: 0, judge: "a", vote: "agree", result: own(60) }, { seat: 1, judge: "b", vote: "disagree", result: own(10) }, { seat: 2, judge: "c", vote: "timeout", result: null, note: "late" }];
    const [round] = readTransaction({ status: "FINALIZED", consensus_data: { leader_receipt: [], blocks: [{ rounds: [{ leader_seat: 0, votes }] }] } }).rounds;
    expect(round!.seats.map((seat) => [seat.leader, opinionOf(seat.own).percent, opinionOf(seat.own).failed])).toEqual([[true, 60, ""], [false, 10, ""], [false, null, "no answer"]]);
  });

  it("read a Studio's one round", () => {
    const entry = (vote: string, provider: string) => ({ vote, node_config: { primary_model: { provider, model: "m" } }, eq_outputs: { 0: b64(0, ...encode({ payout_percent: 70 })) } });
    const { rounds } = readTransaction({ status: "FINALIZED", consensus_data: { leader_receipt: [entry("agree", "x"), entry("agree", "x")], validators: [entry("disagree", "y")] } });
    expect(rounds[0]!.seats.map((seat) => [seat.judge, seat.vote, opinionOf(seat.own).percent])).toEqual([["x:m", "agree", 70], ["y:m", "disagree", 70]]);
  });
});

describe("errors", () => {
  it.each([
    [{ code: 4001 }, "rejected"], [{ cause: { cause: { code: 4001 } } }, "rejected"], [{ code: 4902 }, "wrong_chain"], [{ code: -32002 }, "rejected"],
    [new Error("insufficient_funds: the value exceeds the balance"), "insufficient"], [new TypeError("Failed to fetch"), "unreachable"],
  ])("a wallet's %j is told as %s", (error, kind) => expect(fromWallet(error)?.kind).toBe(kind));

  it.each([new Error("boom"), "boom", null, undefined, {}, 5])("anything else (%s) is still a sentence", (error) => {
    const { title, sentence } = explain(error);
    expect(title).not.toBe("");
    expect(sentence).not.toMatch(/\[object|undefined|null/);
  });
});

describe("finding the network", () => {
  it("reads the node's description, and takes nothing odd from it", () => {
    expect(readConfig({ network: "local", chain_id: 61127, dev: true, contracts: { foreman: CLIENT, verdict_escrow: "nonsense" }, samples: [{ title: "A", url: "http://a/" }] })).toMatchObject({
      name: "local", chainId: 61127, foreman: CLIENT, agreements: null, dev: true, samples: [{ title: "A", url: "http://a/", note: "" }],
    });
    expect(readConfig({}).dev).toBe(false);
  });

  it("is nothing when no node stands behind the page, and unreachable when it does not answer", async () => {
    answer({}, 404);
    expect(await findNetwork()).toBeNull();
    vi.stubGlobal("fetch", vi.fn(async () => Promise.reject(new TypeError("Failed to fetch"))));
    expect((await failure(findNetwork())).kind).toBe("unreachable");
  });
});
