/** An example of a verdict, with the parts that a real one has. */
import { Level } from "@/components/verdict/Level";
import { MoneyBar } from "@/components/money/MoneyBar";
import { GEN } from "@/lib/format/gen";

export const EXAMPLE_MARKS = [
  { seat: 0, percent: 60, agrees: true },
  { seat: 1, percent: 60, agrees: true },
  { seat: 2, percent: 66, agrees: true },
  { seat: 3, percent: 52, agrees: true },
  { seat: 4, percent: 20, agrees: false },
];

export function Anatomy() {
  return (
    <section aria-labelledby="anatomy" className="measure py-14">
      <h2 id="anatomy" className="text-head">One number, and everyone’s reasons</h2>
      <p className="mt-3 max-w-read text-read text-ink-2">
        An example: three of five criteria are met. Four seats find about the same, one sees something else. More than half agree within 15 points, so it
        is decided, and the dissent stays on the record.
      </p>
      <div className="mt-8 grid gap-10 rounded-box border bg-sheet p-5 md:p-8 lg:grid-cols-[minmax(0,1.7fr)_minmax(0,1fr)]">
        <Level percent={60} marks={EXAMPLE_MARKS} label="Example" />
        <div>
          <h3 className="mb-3 font-[560]">10 GEN, split</h3>
          <MoneyBar
            parts={[
              { label: "In escrow", wei: 0n, kind: "escrow" },
              { label: "Paid to the provider", wei: 6n * GEN, kind: "paid" },
              { label: "Returned to the client", wei: 4n * GEN, kind: "refunded" },
            ]}
          />
        </div>
      </div>
    </section>
  );
}
