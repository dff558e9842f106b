/** The five steps in a line each. */
import Link from "next/link";
import { STEPS } from "./steps";

export function FiveSteps() {
  return (
    <section aria-labelledby="steps" className="border-y bg-sheet">
      <div className="measure py-14">
        <h2 id="steps" className="text-head">From a promise to a payout</h2>
        <ol className="mt-8 grid gap-x-8 gap-y-8 sm:grid-cols-2 lg:grid-cols-5">
          {STEPS.map((step, at) => (
            <li key={step.title} className="border-t-2 border-ink pt-3">
              <span className="tick text-ink-3">{at + 1}</span>
              <h3 className="mt-1 font-[560]">{step.title}</h3>
              <p className="mt-1.5 text-small text-ink-2">{step.short}</p>
            </li>
          ))}
        </ol>
        <p className="mt-8"><Link href="/how-it-works/" className="link">The whole story, with its limits</Link></p>
      </div>
    </section>
  );
}
