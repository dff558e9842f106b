/** The way a scenario takes, state by state, with the exits the table offers from where it stands. */
import { exits, type Frame, type Life } from "@/lib/lifecycle/table";
import { stateLabel } from "@/lib/lifecycle/labels";

export function StateMap({ life, frames, at }: { life: Life; frames: Frame[]; at: number }) {
  const here = frames[at]!.to;
  const states = ["none", ...frames.map((frame) => frame.to)];
  const ways = exits(life, here);
  return (
    <div className="rounded-box border bg-sheet p-4">
      <ol className="flex flex-wrap items-center gap-x-1 gap-y-2" aria-label="The way so far">
        {states.map((state, index) => {
          const passed = index <= at + 1;
          const now = index === at + 1;
          return (
            <li key={index} aria-current={now ? "step" : undefined} className="flex items-center gap-1">
              {index > 0 && <span aria-hidden="true" className={`h-px w-4 ${passed ? "bg-ink" : "bg-rule-2"}`} />}
              <span
                className={`rounded-vial border px-2.5 py-0.5 text-small ${
                  now ? "border-on-vial bg-vial font-[560] text-on-vial" : passed ? "border-ink text-ink" : "border-dashed border-rule-2 text-ink-3"
                }`}
              >
                {stateLabel(state)}
              </span>
            </li>
          );
        })}
      </ol>
      <p className="mt-4 text-small text-ink-2">{life.states[here]?.means}</p>
      <p className="mt-1 text-small text-ink-2">
        {ways.length === 0 ? "No money is held, and nothing more can happen." : <>Ways out of here: {ways.map((way, index) => <span key={way.method}>{index > 0 && ", "}<code>{way.method}</code></span>)}</>}
      </p>
    </div>
  );
}
