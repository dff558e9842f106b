/** The preview of a prompt is what the contract writes: the same fence, the same task. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { fingerprint } from "@/lib/chain/evidence";
import { aside, fenced } from "@/lib/judging/fence";
import { orderTask } from "@/lib/judging/prompts";

type Case = { text: string; clean: string; fenced: string };

const ROOT = path.resolve(import.meta.dirname, "../..");
const made = JSON.parse(readFileSync(path.join(ROOT, "tests/cases/fenced.json"), "utf8")) as { source_sha256: string; cases: Case[] };
const { cases } = made;

describe("the fence", () => {
  it("has cases", () => expect(cases.length).toBeGreaterThan(80));

  it("has cases of today's contracts/shared/fence.py; else run scripts/fence-cases.py", () => {
    const source = readFileSync(path.join(ROOT, "../contracts/shared/fence.py"));
    expect(createHash("sha256").update(source).digest("hex")).toBe(made.source_sha256);
  });

  it.each(cases.map((row, at) => [at, row] as const))("case %i is cleaned and fenced as the contract does it", async (_at, row) => {
    expect(aside(row.text)).toBe(row.clean);
    expect(await fenced({ title: "A title", evidence: row.clean })).toBe(row.fenced);
  });
});

describe("the task", () => {
  it("is the contract's own, with its numbers in place", () => {
    const task = orderTask();
    expect(task).toMatch(/^You are one juror/);
    expect(task).toContain("answer: foreman/payout/1");
    expect(task).not.toMatch(/[{}]/);
  });
});

describe("the fingerprint", () => {
  it("is the first 16 hex digits of SHA-256 over the UTF-8 of the text", async () => {
    expect(await fingerprint("")).toBe("e3b0c44298fc1c14");
    expect(await fingerprint("é")).toBe("4a99557e4033c3539de2eb65472017ca".slice(0, 16));
  });
});
