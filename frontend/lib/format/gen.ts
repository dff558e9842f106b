/** Wei and GEN: read exactly, printed exactly, never a float. The same rule as foreman/money.py. */

export const GEN = 10n ** 18n;
export const MAX_WEI = 2n ** 256n - 1n;

export type Parsed = { ok: true; wei: bigint } | { ok: false; reason: string };

const AMOUNT = /^([0-9]+)(?:\.([0-9]+))?$/;

/** Read an amount in GEN as a person types it. A refusal says what is wrong with it. */
export function parseGen(text: string): Parsed {
  const typed = text.trim();
  if (typed === "") return refuse("Write an amount, for example 1.25.");
  const found = AMOUNT.exec(typed);
  if (found === null) return refuse(whyNot(typed));
  const [, whole = "0", fraction = ""] = found;
  if (fraction.length > 18) return refuse("GEN has 18 decimals; this has more.");
  const wei = BigInt(whole) * GEN + BigInt(fraction.padEnd(18, "0"));
  return wei > MAX_WEI ? refuse("This is more GEN than can exist.") : { ok: true, wei };
}

function refuse(reason: string): Parsed {
  return { ok: false, reason };
}

function whyNot(typed: string): string {
  if (/^[0-9]+,[0-9]+$/.test(typed)) return "Write the decimals after a point: 0.5, not 0,5.";
  if (/[,_' ]/.test(typed)) return "Write the digits without separators: 1234.5.";
  if (typed.startsWith("-")) return "An amount cannot be negative.";
  if (/^\.[0-9]+$/.test(typed)) return `Write a digit before the point: 0${typed}.`;
  if (/^[0-9]+\.$/.test(typed)) return "Write digits after the point, or leave the point out.";
  return "Write plain digits, for example 1.25.";
}

/** Print wei as GEN with every digit that matters and no more. What this prints, parseGen reads. */
export function formatGen(wei: bigint): string {
  const sign = wei < 0n ? "-" : "";
  const size = wei < 0n ? -wei : wei;
  const fraction = (size % GEN).toString().padStart(18, "0").replace(/0+$/, "");
  return `${sign}${size / GEN}${fraction && `.${fraction}`}`;
}

/** The same digits for reading only: thousands set apart by a thin space. Never cut, never rounded. */
export function displayGen(wei: bigint): string {
  const [whole = "0", fraction] = formatGen(wei).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, "\u2009");
  return fraction ? `${grouped}.${fraction}` : grouped;
}

/** A short form for tight places, cut (not rounded) to four decimals, with a sign that it was cut. */
export function shortGen(wei: bigint): string {
  const [whole = "0", fraction = ""] = displayGen(wei).split(".");
  if (fraction.length <= 4) return fraction ? `${whole}.${fraction}` : whole;
  const cut = fraction.slice(0, 4).replace(/0+$/, "");
  return whole === "0" && cut === "" ? "<0.0001" : `${whole}${cut && `.${cut}`}…`;
}

/** The provider's part of an escrow, as the contract computes it. */
export function share(escrow: bigint, percent: number): bigint {
  return (escrow * BigInt(percent)) / 100n;
}
