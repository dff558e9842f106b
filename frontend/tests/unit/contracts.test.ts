/** What the app believes of the contracts, against the contracts themselves. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { domainProblem, evidenceProblem, SHARED_HOSTS } from "@/lib/domains";
import * as limits from "@/lib/lifecycle/limits";
import { LIVES } from "@/lib/lifecycle/table";
import { MAX_URL_CHARS } from "@/lib/urls";

const source = (name: string) => readFileSync(path.resolve(import.meta.dirname, "../../../contracts", name), "utf8");
const foreman = source("foreman.py");
const escrow = source("verdict_escrow.py");

/** The value of a module constant, also of one in `A, B = 1, 2`. Plain arithmetic only. */
function constant(text: string, name: string): bigint {
  for (const line of text.split("\n")) {
    const [left = "", right = ""] = line.split("#")[0]!.split(" = ");
    const at = left.split(",").map((part) => part.trim()).indexOf(name);
    if (at === -1 || !/^[A-Z_, ]+$/.test(left)) continue;
    const value = right.split(",")[at]!.trim().replaceAll("_", "");
    expect(value).toMatch(/^[0-9*DAY ]+$/);
    return BigInt(eval(value.replace("DAY", "86400")) as number);
  }
  throw new Error(`no ${name}`);
}

describe("limits", () => {
  it.each([
    [foreman, "MIN_ESCROW_WEI", limits.MIN_ESCROW_WEI], [foreman, "MAX_TITLE_CHARS", limits.MAX_TITLE], [foreman, "MAX_SPEC_CHARS", limits.MAX_SPEC],
    [foreman, "MAX_CRITERIA_CHARS", limits.MAX_CRITERIA], [foreman, "MAX_NOTE_CHARS", limits.MAX_NOTE], [foreman, "MAX_CONTEXT_CHARS", limits.MAX_CONTEXT],
    [foreman, "PAYOUT_TOLERANCE", limits.TOLERANCE], [foreman, "ACCEPTED_FROM", limits.ACCEPT_AT], [foreman, "MAX_LIFETIME_DAYS", limits.MAX_DEADLINE_DAYS],
    [foreman, "MAX_EXTENSION_DAYS", limits.MAX_EXTENSION_DAYS], [foreman, "MAX_CLAIMS", limits.MAX_CLAIMS_PER_ADDRESS], [foreman, "MAX_URL_CHARS", MAX_URL_CHARS],
    [foreman, "APPEAL_WINDOW", limits.APPEAL_DAYS * 86400],
    [escrow, "MAX_ROUNDS", limits.MAX_ROUNDS], [escrow, "MAX_SUBMISSIONS", limits.MAX_SUBMISSIONS], [escrow, "APPEAL_WINDOW_HOURS", limits.WINDOW_HOURS],
    [escrow, "STALL_HOURS", limits.STALL_HOURS], [escrow, "ARBITER_HOURS", limits.ARBITER_HOURS], [escrow, "MIN_AMOUNT", limits.MIN_ESCROW_WEI],
    [escrow, "MAX_MILESTONES", limits.MAX_MILESTONES], [escrow, "MAX_CRITERION", limits.MAX_CRITERION], [escrow, "MAX_DOMAINS", limits.MAX_DOMAINS],
    [escrow, "MAX_EVIDENCE_URLS", limits.MAX_EVIDENCE_URLS], [escrow, "MAX_RATIONALE", limits.MAX_RATIONALE],
  ])("%#: %$1 is what the contract says".replace("%$1", "$1") as string, (text, name, mine) => {
    expect(constant(text, name)).toBe(BigInt(mine));
  });
});

describe("methods", () => {
  it.each([["foreman", foreman], ["verdict_escrow", escrow]] as const)("every write of %s is in the table, and nothing else but withdraw", (name, text) => {
    const writes = [...text.matchAll(/@gl\.public\.write(\.payable)?\n\s+def ([a-z_]+)/g)];
    const table = LIVES[name].transitions;
    expect(table.map((row) => row.method).sort()).toEqual(writes.map((found) => found[2]!).filter((method) => method !== "withdraw").sort());
    for (const [, payable, method] of writes) {
      const row = table.find((each) => each.method === method);
      if (row) expect(row.payable, method).toBe(payable !== undefined);
    }
  });
});

describe("domains", () => {
  it("knows the contract's list of shared hosts", () => {
    const block = /SHARED_HOSTS = (?:frozenset\([^"]*)?"{1,3}([^)]*?)"{1,3}(?:\.split\(\))?/s.exec(escrow)?.[1] ?? "";
    const listed = block.match(/[a-z0-9-]+\.[a-z]+/g) ?? [];
    expect(listed.length).toBeGreaterThan(20);
    expect([...SHARED_HOSTS].sort()).toEqual([...new Set(listed)].sort());
  });

  it.each(["docs.example.org", "example.com", "alice.github.io", "a.b.co.uk", "EXAMPLE.com "])("allows %s", (domain) => expect(domainProblem(domain)).toBeNull());

  it.each(["", "localhost", "co.uk", "github.io", "1.2.3.4", "https://example.com", "example.com/x", "example.com:8080", "a b.com", "example.c0m", "db.internal", "-a.com", "example.com."])(
    "refuses %j with words",
    (domain) => expect(domainProblem(domain)).toMatch(/\w+/),
  );

  it.each([
    ["https://docs.example.org/a", null], ["https://x.docs.example.org/a?b=1", null], ["http://docs.example.org/a", /https/], ["https://docs.example.org:8443/", /port/],
    ["https://evil-docs.example.org/", /list/], ["https://docs.example.org.evil.com/", /list/], ["https://docs.example.org@evil.com/", /Not possible/],
  ] as const)("evidence at %s", (url, expected) => {
    const problem = evidenceProblem(url, ["docs.example.org"]);
    if (expected === null) expect(problem).toBeNull();
    else expect(problem).toMatch(expected);
  });
});
