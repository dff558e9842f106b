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

type Group = { percent: number; agrees: boolean; seats: number[]; row: number };

function Scale({ marks }: { marks: Mark[] }) {
  const groups = groupMarks(marks);
  return (
    <div aria-hidden="true" className="relative mx-6 mt-1.5">
      <div className="ruler h-2 border-r border-rule-2" />
      <div className="tick relative mt-1 flex justify-between text-ink-3">
        <span className="-ml-1">0</span>
        <span>50 accepts</span>
        <span className="-mr-2">100</span>
      </div>
      {groups.length > 0 && (
        <div className="relative mt-2" style={{ height: `${Math.max(...groups.map((group) => group.row + 1)) * 1.75}rem` }}>
          {groups.map((group) => (
            <span
              key={`${group.percent} ${group.agrees}`}
              className={`tick absolute flex h-6 min-w-6 items-center justify-center gap-1.5 rounded-vial border px-1.5 ${
                group.agrees ? "border-ok bg-ok-wash text-ok" : "border-dashed border-bad bg-bad-wash text-bad"
              }`}
              style={{ left: `${group.percent}%`, top: `${group.row * 1.75}rem`, transform: `translateX(-${Math.min(85, Math.max(15, group.percent))}%)` }}
            >
              {group.seats.map((seat) => <span key={seat}>{seat}</span>)}
            </span>
          ))}
        </div>
      )}
    </div>
  );
}

const WIDE = 6; // points of the scale that one numbered seat takes

/** Seats with the same number share a mark; marks that would overlap go to the next row. */
function groupMarks(marks: Mark[]): Group[] {
  const groups: Group[] = [];
  for (const { seat, percent, agrees } of marks) {
    if (percent === null) continue;
    const same = groups.find((group) => group.percent === percent && group.agrees === agrees);
    if (same) same.seats.push(seat);
    else groups.push({ percent, agrees, seats: [seat], row: 0 });
  }
  groups.sort((one, other) => one.percent - other.percent);
  groups.forEach((group, at) => {
    while (groups.slice(0, at).some((other) => other.row === group.row && Math.abs(other.percent - group.percent) < (WIDE * (other.seats.length + group.seats.length)) / 2 + 1)) group.row++;
  });
  return groups;
}

function describe(percent: number, marks: Mark[], label: string): string {
  const seats = marks.map((mark) => `seat ${mark.seat} ${mark.percent === null ? "gave no number" : `found ${mark.percent}`}${mark.agrees ? "" : " and did not agree"}`);
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
      <span className="figure">{percent}%</span>
    </span>
  );
}
