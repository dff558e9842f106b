/** Addresses and hashes, short enough to read, long enough to tell apart. */

export const ZERO = "0x0000000000000000000000000000000000000000";

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

export function isAddress(text: string): text is `0x${string}` {
  return ADDRESS.test(text);
}

export function sameAddress(one: string | null | undefined, other: string | null | undefined): boolean {
  return !!one && !!other && one.toLowerCase() === other.toLowerCase();
}

export function isNobody(address: string | null | undefined): boolean {
  return !address || sameAddress(address, ZERO);
}

/** `0x3f4a…91bc`. */
export function shortHex(hex: string): string {
  return hex.length > 14 ? `${hex.slice(0, 6)}…${hex.slice(-4)}` : hex;
}
