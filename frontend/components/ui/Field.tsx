/** Form fields: a label, what it is for, how much is left, and what is wrong, all tied together for screen readers. */
"use client";
import { useId, type ChangeEvent } from "react";
import { countChars } from "@/lib/format/text";

type Props = {
  label: string;
  hint?: React.ReactNode;
  error?: string;
  value: string;
  onChange: (value: string) => void;
  cap?: number;
  rows?: number;
  placeholder?: string;
  inputMode?: "decimal" | "numeric" | "url" | "text";
  unit?: string;
  mono?: boolean;
  after?: React.ReactNode;
  autoFocus?: boolean;
};

export const INPUT =
  "w-full rounded-box border border-edge bg-sheet px-3 py-2 text-base text-ink placeholder:text-ink-3 hover:border-ink " +
  "aria-invalid:border-bad aria-invalid:bg-bad-wash/40";

export function Field({ label, hint, error, value, onChange, cap, rows, placeholder, inputMode, unit, mono, after, autoFocus }: Props) {
  const id = useId();
  const used = cap === undefined ? 0 : countChars(value);
  const shared = {
    id,
    value,
    placeholder,
    autoFocus,
    spellCheck: inputMode === undefined || inputMode === "text",
    autoComplete: "off",
    "aria-invalid": error ? true : undefined,
    "aria-describedby": `${id}-hint ${id}-error`,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange(event.target.value),
    className: `${INPUT} ${mono ? "figure" : ""} ${unit ? "pr-14" : ""}`,
  };
  return (
    <div>
      <div className="flex items-baseline justify-between gap-4">
        <label htmlFor={id} className="font-[560]">{label}</label>
        {cap !== undefined && (
          <span className={`tick ${used > cap ? "text-bad" : "text-ink-3"}`}>
            {used.toLocaleString("en")} / {cap.toLocaleString("en")}
          </span>
        )}
      </div>
      <div id={`${id}-hint`} className="mt-0.5 mb-2 text-small text-ink-2">{hint}</div>
      <div className="relative">
        {rows ? <textarea rows={rows} {...shared} /> : <input type="text" inputMode={inputMode} {...shared} />}
        {unit && <span aria-hidden="true" className="absolute top-1/2 right-3 -translate-y-1/2 text-small text-ink-3">{unit}</span>}
      </div>
      <p id={`${id}-error`} aria-live="polite" className="mt-1 text-small text-bad empty:hidden">{error}</p>
      {after}
    </div>
  );
}
