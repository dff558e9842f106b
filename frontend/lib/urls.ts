/** Which URLs may be evidence: the rule of contracts/shared/urls.py, line for line, so that the form says what the contract will say. */

export const MAX_URL_CHARS = 500;

const ALPHABET = /^[!#-;=?-[\]-_a-~]+$/;
const URL_SHAPE = /^(https?):\/\/([^/?#]*)(?:[/?#].*)?$/i;
const AUTHORITY = /^(?:\[([0-9a-f:.]+)\]|([^:[\]@]+))(?::([0-9]{1,5}))?$/;
const NAME = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.?$/;
const NUMBER = /^(?:0x[0-9a-f]*|[0-9]+)$/;
const INTERNAL =
  /^(?:.*\.(?:localhost|local|localdomain|internal|intranet|lan|home|corp|private|svc|arpa)|(?:.*\.)?metadata\.goog)$/;
const RESERVED =
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 " +
  "192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3 " +
  "2001::/23 2001:db8::/32 2002::/16 3fff::/20";

export type PublicUrl = { scheme: "http" | "https"; host: string; port: number | null };
export type UrlCheck = { ok: true; url: PublicUrl } | { ok: false; reason: string };

type Ip = { bits: 32 | 128; value: bigint };

const SPECIAL = RESERVED.split(" ").map((block) => {
  const [base = "", length = "0"] = block.split("/");
  const ip = readIp(base)!;
  return { bits: ip.bits, shift: BigInt(ip.bits - Number(length)), prefix: ip.value >> BigInt(ip.bits - Number(length)) };
});

function readIp4(text: string): bigint | null {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9][0-9]{0,2})$/.test(part) && Number(part) < 256)) return null;
  return parts.reduce((value, part) => value * 256n + BigInt(part), 0n);
}

function readIp6(text: string): bigint | null {
  let rest = text;
  const tail = /^(.*:)([0-9.]+\.[0-9.]+)$/.exec(rest);
  if (tail) {
    const four = readIp4(tail[2]!);
    if (four === null) return null;
    rest = `${tail[1]}${(four >> 16n).toString(16)}:${(four & 0xffffn).toString(16)}`;
  }
  const halves = rest.split("::");
  if (halves.length > 2) return null;
  const groups = halves.map((half) => (half === "" ? [] : half.split(":")));
  const count = groups.reduce((sum, half) => sum + half.length, 0);
  if (halves.length === 2 ? count > 7 : count !== 8) return null;
  const zeros = Array<string>(8 - count).fill("0");
  const all = halves.length === 2 ? [...groups[0]!, ...zeros, ...groups[1]!] : groups[0]!;
  if (!all.every((group) => /^[0-9a-f]{1,4}$/.test(group))) return null;
  return all.reduce((value, group) => value * 65536n + BigInt(`0x${group}`), 0n);
}

function readIp(text: string): Ip | null {
  const four = readIp4(text);
  if (four !== null) return { bits: 32, value: four };
  const six = text.includes(":") ? readIp6(text) : null;
  return six === null ? null : { bits: 128, value: six };
}

/** Is this the plain spelling of an address that belongs to the open internet? Embedded IPv4 never does. */
export function publicAddress(text: string): boolean {
  const ip = readIp(text);
  if (ip === null) return false;
  if (ip.bits === 128 && ip.value >> 125n !== 1n) return false;
  return !SPECIAL.some((block) => block.bits === ip.bits && ip.value >> block.shift === block.prefix);
}

/** May this URL be fetched as evidence? The reason, when not, is the contract's own sentence. */
export function checkUrl(url: string): UrlCheck {
  if (url.length === 0 || url.length > MAX_URL_CHARS) return no(`a URL is text of 1 to ${MAX_URL_CHARS} characters`);
  if (!ALPHABET.test(url))
    return no("a URL is plain ASCII without spaces, quotes, angle brackets or backslashes; encode the rest");
  const found = URL_SHAPE.exec(url);
  if (found === null) return no("a URL starts with http:// or https://");
  const parts = AUTHORITY.exec(found[2]!.toLowerCase());
  if (parts === null) return no("the host must be plain: no user name, no password, a port in digits");
  const [, literal, name, port] = parts;
  if (port !== undefined && !(Number(port) > 0 && Number(port) < 65536)) return no("the port must be 1 to 65535");
  const host = (literal ?? name)!;
  const lastLabel = (name ?? "").replace(/\.+$/, "").split(".").at(-1)!;
  if (literal !== undefined || NUMBER.test(lastLabel)) {
    if (!publicAddress(host) || (literal !== undefined && !literal.includes(":")))
      return no("the address is not a public one in its plain spelling");
  } else if (host.length > 253 || !NAME.test(host)) {
    return no("the host is not a public domain name; write other scripts in punycode");
  }
  const bare = host.replace(/\.$/, "");
  if (INTERNAL.test(bare)) return no("the host is a private or internal name");
  const scheme = found[1]!.toLowerCase() as "http" | "https";
  return { ok: true, url: { scheme, host: bare, port: port ? Number(port) : null } };
}

function no(reason: string): UrlCheck {
  return { ok: false, reason };
}
