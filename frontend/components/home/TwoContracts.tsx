/** Which contract is for what. */
import { ButtonLink } from "@/components/ui/Button";

const ROWS = [
  {
    title: "An order",
    when: "One deliverable, one verdict, a proportional payout.",
    facts: ["One evidence URL on any public host", "Validators compare a percent, within 15 points", "One appeal by the client, for a deposit", "A reputation that grows with every verdict"],
    href: "/orders/new/",
    action: "Open an order",
  },
  {
    title: "An agreement",
    when: "Longer work in milestones, and a person for the deadlock.",
    facts: ["Up to six pages, only from places agreed beforehand", "Approve, reject, or not enough evidence", "Appeals by the losing side, each stricter, for a bond", "A named arbiter who can act only when the network cannot"],
    href: "/agreements/new/",
    action: "Draft an agreement",
  },
];

export function TwoContracts() {
  return (
    <section aria-labelledby="contracts" className="measure py-14">
      <h2 id="contracts" className="text-head">Two contracts</h2>
      <div className="mt-8 grid gap-6 md:grid-cols-2">
        {ROWS.map((row) => (
          <div key={row.title} className="flex flex-col rounded-box border bg-sheet p-6">
            <h3 className="text-title">{row.title}</h3>
            <p className="mt-1 text-ink-2">{row.when}</p>
            <ul className="mt-4 mb-6 flex list-[square] flex-col gap-1.5 pl-5 marker:text-ink-3">{row.facts.map((fact) => <li key={fact}>{fact}</li>)}</ul>
            <ButtonLink href={row.href} className="mt-auto self-start">{row.action}</ButtonLink>
          </div>
        ))}
      </div>
    </section>
  );
}
