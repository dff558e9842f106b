/** How texts are fenced before a judge sees them: the rule of contracts/shared/fence.py, so that a preview is exactly what will be read. */
import { cleaned } from "@/lib/format/text";

/** Text as the contract stores it: cleaned and trimmed. */
export function aside(text: string): string {
  return cleaned(text).trim();
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Wrap named, clean texts under one tag that occurs in none of them. */
export async function fenced(blocks: Record<string, string>): Promise<string> {
  const entries = Object.entries(blocks);
  const written = entries.map(([name, text]) => `${name} ${Array.from(text).length}\n${text}\n`).join("");
  const seen = written.normalize("NFKC").toLowerCase().normalize("NFKC").replace(/[^\p{L}\p{N}]+/gu, "");
  let tag = "";
  for (let count = 0; tag === "" || seen.includes(tag); count++) tag = (await sha256(`${count}\n${written}`)).slice(0, 24);
  return entries.map(([name, text]) => `BEGIN ${name} ${tag}\n| ${text.replaceAll("\n", "\n| ")}\nEND ${name} ${tag}`).join("\n");
}
