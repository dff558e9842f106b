/** Times, addresses and untrusted text. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { isNobody, sameAddress, shortHex } from "@/lib/format/address";
import { cleaned, countChars, hasUnseen, pieces } from "@/lib/format/text";
import { ago, moment, span } from "@/lib/format/time";

describe("time", () => {
  it.each([
    [0, "0 s"], [59, "59 s"], [60, "1 min"], [61, "1 min 1 s"], [3599, "59 min"], [3600, "1 h"], [7800, "2 h 10 min"],
    [86400, "1 day"], [86400 * 6 + 4 * 3600, "6 days 4 h"], [-5, "0 s"],
  ])("a span of %d s is %j", (seconds, text) => expect(span(seconds)).toBe(text));

  it("tells moments in UTC, whatever the machine's zone", () => {
    expect(moment(1_772_546_700)).toBe("3 Mar 2026, 14:05 UTC");
    expect(moment(1e20)).toBe("an unknown time");
  });

  it("tells how long ago, and never that the past is to come", () => {
    expect(ago(100, 100)).toBe("now");
    expect(ago(7300, 100)).toBe("now");
    expect(ago(100, 7300)).toBe("2 h ago");
  });
});

describe("addresses", () => {
  it("compares without case and knows nobody", () => {
    expect(sameAddress("0xAb", "0xaB")).toBe(true);
    expect(sameAddress(null, null)).toBe(false);
    expect(isNobody(`0x${"0".repeat(40)}`)).toBe(true);
    expect(shortHex(`0x${"ab".repeat(20)}`)).toBe("0xabab…abab");
  });
});

describe("untrusted text", () => {
  it("shows what a reader could not see, as code points", () => {
    expect(pieces("pay\u202e100\u200b")).toEqual([
      { seen: true, text: "pay" }, { seen: false, text: "U+202E" }, { seen: true, text: "100" }, { seen: false, text: "U+200B" },
    ]);
    expect(hasUnseen("a\u{e0041}b")).toBe(true);
  });

  it("leaves joiners where a script or an emoji needs them", () => {
    for (const text of ["می\u200cخواهم", "👩\u200d💻", "✍\ufe0f", "plain"]) expect(cleaned(text)).toBe(text);
  });

  it("makes one kind of line break", () => expect(cleaned("a\r\nb\rc\u2028d")).toBe("a\nb\nc\nd"));

  it("counts code points after trimming, as the contract does", () => expect(countChars(" 👩é ")).toBe(2));

  it("hides nothing of the injection list: every text comes back as seen pieces plus marks", () => {
    const file = path.resolve(import.meta.dirname, "../../../tests/cases/injections.json");
    const { cases } = JSON.parse(readFileSync(file, "utf8")) as { cases: { id: string; text?: string }[] };
    const texts = cases.flatMap((row) => (typeof row.text === "string" ? [row.text] : []));
    expect(texts.length).toBeGreaterThan(50);
    for (const text of texts) {
      const seen = pieces(text).filter((piece) => piece.seen).map((piece) => piece.text).join("");
      expect(seen).toBe(cleaned(text));
    }
  });
});
