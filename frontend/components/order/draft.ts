/** An order that is being written, and what still keeps it from being opened. */
import { hasUnseen, countChars } from "@/lib/format/text";
import { formatGen, parseGen } from "@/lib/format/gen";
import { MAX_CRITERIA, MAX_DEADLINE_DAYS, MAX_SPEC, MAX_TITLE, MIN_ESCROW_WEI } from "@/lib/lifecycle/limits";

export type Draft = { title: string; spec: string; criteria: string; gen: string; days: string };
export type Problems = Partial<Record<keyof Draft, string>>;

export const EMPTY: Draft = { title: "", spec: "", criteria: "", gen: "", days: "7" };

/** Problems by step: the work, the criteria, the terms. */
export function problems(draft: Draft): Problems[] {
  return [
    strip({ title: text(draft.title, MAX_TITLE, true), spec: text(draft.spec, MAX_SPEC) }),
    strip({ criteria: text(draft.criteria, MAX_CRITERIA) }),
    strip({ gen: amount(draft.gen), days: days(draft.days) }),
  ];
}

function strip(found: Record<string, string>): Problems {
  return Object.fromEntries(Object.entries(found).filter(([, problem]) => problem !== ""));
}

function text(value: string, cap: number, oneLine = false): string {
  if (value.trim() === "") return "This cannot be empty.";
  if (countChars(value) > cap) return `At most ${cap.toLocaleString("en")} characters.`;
  if (hasUnseen(value.trim())) return "There are invisible characters in this text. What a provider reads must be what the judge reads: remove them.";
  if (oneLine && /[\n\t]/.test(value.trim())) return "A title is a single line.";
  return "";
}

function amount(value: string): string {
  const read = parseGen(value);
  if (!read.ok) return read.reason;
  return read.wei < MIN_ESCROW_WEI ? `At least ${formatGen(MIN_ESCROW_WEI)} GEN: a smaller order costs every validator more than it is worth.` : "";
}

function days(value: string): string {
  const count = /^[0-9]{1,4}$/.test(value.trim()) ? Number(value) : 0;
  return count >= 1 && count <= MAX_DEADLINE_DAYS ? "" : `A whole number of days, 1 to ${MAX_DEADLINE_DAYS}.`;
}
