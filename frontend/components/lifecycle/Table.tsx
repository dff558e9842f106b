/** The transition table itself, as both the app and the contract tests read it. */
import { LIVES, type ContractName } from "@/lib/lifecycle/table";
import { stateLabel } from "@/lib/lifecycle/labels";

const HEADS = ["Method", "From", "To", "Who", "When", "Money"];

export function TransitionTable({ name, caption }: { name: ContractName; caption: string }) {
  return (
    <div className="overflow-x-auto" role="region" aria-label={caption} tabIndex={0}>
      <table className="w-full min-w-[56rem] border-t text-left text-small">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="tick text-ink-3">{HEADS.map((head) => <th key={head} scope="col" className="py-2 pr-4 font-normal">{head}</th>)}</tr>
        </thead>
        <tbody>
          {LIVES[name].transitions.map((row) => (
            <tr key={row.method} className="border-t align-top">
              <th scope="row" className="py-2.5 pr-4 font-normal"><code>{row.method}</code>{row.judged && <span className="block text-ink-3">judged</span>}</th>
              <td className="py-2.5 pr-4">{row.from.map(stateLabel).join(", ")}</td>
              <td className="py-2.5 pr-4">{row.stays ? "stays" : row.to.map(stateLabel).join(", ")}</td>
              <td className="py-2.5 pr-4">{row.who}</td>
              <td className="py-2.5 pr-4">{row.when}</td>
              <td className="max-w-[20rem] py-2.5 pr-4">{row.money}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
