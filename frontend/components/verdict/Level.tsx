/** A verdict as a spirit level: the bubble is the agreed percent, the marks below are what each seat found, the band is how far apart they may be. */
import { TOLERANCE } from "@/lib/lifecycle/limits";

export type Mark = { seat: number; percent: number | null; agrees: boolean };

/** Where a percent stands, leaving the bubble room at both ends. */
function place(percent: number): string {
  return `calc(1.5rem + (100% - 3rem) * ${Math.min(100, Math.max(0, percent)) / 100})`;
}

export function Level({ percent, marks = [], label = "Agreed" }: { percent: number; marks?: Mark[]; label?: string }) {
  const band = [Math.max(0, percent - TOLERANCE), Math.min(100, percent + TOLERANCE)] as const;
  return (
    <figure aria-label={describe(percent, marks, label)} role="img" className="select-none">
      <div className="relative h-14 overflow-hidden rounded-vial border-2 border-on-vial bg-vial dark:border-transparent">
        <div aria-hidden="true" className="absolute inset-0 bg-linear-to-b from-[oklch(0.97_0.1_117/0.7)] via-transparent to-[oklch(0.6_0.16_125/0.55)]" />
        {marks.length > 0 && (
          <div aria-hidden="true" className="absolute inset-y-0 bg-[oklch(1_0_0/0.38)]" style={{ left: place(band[0]), width: `calc((100% - 3rem) * ${(band[1] - band[0]) / 100})` }} />
        )}
        <div aria-hidden="true" className="absolute inset-y-0 w-[2px] bg-on-vial" style={{ left: place(50) }} />
        <div
          aria-hidden="true"
          className="absolute top-1/2 h-9 w-11 -translate-x-1/2 -translate-y-1/2 rounded-[50%] border-[1.5px] border-on-vial bg-[radial-gradient(ellipse_at_38%_28%,#fff_0_22%,oklch(0.95_0.06_117)_60%,oklch(0.86_0.12_119))]"
          style={{ left: place(percent) }}
        />
      </div>
      <Scale marks={marks} />
    </figure>
  );
}

function Scale({ marks }: { marks: Mark[] }) {
  return (
    <div aria-hidden="true" className="relative mx-6 mt-1.5">
      <div className="ruler h-2 border-r border-rule-2" />
      <div className="tick relative mt-1 flex justify-between text-ink-3">
        <span className="-ml-1">0</span>
        <span>50 accepts</span>
        <span className="-mr-2">100</span>
      </div>
      {marks.some((mark) => mark.percent !== null) && (
        <div className="relative mt-2" style={{ height: `${Math.max(...heights(marks)) * 1.65}rem` }}>
          {marks.map((mark, at) =>
            mark.percent === null ? null : (
              <span
                key={mark.seat}
                className={`tick absolute grid h-6 w-6 -translate-x-1/2 place-items-center rounded-vial border font-[560] ${
                  mark.agrees ? "border-ok bg-ok-wash text-ok" : "border-dashed border-bad bg-bad-wash text-bad"
                }`}
                style={{ left: `${mark.percent}%`, top: `${(heights(marks)[at]! - 1) * 1.65}rem` }}
              >
                {mark.seat + 1}
              </span>
            ),
          )}
        </div>
      )}
    </div>
  );
}

/** Marks closer than five points are stacked, so that each can be read. */
function heights(marks: Mark[]): number[] {
  return marks.map((mark, at) => 1 + marks.slice(0, at).filter((other) => near(mark.percent, other.percent)).length);
}

function near(one: number | null, other: number | null): boolean {
  return one !== null && other !== null && Math.abs(one - other) < 7;
}

function describe(percent: number, marks: Mark[], label: string): string {
  const seats = marks.map((mark) => `seat ${mark.seat + 1} ${mark.percent === null ? "gave no number" : `found ${mark.percent}`}${mark.agrees ? "" : " and did not agree"}`);
  return [`${label}: ${percent} percent, ${percent >= 50 ? "accepted" : "rejected"}`, ...seats].join("; ");
}

/** The same in one line of a list. */
export function SmallLevel({ percent }: { percent: number }) {
  return (
    <span className="inline-flex items-center gap-2.5">
      <span aria-hidden="true" className="relative h-2.5 w-16 rounded-vial border border-rule-2 bg-well">
        <span className="absolute inset-y-0 left-1/2 w-px bg-rule-2" />
        <span className={`absolute top-1/2 size-2.5 -translate-x-1/2 -translate-y-1/2 rounded-vial border border-on-vial ${percent >= 50 ? "bg-vial" : "bg-sheet dark:bg-ink"}`} style={{ left: `${8 + percent * 0.84}%` }} />
      </span>
      <span className="figure">{percent} %</span>
    </span>
  );
}
