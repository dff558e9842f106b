/** What was asked: the spec, and the criteria with what the judge found for each. */
import { Section } from "@/components/ui/Page";
import { Untrusted } from "@/components/ui/Untrusted";
import type { Order } from "@/lib/chain/orders";

export function Asked({ order }: { order: Order }) {
  return (
    <>
      <Section label="Asked" note="as the client wrote it">
        <Untrusted text={order.spec} className="block max-w-read" />
      </Section>
      <Section label="Criteria" note="the only standard">
        {order.results.length > 0 ? (
          <>
            <Results order={order} />
            <details className="mt-3">
              <summary className="text-small text-ink-2 hover:text-ink">The criteria as the client wrote them</summary>
              <Untrusted text={order.criteria} className="mt-2 block max-w-read" />
            </details>
          </>
        ) : (
          <Untrusted text={order.criteria} className="block max-w-read" />
        )}
      </Section>
    </>
  );
}

function Results({ order }: { order: Order }) {
  return (
    <table className="w-full border-t text-left">
      <caption className="sr-only">Each criterion as the leading judge ticked it</caption>
      <thead>
        <tr className="tick text-ink-3">
          <th scope="col" className="py-2 pr-4 font-normal">Criterion, in the judge’s words</th>
          <th scope="col" className="w-24 py-2 font-normal">Found</th>
        </tr>
      </thead>
      <tbody>
        {order.results.map((row, at) => (
          <tr key={at} className="border-t align-top">
            <td className="py-2.5 pr-4"><Untrusted text={row.criterion} /></td>
            <td className="py-2.5"><Found met={row.met} /></td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Found({ met }: { met: boolean | null }) {
  const [tone, word, path] =
    met === true ? ["text-ok", "Met", "M2 7l3.5 3.5L12 3"] : met === false ? ["text-bad", "Not met", "M3 3l8 8M11 3l-8 8"] : ["text-ink-3", "Not said", "M3 7h8"];
  return (
    <span className={`inline-flex items-center gap-2 whitespace-nowrap ${tone}`}>
      <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true"><path d={path} fill="none" stroke="currentColor" strokeWidth="2" /></svg>
      {word}
    </span>
  );
}
