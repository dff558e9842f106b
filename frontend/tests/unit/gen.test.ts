/** Amounts: exact both ways, and refused with words when they are not amounts. */
import { describe, expect, it } from "vitest";
import { displayGen, formatGen, GEN, parseGen, shortGen, share } from "@/lib/format/gen";

describe("parseGen", () => {
  it.each([
    ["1.2", 1_200_000_000_000_000_000n],
    [" 1 ", GEN],
    ["0", 0n],
    ["0.001", 10n ** 15n],
    ["0.000999999999999999", 999_999_999_999_999n],
    ["999999999999999999999", 999_999_999_999_999_999_999n * GEN],
    ["0.000000000000000001", 1n],
    ["1234.5", 1234n * GEN + GEN / 2n],
  ])("reads %j exactly", (text, wei) => {
    expect(parseGen(text)).toEqual({ ok: true, wei });
  });

  it.each([
    "0,5", "1e-3", "0.0000000000000000001", ".5", "1.", "１", "-1", "1_000", "0x10", "", " ", "1,234.5", "1 000",
    "+1", "1.2.3", "NaN", "Infinity", "٣", "0.000999999999999999499", "9".repeat(100), "1\u2009000",
  ])("refuses %j with a reason", (text) => {
    const read = parseGen(text);
    expect(read.ok).toBe(false);
    if (!read.ok) expect(read.reason.length).toBeGreaterThan(10);
  });
});

describe("formatGen", () => {
  it.each([0n, 1n, 10n ** 15n, GEN, 1234n * GEN + GEN / 2n, 2n ** 256n - 1n, 123_456_789_012_345_678n])(
    "prints %d so that parseGen reads the same wei",
    (wei) => expect(parseGen(formatGen(wei))).toEqual({ ok: true, wei }),
  );

  it("shows 1,234.5 GEN with every digit, and what it shows is never read back as 1", () => {
    const wei = 1234n * GEN + GEN / 2n;
    expect(formatGen(wei)).toBe("1234.5");
    expect(displayGen(wei)).toBe("1\u2009234.5");
    expect(parseGen(displayGen(wei)).ok).toBe(false);
  });

  it("cuts the short form and says so", () => {
    expect(shortGen(1_234_567_890_000_000_000n)).toBe("1.2345…");
    expect(shortGen(1n)).toBe("<0.0001");
    expect(shortGen(GEN)).toBe("1");
  });

  it("shares an escrow as the contract does, cutting down", () => {
    expect(share(10n ** 15n + 1n, 33)).toBe(330_000_000_000_000n);
  });
});
