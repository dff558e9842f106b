/** Reading decoded calldata field by field, tolerantly: a missing or odd field gives a default, never a crash. */

/** Whole numbers are bigint, addresses 0x-hex text, maps Map. */
export type Decoded = null | boolean | bigint | string | Uint8Array | Decoded[] | Map<string, Decoded>;

export class Fields {
  constructor(private readonly map: Map<string, Decoded>) {}

  /** The fields of a value that should be a map; null when it is not one. */
  static of(value: unknown): Fields | null {
    return value instanceof Map ? new Fields(value as Map<string, Decoded>) : null;
  }

  has(key: string): boolean {
    return this.map.has(key);
  }

  text(key: string): string {
    const value = this.map.get(key);
    if (typeof value === "string") return value;
    return typeof value === "bigint" ? String(value) : "";
  }

  /** A whole number within what a JS number holds exactly; else the default. */
  count(key: string, otherwise = 0): number {
    const value = this.wei(key, null);
    return value === null || value > BigInt(Number.MAX_SAFE_INTEGER) || value < BigInt(Number.MIN_SAFE_INTEGER)
      ? otherwise
      : Number(value);
  }

  /** A whole number of any size; contracts write it as an int or as decimal text. */
  wei(key: string): bigint;
  wei(key: string, otherwise: null): bigint | null;
  wei(key: string, otherwise: bigint | null = 0n): bigint | null {
    const value = this.map.get(key);
    if (typeof value === "bigint") return value;
    if (typeof value === "string" && /^-?[0-9]{1,80}$/.test(value)) return BigInt(value);
    return otherwise;
  }

  flag(key: string): boolean {
    return this.map.get(key) === true;
  }

  flagOrNull(key: string): boolean | null {
    const value = this.map.get(key);
    return typeof value === "boolean" ? value : null;
  }

  texts(key: string): string[] {
    const value = this.map.get(key);
    if (typeof value === "string") return value === "" ? [] : [value];
    return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
  }

  counts(key: string): number[] {
    const value = this.map.get(key);
    return Array.isArray(value) ? value.filter((item) => typeof item === "bigint").map(Number) : [];
  }

  rows(key: string): Fields[] {
    const value = this.map.get(key);
    return Array.isArray(value) ? value.map(Fields.of).filter((row): row is Fields => row !== null) : [];
  }

  inner(key: string): Fields | null {
    return Fields.of(this.map.get(key));
  }

  keys(): string[] {
    return [...this.map.keys()];
  }
}
