/** A form in steps: where one is, what is still missing, forward and back. Nothing is lost on the way. */
"use client";
import { useEffect, useRef, type ReactNode } from "react";
import { Button } from "./Button";

type Props = {
  steps: string[];
  at: number;
  onStep: (step: number) => void;
  /** Problems per step; a step with problems cannot be passed. */
  blocked: object[];
  children: ReactNode;
};

export function Stepper({ steps, at, onStep, blocked, children }: Props) {
  const head = useRef<HTMLHeadingElement>(null);
  const first = useRef(true);
  useEffect(() => {
    if (!first.current) head.current?.focus();
    first.current = false;
  }, [at]);
  const fit = (step: number) => Object.keys(blocked[step] ?? {}).length === 0;
  const reachable = (step: number) => steps.slice(0, step).every((_, before) => fit(before));
  return (
    <div className="measure grid gap-8 pb-4 lg:grid-cols-[14rem_minmax(0,1fr)]">
      <ol className="flex gap-1 lg:flex-col" aria-label="Steps">
        {steps.map((name, step) => (
          <li key={name} className="flex-1 lg:flex-none">
            <button
              type="button"
              disabled={!reachable(step)}
              aria-current={step === at ? "step" : undefined}
              onClick={() => onStep(step)}
              className="group w-full border-t-4 border-rule-2 pt-2 text-left text-small text-ink-2 not-disabled:hover:text-ink disabled:text-ink-3 aria-[current=step]:border-vial-deep aria-[current=step]:text-ink lg:border-t-0 lg:border-l-4 lg:py-1.5 lg:pl-3"
            >
              <span className="tick text-ink-3">{step + 1}</span> <span className="max-sm:sr-only">{name}</span>
            </button>
          </li>
        ))}
      </ol>
      <div className="min-w-0 max-w-[46rem]">
        <h2 ref={head} tabIndex={-1} className="mb-5 text-title outline-none">{steps[at]}</h2>
        {children}
        <div className="mt-8 flex justify-between gap-3 border-t pt-5">
          {at > 0 && <Button onClick={() => onStep(at - 1)}>Back</Button>}
          {at < steps.length - 1 && (
            <Button weight="primary" className="ml-auto" disabled={!fit(at)} onClick={() => onStep(at + 1)}>Next: {steps[at + 1]!.toLowerCase()}</Button>
          )}
        </div>
      </div>
    </div>
  );
}
