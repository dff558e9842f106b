/** Light, dark, or as the system has it. */
"use client";
import { useEffect, useState } from "react";
import { keep, recall } from "@/lib/store";
import { applyTheme, CHOICES, THEME_KEY, type Choice } from "./theme";

export function ThemeSwitch() {
  const [choice, setChoice] = useState<Choice>("system");
  useEffect(() => {
    const kept = recall("local", THEME_KEY);
    if (kept === "light" || kept === "dark") setChoice(kept);
    const system = matchMedia("(prefers-color-scheme: dark)");
    const follow = () => applyTheme((recall("local", THEME_KEY) as Choice | null) ?? "system");
    system.addEventListener("change", follow);
    return () => system.removeEventListener("change", follow);
  }, []);
  const pick = (next: Choice) => {
    setChoice(next);
    keep("local", THEME_KEY, next === "system" ? null : next);
    applyTheme(next);
  };
  return (
    <fieldset className="flex self-start rounded-box border border-rule-2 p-0.5">
      <legend className="sr-only">Colours</legend>
      {CHOICES.map((name) => (
        <label
          key={name}
          className="tick cursor-pointer rounded-tick px-2.5 py-1.5 text-ink-2 hover:text-ink has-checked:bg-well has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-busy"
        >
          <input type="radio" name="theme" className="sr-only" checked={choice === name} onChange={() => pick(name)} />
          {name}
        </label>
      ))}
    </fieldset>
  );
}
