/** Text that a party or a model wrote, made safe to look at: what a reader could not see is shown, not obeyed. */

// The same characters as contracts/shared/fence.py drops; the app shows them instead, so that nothing hides.
const JOINED =
  "\\u0590-\\u061b\\u061d-\\u109f\\u1780-\\u17b3\\u17b6-\\u180a\\u1810-\\u18af\\u2190-\\u2bff\\ufb1d-\\ufdff\\ufe0f\\ufe70-\\ufefc" +
  "\\u{1f000}-\\u{1faff}"; // scripts whose spelling needs joiners, and emoji
const STYLED =
  "#*0-9\\u00a9\\u00ae\\u203c\\u2049\\u2122\\u2139\\u2190-\\u2bff\\u3030\\u303d\\u3297\\u3299\\u{1f000}-\\u{1faff}"; // emoji that take a selector
const UNSEEN = new RegExp(
  "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200e\\u200f" +
    "\\u2028-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ud800-\\udfff\\ufe00-\\ufe0d\\ufeff\\uffa0\\ufff0-\\ufffb\\u{1bca0}-\\u{1bca3}" +
    "\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]" +
    `|(?<![${JOINED}])[\\u200c\\u200d]|[\\u200c\\u200d](?![${JOINED}])|(?<![${STYLED}])[\\ufe0e\\ufe0f]`,
  "gu",
);
const BREAK = /\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]/g;

export type Piece = { seen: true; text: string } | { seen: false; text: string };

/** Cut text into what a reader sees and what they would not: runs of invisible characters become their code points. */
export function pieces(text: string): Piece[] {
  const flat = text.replace(BREAK, "\n");
  const out: Piece[] = [];
  let at = 0;
  for (const found of flat.matchAll(UNSEEN)) {
    if (found.index > at) out.push({ seen: true, text: flat.slice(at, found.index) });
    const codes = Array.from(found[0], (char) => `U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`);
    const last = out.at(-1);
    if (last && !last.seen) last.text += ` ${codes.join(" ")}`;
    else out.push({ seen: false, text: codes.join(" ") });
    at = found.index + found[0].length;
  }
  if (at < flat.length) out.push({ seen: true, text: flat.slice(at) });
  return out;
}

/** The text as the contract's cleaner leaves it. */
export function cleaned(text: string): string {
  return text.replace(BREAK, "\n").replace(UNSEEN, "");
}

/** Does the text hold characters nobody can see? */
export function hasUnseen(text: string): boolean {
  return cleaned(text) !== text.replace(BREAK, "\n");
}

/** Characters as the contract counts them: code points after trimming. */
export function countChars(text: string): number {
  return Array.from(text.trim()).length;
}

/** `1 order`, `2 orders`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
