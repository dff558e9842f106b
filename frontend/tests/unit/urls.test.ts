/** The form's URL rule is the contract's: every static row of the hostile list, and the reason is a sentence. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { adviseUrl } from "@/lib/evidence";
import { checkUrl, publicAddress } from "@/lib/urls";

type Case = { id: string; url: string; static_expected: "allow" | "deny" | "either"; reason: string };

const file = path.resolve(import.meta.dirname, "../../../tests/cases/hostile_urls.json");
const { cases } = JSON.parse(readFileSync(file, "utf8")) as { cases: Case[] };

describe("the hostile URL list", () => {
  it("is whole", () => {
    expect(cases.filter((row) => row.static_expected === "deny").length).toBeGreaterThan(100);
    expect(cases.filter((row) => row.static_expected === "allow").length).toBeGreaterThan(40);
  });

  it.each(cases.filter((row) => row.static_expected === "deny").map((row) => [row.id, row.url, row.reason] as const))(
    "%s refuses %j (%s)",
    (_id, url) => {
      const checked = checkUrl(url);
      expect(checked.ok).toBe(false);
      if (!checked.ok) expect(checked.reason).toMatch(/^(a|the) [a-z]/i);
    },
  );

  it.each(cases.filter((row) => row.static_expected === "allow").map((row) => [row.id, row.url, row.reason] as const))(
    "%s allows %j (%s)",
    (_id, url) => {
      // a raw IDN or a URL written in another script is 'should': the rule asks for punycode
      const ascii = /^[\x20-\x7e]*$/.test(url);
      expect(checkUrl(url).ok).toBe(ascii);
    },
  );
});

describe("publicAddress", () => {
  it.each([
    ["8.8.8.8", true], ["192.0.0.9", false], ["2606:4700::1111", true], ["2001:4860:4860::8888", true],
    ["2001:0:1::1", false], ["3fff::1", false], ["::1", false], ["2606:4700::1::2", false], ["1:2:3:4:5:6:7", false],
    ["2606:4700:0:0:0:0:1.2.3.4", true], ["2606:4700::1.2.3.04", false], ["12345::1", false], ["01.2.3.4", false], ["", false],
  ])("%s is %s", (text, expected) => expect(publicAddress(text)).toBe(expected));
});

describe("advice", () => {
  it.each([
    "https://alice.github.io/report", "https://abc.ngrok-free.app/x", "https://bit.ly/x", "https://pastebin.com/raw/x",
    "http://example.com/", "https://example.com:8443/", "https://raw.githubusercontent.com/o/r/main/a.json",
    "https://cs.example.edu/~bob/", "https://1.1.1.1/",
  ])("warns on %s", (url) => expect(adviseUrl(url).some((advice) => advice.tone === "warn")).toBe(true));

  it.each([
    "https://raw.githubusercontent.com/org/repo/0123456789abcdef0123456789abcdef01234567/out.json",
    "https://web.archive.org/web/20240101000000/https://example.com/",
  ])("praises %s and nothing else", (url) => {
    expect(adviseUrl(url).map((advice) => advice.tone)).toEqual(["good"]);
  });

  it("is silent on what the rule refuses and on an ordinary page", () => {
    expect(adviseUrl("http://127.0.0.1/")).toEqual([]);
    expect(adviseUrl("https://example.org/report.json")).toEqual([]);
  });
});
