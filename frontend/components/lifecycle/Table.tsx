/** The transition table itself, as both the app and the contract tests read it: a table, or a list where that is too wide. */
import { LIVES, type ContractName, type Transition } from "@/lib/lifecycle/table";
import { stateLabel } from "@/lib/lifecycle/labels";

const HEADS = ["Method", "From", "To", "Who", "When", "Money"];

const from = (row: Transition) => row.from.map(stateLabel).join(", ");
const to = (row: Transition) => (row.stays ? "stays" : row.to.map(stateLabel).join(", "));

export function TransitionTable({ name, caption }: { name: ContractName; caption: string }) {
  const rows = LIVES[name].transitions;
  return (
    <>
      <ul className="border-t lg:hidden" aria-label={caption}>
        {rows.map((row) => <Card key={row.method} row={row} />)}
      </ul>
      <table className="hidden w-full border-t text-left text-small lg:table">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="tick text-ink-3">{HEADS.map((head) => <th key={head} scope="col" className="py-2 pr-4 font-normal">{head}</th>)}</tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.method} className="border-t align-top">
              <th scope="row" className="py-2.5 pr-4 font-normal"><code>{row.method}</code>{row.judged && <span className="block text-ink-3">judged</span>}</th>
              <td className="py-2.5 pr-4">{from(row)}</td>
              <td className="py-2.5 pr-4">{to(row)}</td>
              <td className="py-2.5 pr-4">{row.who}</td>
              <td className="py-2.5 pr-4">{row.when}</td>
              <td className="max-w-[20rem] py-2.5 pr-4">{row.money}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Card({ row }: { row: Transition }) {
  const facts = [["Moves", `${from(row)} → ${to(row)}`], ["Who", row.who], ["When", row.when], ["Money", row.money]] as const;
  return (
    <li className="border-b py-3.5">
      <p className="flex flex-wrap items-baseline gap-x-3"><code>{row.method}</code>{row.judged && <span className="text-small text-ink-3">judged</span>}</p>
      <dl className="mt-1.5 flex flex-col gap-1 text-small">
        {facts.map(([label, text]) => (
          <div key={label} className="grid grid-cols-[4rem_minmax(0,1fr)] gap-3"><dt className="text-ink-3">{label}</dt><dd>{text}</dd></div>
        ))}
      </dl>
    </li>
  );
}
