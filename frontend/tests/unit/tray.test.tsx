/** The tray: what this tab sent is followed on the chain that took it, and never told as under way for ever. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Tray } from "@/components/transaction/Tray";
import { keys } from "@/lib/hooks/keys";
import { followedStore } from "@/lib/transactions";
import { CLIENT, network } from "./make";

vi.mock("next/link", () => ({ default: ({ href, ...rest }: { href: string; children: ReactNode }) => <a href={href} {...rest} /> }));

const HASH = `0x${"ab".repeat(32)}`;
const BORN = { seq: 1, hash: `0x${"01".repeat(32)}`, status: "PENDING", at: 17 };
const CHAIN = `${BORN.hash} ${BORN.at}`;
const FINAL = { hash: HASH, status: "FINALIZED", consensus_data: { leader_receipt: [{ execution_result: "SUCCESS", result: btoa("\x00\x00") }] } };

/** A node with its first line, and what it tells of a transaction. */
function answers(first: typeof BORN | null, found: unknown) {
  vi.stubGlobal("fetch", async (_: string, { body }: { body: string }) => {
    const { method } = JSON.parse(body) as { method: string };
    const result = method === "foreman_getJournal" ? { last: 1, changes: first ? [first] : [] } : method === "eth_getTransactionByHash" ? found : [];
    return new Response(JSON.stringify({ result }));
  });
}

function show(chain?: string) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(keys.network, network);
  followedStore.set([{ hash: HASH, label: "Claim: order 7", method: "claim_order", order: 7, from: CLIENT, ...(chain ? { chain } : {}) }]);
  render(<QueryClientProvider client={client}><Tray /></QueryClientProvider>);
  return client;
}

beforeEach(() => followedStore.set([]));

describe("the tray", () => {
  it("tells the end of a transaction of this chain", async () => {
    answers(BORN, FINAL);
    show(CHAIN);
    expect(await screen.findByText("Final. It was accepted and carried out.")).toBeVisible();
    expect(screen.getByRole("link", { name: "Claim: order 7" })).toBeVisible();
  });

  it.each([
    ["on another chain, even one that has the same transaction", { ...BORN, at: 18 }, FINAL, CHAIN],
    ["on a chain on which nothing has happened yet", null, null, CHAIN],
    ["on an older state of the same chain", BORN, null, CHAIN],
    ["on a network that tells no birth", BORN, null, undefined],
  ])("tells one as not known any more, and lets it go, %s", async (_, first, found, chain) => {
    answers(first, found);
    show(chain);
    expect(await screen.findByText(/not known to this network any more/)).toBeVisible();
    expect(screen.queryByText(/On its way|In the queue|Final/)).toBeNull();
    expect(screen.queryByRole("link")).toBeNull();
    expect(screen.queryByRole("list", { name: "Stages" })).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: /Dismiss/ }));
    expect(followedStore.get()).toEqual([]);
  });

  it("notices that the chain is another one while it looks", async () => {
    answers(BORN, FINAL);
    const client = show(CHAIN);
    await screen.findByText("Final. It was accepted and carried out.");
    answers({ ...BORN, at: 18 }, null);
    await act(() => client.invalidateQueries());
    expect(await screen.findByText(/not known to this network any more/)).toBeVisible();
  });
});
