/** The reading codec against genlayer-js, which encodes everything that is sent, and against worked examples. */
import { abi } from "genlayer-js";
import { toRlp, toHex as viemHex } from "viem";
import { describe, expect, it } from "vitest";
import { decode, encode, encodeCall, envelope, fromHex, toHex, type Argument } from "@/lib/chain/calldata";

const EXAMPLES: [Argument, string][] = [
  [null, "00"], [false, "08"], [true, "10"], [0, "01"], [1, "09"], [15, "79"], [16, "8101"], [127, "f907"], [128, "8108"],
  [2n ** 64n, "81808080808080808010"], [2n ** 256n - 1n, `f9${"ff".repeat(35)}7f`], [-1, "02"], [-16, "7a"], [-17, "8201"],
  ["", "04"], ["abc", "1c616263"], ["é", "14c3a9"], ["😀", "24f09f9880"], ["a".repeat(20), `a401${"61".repeat(20)}`],
  [[], "05"], [[1, [2], null], "1d090d1100"], [{}, "06"], [{ b: 1, a: 2 }, "16016111016209"],
  [{ a: 1, "": 0, aa: 2 }, "1e000101610902616111"], [{ "\uffff": 1, "\u{10000}": 2 }, "1603efbfbf0904f090808011"],
];

describe("calldata", () => {
  it.each(EXAMPLES.map(([value, hex]) => [hex.slice(0, 40), value, hex] as const))("encodes to %s", (_name, value, hex) => expect(toHex(encode(value))).toBe(hex));

  it.each(EXAMPLES.map(([value, hex]) => [hex.slice(0, 40), value] as const))("reads back %s", (_name, value) => {
    expect(toHex(encode(plain(decode(encode(value)))))).toBe(toHex(encode(value)));
  });

  it.each(([
    ["get", []], ["ping", [1]], ["create_order", ["Ten primes", "spec\nwith 😀", "1) a", 7]], ["f", [[1, "x", [true]], null, -5n, 10n ** 30n]],
    ["long", ["x".repeat(5000)]],
  ] as [string, Argument[]][]).map(([method, args]) => ({ method, args })))("encodes a call of $method as genlayer-js does, envelope and all", ({ method, args }) => {
    const theirs = abi.calldata.encode(abi.calldata.makeCalldataObject(method, args as never, undefined));
    expect(toHex(encodeCall(method, args))).toBe(toHex(theirs));
    expect(envelope(encodeCall(method, args))).toBe(toRlp([viemHex(theirs), "0x00"]));
  });

  it("reads an address as hex text and bytes as bytes", () => {
    expect(decode(fromHex(`18${"5b".repeat(20)}`))).toBe(`0x${"5b".repeat(20)}`);
    expect(decode(fromHex("13dead"))).toEqual(Uint8Array.of(0xde, 0xad));
  });

  it.each(["", "1c6162", "20", "07", "0909", "fd7f", `${"0d".repeat(200)}05`, "0cff", "1d09"])("refuses %j", (hex) => {
    expect(() => decode(fromHex(hex))).toThrow();
  });

  it("refuses a fraction", () => expect(() => encode(1.5)).toThrow());
});

function plain(value: unknown): Argument {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [key, plain(item)]));
  return Array.isArray(value) ? value.map(plain) : (value as Argument);
}
