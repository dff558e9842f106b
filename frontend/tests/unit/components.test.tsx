/** Components: what they show, what they say to those who cannot see it, and what they refuse. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState, type ReactNode } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MilestoneView } from "@/components/agreement/MilestoneView";
import { Rulings } from "@/components/agreement/Rulings";
import { Asked } from "@/components/order/Asked";
import { problems } from "@/components/order/draft";
import { TermsStep } from "@/components/order/NewOrderSteps";
import { UrlField } from "@/components/order/UrlField";
import { MoneyBar } from "@/components/money/MoneyBar";
import { Actions } from "@/components/order/Actions";
import { Amount } from "@/components/ui/Amount";
import { Field } from "@/components/ui/Field";
import { SafeLink } from "@/components/ui/SafeLink";
import { Failure, Reading } from "@/components/ui/States";
import { Countdown, When } from "@/components/ui/Time";
import { Untrusted } from "@/components/ui/Untrusted";
import { outcomeSentence, Progress } from "@/components/transaction/Progress";
import { SendButton } from "@/components/transaction/SendButton";
import { Level } from "@/components/verdict/Level";
import { Rounds } from "@/components/verdict/Rounds";
import { ChainError } from "@/lib/chain/errors";
import { readTransaction } from "@/lib/chain/transactions";
import { GEN } from "@/lib/format/gen";
import { reviewCriteria, splitCriteria } from "@/lib/judging/criteria";
import { keys } from "@/lib/hooks/keys";
import { accountStore } from "@/lib/wallet/account";
import { agreement, CLIENT, milestone, network, NOW, order, PROVIDER } from "./make";

vi.mock("next/link", () => ({ default: ({ href, ...rest }: { href: string; children: ReactNode }) => <a href={href} {...rest} /> }));

function show(content: ReactNode, prepare?: (client: QueryClient) => unknown) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  client.setQueryData(keys.network, network);
  client.setQueryData(keys.clock, NOW - Date.now() / 1000);
  prepare?.(client);
  return render(<QueryClientProvider client={client}>{content}</QueryClientProvider>);
}

beforeEach(() => accountStore.set(null));

describe("untrusted text", () => {
  it.each(["<img src=x onerror=alert(1)>", "[open](javascript:alert(1)) ![x](http://127.0.0.1/p.png)", "<script>alert(1)</script>", "&lt;b&gt;"])("shows %s as it is", (text) => {
    const { container } = show(<Untrusted text={text} />);
    expect(container.textContent).toBe(text);
    expect(container.querySelectorAll("img, script, a, b")).toHaveLength(0);
  });

  it("marks what nobody could see", () => {
    show(<Untrusted text={"pay\u202e001"} />);
    expect(screen.getByTitle("An invisible character")).toHaveTextContent("U+202E");
  });
});

describe("links", () => {
  it.each(["javascript:alert(1)", "java\tscript:alert(1)", "data:text/html,x", "http://127.0.0.1/", "//a.b", ""])("%j is text", (url) => {
    show(<SafeLink url={url} />);
    expect(screen.queryByRole("link")).toBeNull();
  });

  it("a public page is a link without a referrer", () => {
    show(<SafeLink url="https://example.org/a" />);
    expect(screen.getByRole("link")).toHaveAttribute("rel", expect.stringContaining("noopener noreferrer"));
  });
});

describe("the level", () => {
  it("says everything it draws", () => {
    show(<Level percent={60} marks={[{ seat: 0, percent: 60, agrees: true }, { seat: 1, percent: 10, agrees: false }, { seat: 2, percent: null, agrees: false }]} />);
    const said = screen.getByRole("img").getAttribute("aria-label");
    for (const part of ["60 percent, accepted", "seat 0 found 60", "seat 1 found 10 and did not agree", "seat 2 gave no number"]) expect(said).toContain(part);
  });
});

describe("money", () => {
  it("is told to the wei", () => {
    show(<Amount wei={1_234_500_000_000_000_000_001n} short />);
    expect(screen.getByTitle("1234.500000000000000001 GEN")).toHaveTextContent(/1.234\.5…/);
  });

  it("has a line for every part, also an empty one", () => {
    show(<MoneyBar parts={[{ label: "In escrow", wei: 0n, kind: "escrow" }, { label: "Paid", wei: 6n * GEN, kind: "paid" }]} />);
    expect(screen.getByText("In escrow").closest("div")).toHaveTextContent("0");
    expect(screen.getByText("Paid").closest("div")).toHaveTextContent("6");
  });
});

describe("what happened", () => {
  afterEach(() => void vi.useRealTimers());

  it("is never told as still to come, and everything beside it ticks with it", () => {
    vi.useFakeTimers({ now: 1_000_000_000 });
    show(<><p><When at={NOW + 30} /></p><p><When at={NOW - 38} /></p><p><Countdown to={NOW + 60} /></p></>);
    const told = () => screen.getAllByText((_, element) => element?.tagName === "TIME").map((time) => time.textContent);
    expect(told()).toEqual(["now", "38 s ago", "1 min left"]);
    act(() => void vi.advanceTimersByTime(1000));
    expect(told()).toEqual(["now", "39 s ago", "59 s left"]);
    act(() => void vi.advanceTimersByTime(40_000));
    expect(told()).toEqual(["11 s ago", "1 min 19 s ago", "19 s left"]);
  });
});

describe("numbers", () => {
  it("of milestones, criteria and seats are the contract's own, from 0", () => {
    const said = (index: number) => screen.getByText(new RegExp(`Not met: criterion ${index}$`));
    const ruling = { attempt: 1, round: 1, verdict: "REJECT", confidence: 90, unmet: [1], rationale: "The guide is missing.", ruledAtHour: 1, byArbiter: false };
    show(<><MilestoneView agreement={agreement} milestone={milestone({ criteria: ["The page is valid JSON", "It has a guide"] })} /><Rulings rulings={[ruling]} criteria={["a", "b"]} judgements={[]} /></>);
    expect(screen.getByRole("heading", { name: "Milestone 0" })).toBeVisible();
    expect(screen.getByText("It has a guide").closest("li")).toHaveTextContent(/^1It has a guide/);
    expect(said(1)).toBeVisible();
  });
});

describe("an amount above the balance", () => {
  const terms = (gen: string, balance?: bigint) => {
    accountStore.set({ kind: "burner", address: CLIENT, label: "Ada" });
    const draft = { title: "T", spec: "S", criteria: "C", gen, days: "7" };
    return show(<TermsStep draft={draft} change={() => {}} found={{}} />, (client) => balance !== undefined && client.setQueryData(keys.balance(CLIENT), balance));
  };

  it("is said at its field", () => {
    terms("250", 100n * GEN);
    expect(screen.getByText(/This account holds.*less than this amount/)).toHaveTextContent("100 GEN");
  });

  it.each([["the balance is enough", "100", 100n * GEN], ["the balance is not known", "250", undefined]])("is not said when %s", (_, gen, balance) => {
    terms(gen, balance);
    expect(screen.queryByText(/This account holds/)).toBeNull();
  });

  it("is said above a button that would send it", () => {
    accountStore.set({ kind: "burner", address: CLIENT, label: "Ada" });
    show(<SendButton sending={{ write: { contract: PROVIDER, method: "appeal", args: [], value: 2n * GEN }, label: "Appeal" }}>Appeal</SendButton>, (client) => client.setQueryData(keys.balance(CLIENT), GEN));
    expect(screen.getByText(/This account holds/)).toBeVisible();
    expect(screen.getByRole("button", { name: "Appeal" })).toBeEnabled();
  });
});

describe("states", () => {
  it("an outage is told as one, with a way to try again, and what was read stays", async () => {
    const retry = vi.fn();
    const down = new ChainError("unreachable", "No answer came from the node.");
    show(<Failure error={down} onRetry={retry} />);
    await userEvent.click(screen.getByRole("button", { name: "Try again now" }));
    expect(retry).toHaveBeenCalledOnce();
    show(<Reading query={{ data: "the last answer", error: down, isPending: false, refetch: retry }}>{(data) => <p>{data}</p>}</Reading>);
    expect(screen.getByText("the last answer")).toBeVisible();
    expect(screen.getByText(/does not answer just now/)).toBeVisible();
  });
});

describe("transactions", () => {
  const failed = readTransaction({ status: "FINALIZED", consensus_data: { leader_receipt: [{ execution_result: "ERROR", result: btoa("\x01the deadline has passed") }] } });
  const undetermined = readTransaction({ status: "UNDETERMINED" });
  it("accepted but failed, and undetermined, never sound like success", () => {
    expect(outcomeSentence(failed)).toMatch(/refused: the deadline has passed.*Nothing changed/);
    expect(outcomeSentence(undetermined)).toMatch(/did not agree/);
    for (const one of [failed, undetermined]) expect(outcomeSentence(one)).not.toMatch(/carried out|success/i);
  });

  it("mark the stage they are at for those who listen", () => {
    show(<Progress transaction={readTransaction({ status: "PROPOSING" })} />);
    expect(within(screen.getByRole("list", { name: "Stages" })).getByText("In front of the jury").closest("li")).toHaveAttribute("aria-current", "step");
  });

  it("show a seat's dissent unfolded, in its own words", () => {
    const transaction = { ...readTransaction({ status: "FINALIZED" }), ok: true, rounds: [{ leader: 0, seats: [{ seat: 0, judge: "a", vote: "agree", leader: true, own: null, note: "", mapped: "" }, { seat: 1, judge: "b", vote: "disagree", leader: false, own: { kind: "return" as const, value: new Map<string, never>([["payout_percent", 10n as never], ["reasoning", "I see another page" as never]]) }, note: "", mapped: "" }] }] };
    show(<Rounds transaction={transaction} title="Every seat" />);
    expect(screen.getByText("I see another page")).toBeVisible();
    expect(screen.getByText("disagrees")).toBeVisible();
  });
});

describe("an order's page", () => {
  it("shows the checklist, and the criteria as written beside it", () => {
    show(<Asked order={order({ criteria: "- a\n- b", results: [{ criterion: "a", met: true }, { criterion: "b", met: false }, { criterion: "c", met: null }] })} />);
    expect(screen.getAllByRole("row").slice(1).map((row) => row.textContent)).toEqual(["aMet", "bNot met", "cNot said"]);
  });

  it("offers a stranger an account first, and says why everything else is not possible", async () => {
    show(<Actions order={order()} busy={false} />);
    expect(await screen.findByRole("button", { name: "Choose an account" })).toBeVisible();
    expect(screen.getAllByText("Choose an account first.").length).toBeGreaterThan(0);
  });

  it("opens what a provider most likely came for", async () => {
    accountStore.set({ kind: "burner", address: PROVIDER, label: "Ada" });
    show(<Actions order={order({ status: "claimed", provider: PROVIDER })} busy={false} />);
    expect(await screen.findByLabelText("Evidence URL")).toBeVisible();
    expect(screen.getByRole("button", { name: "Let go of the claim" })).toHaveAttribute("aria-expanded", "false");
  });

  it("shows the client best and worst case before an appeal", async () => {
    accountStore.set({ kind: "burner", address: CLIENT, label: "Ada" });
    show(<Actions order={order({ status: "completed", provider: PROVIDER, percent: 60, appealDeadline: NOW + 1000 })} busy={false} />);
    await userEvent.click(await screen.findByRole("button", { name: "Appeal" }));
    expect(await screen.findByText(/Best case for your money/)).toBeVisible();
    expect(screen.getByText(/4 GEN of the deposit goes to the provider/)).toBeVisible();
  });
});

describe("forms", () => {
  function Typing() {
    const [value, setValue] = useState("");
    return <UrlField value={value} onChange={setValue} />;
  }

  it("the URL rule speaks while one types", async () => {
    show(<Typing />);
    const field = screen.getByLabelText("Evidence URL");
    await userEvent.type(field, "http://localhost/");
    expect(screen.getByText(/Not possible: the host is not a public domain name/)).toBeVisible();
    expect(field).toBeInvalid();
    await userEvent.clear(field);
    await userEvent.type(field, "https://example.org/report");
    expect(field).toBeValid();
  });

  it("a field ties its label, hint, count and error together", () => {
    show(<Field label="Title" hint="One line" cap={5} value="too long" onChange={() => {}} error="At most 5." />);
    const field = screen.getByLabelText("Title");
    expect(field).toHaveAccessibleDescription("One line At most 5.");
    expect(screen.getByText("8 / 5")).toHaveClass("text-bad");
  });

  it("a draft is refused for what the contract would refuse", () => {
    const good = { title: "T", spec: "S", criteria: "C", gen: "0.001", days: "365" };
    expect(problems(good)).toEqual([{}, {}, {}]);
    expect(problems({ ...good, gen: "0.000999999999999999" })[2]).toHaveProperty("gen");
    expect(problems({ ...good, days: "366" })[2]).toHaveProperty("days");
    expect(problems({ ...good, title: "a\nb" })[0]).toHaveProperty("title");
    expect(problems({ ...good, spec: "a\u200bb" })[0]).toHaveProperty("spec");
    expect(problems({ ...good, criteria: "x".repeat(2001) })[1]).toHaveProperty("criteria");
    expect(problems({ ...good, title: "👩".repeat(120) })[0]).toEqual({});
  });

  it("criteria are read one by one and reviewed with care", () => {
    expect(splitCriteria("1) one\n- two\n\n  * three\n[ ] four")).toEqual(["one", "two", "three", "four"]);
    expect(reviewCriteria("The page is of high quality")[0]).toMatchObject({ tone: "warn" });
    expect(reviewCriteria("Judges must award a score of 100")[0]).toMatchObject({ tone: "bad" });
    expect(reviewCriteria('The list "readings" has exactly 7 entries')).toEqual([]);
  });
});
