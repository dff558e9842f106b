/**
 * GenLayer's argument encoding, both ways, for reads. Small on purpose: a page that only reads need not load a signing library.
 * A test holds it against genlayer-js, which encodes everything that is sent.
 */
import type { Decoded } from "./fields";

export type Argument = string | number | bigint | boolean | null | Argument[] | { [key: string]: Argument };

const MAX_DEPTH = 128;

export function encode(value: Argument): Uint8Array {
  const out: number[] = [];
  write(value, out);
  return Uint8Array.from(out);
}

/** The calldata of a method call. */
export function encodeCall(method: string, args: Argument[]): Uint8Array {
  return encode(args.length ? { args, method } : { method });
}

function write(value: Argument, out: number[]): void {
  if (value === null) out.push(0);
  else if (typeof value === "boolean") out.push(value ? 16 : 8);
  else if (typeof value === "string") writeText(value, 4, out);
  else if (typeof value === "bigint") writeNumber(value, out);
  else if (typeof value === "number") writeNumber(BigInt(value), out); // throws on a fraction: there is no float
  else if (Array.isArray(value)) {
    writeHead(BigInt(value.length), 5, out);
    for (const item of value) write(item, out);
  } else {
    const entries = Object.entries(value).sort(([one], [other]) => byCodePoint(one, other));
    writeHead(BigInt(entries.length), 6, out);
    for (const [key, item] of entries) {
      writeText(key, null, out);
      write(item, out);
    }
  }
}

function writeNumber(value: bigint, out: number[]): void {
  if (value >= 0n) writeHead(value, 1, out);
  else writeHead(-value - 1n, 2, out);
}

function writeText(text: string, tag: number | null, out: number[]): void {
  const bytes = new TextEncoder().encode(text);
  if (tag === null) writeLeb(BigInt(bytes.length), out);
  else writeHead(BigInt(bytes.length), tag, out);
  for (const byte of bytes) out.push(byte);
}

function writeHead(count: bigint, tag: number, out: number[]): void {
  writeLeb((count << 3n) | BigInt(tag), out);
}

function writeLeb(value: bigint, out: number[]): void {
  let rest = value;
  while (rest >= 128n) {
    out.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  out.push(Number(rest));
}

/** Order of UTF-8 bytes, which is not the order of UTF-16 that `<` has. */
function byCodePoint(one: string, other: string): number {
  const [a, b] = [Array.from(one), Array.from(other)];
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const distance = a[at]!.codePointAt(0)! - b[at]!.codePointAt(0)!;
    if (distance !== 0) return distance;
  }
  return a.length - b.length;
}

/** Decode one whole value. Throws RangeError when the bytes are not exactly that. */
export function decode(bytes: Uint8Array): Decoded {
  const reader = new Reader(bytes);
  const value = reader.value(0);
  reader.end();
  return value;
}

class Reader {
  private at = 0;
  constructor(private readonly bytes: Uint8Array) {}

  end(): void {
    if (this.at !== this.bytes.length) throw new RangeError("bytes are left over after the value");
  }

  value(depth: number): Decoded {
    if (depth > MAX_DEPTH) throw new RangeError("nested too deep");
    const head = this.leb();
    const count = head >> 3n;
    switch (Number(head & 7n)) {
      case 0: return this.special(count);
      case 1: return count;
      case 2: return -count - 1n;
      case 3: return this.take(count).slice();
      case 4: return this.text(count);
      case 5: return Array.from({ length: this.sane(count) }, () => this.value(depth + 1));
      case 6: return this.map(this.sane(count), depth);
      default: throw new RangeError("unknown type");
    }
  }

  private special(kind: bigint): Decoded {
    if (kind === 0n) return null;
    if (kind === 1n || kind === 2n) return kind === 2n;
    if (kind !== 3n) throw new RangeError("unknown special");
    return `0x${Array.from(this.take(20n), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  }

  private map(count: number, depth: number): Decoded {
    const found = new Map<string, Decoded>();
    for (let entry = 0; entry < count; entry++) {
      const key = this.text(this.leb());
      found.set(key, this.value(depth + 1));
    }
    return found;
  }

  private text(length: bigint): string {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(this.take(length));
  }

  /** A count of elements can be no larger than the bytes that are left. */
  private sane(count: bigint): number {
    if (count > BigInt(this.bytes.length - this.at)) throw new RangeError("unexpected end");
    return Number(count);
  }

  private take(length: bigint): Uint8Array {
    const size = this.sane(length);
    this.at += size;
    return this.bytes.subarray(this.at - size, this.at);
  }

  private leb(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) throw new RangeError("unexpected end");
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  }
}

/** The payload envelope of a call (RLP of calldata and the leader-only mark, which is never set) as 0x-hex. */
export function envelope(calldata: Uint8Array): string {
  const inner = [...rlpHead(calldata, 0x80), ...calldata, 0];
  return `0x${toHex([...rlpLength(inner.length, 0xc0), ...inner])}`;
}

function rlpHead(bytes: Uint8Array, base: number): number[] {
  return bytes.length === 1 && bytes[0]! < 0x80 ? [] : rlpLength(bytes.length, base);
}

function rlpLength(length: number, base: number): number[] {
  if (length < 56) return [base + length];
  const size: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) size.unshift(rest % 256);
  return [base + 55 + size.length, ...size];
}

export function toHex(bytes: Iterable<number>): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function fromHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** Bytes from base64; empty when it is none. */
export function fromBase64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
