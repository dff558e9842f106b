/** The network from outside: where it is, who sits on its jury, whether its books balance, what happened last. */
"use client";
import Link from "next/link";
import { Amount } from "@/components/ui/Amount";
import { Notice } from "@/components/ui/Notice";
import { Section } from "@/components/ui/Page";
import { Copy, Party } from "@/components/ui/Party";
import { Failure, Loading, Reading } from "@/components/ui/States";
import { StateTag } from "@/components/ui/Tag";
import { When } from "@/components/ui/Time";
import type { Network } from "@/lib/chain/config";
import { shortHex } from "@/lib/format/address";
import { useNetwork } from "@/lib/hooks/network";
import { useBooks, useLatest, useSeats } from "@/lib/hooks/node";
import { Clock } from "./Clock";

export function NetworkView() {
  const network = useNetwork();
  if (network.data === null) return <p>Nothing is set up yet. <Link href="/setup/" className="link">Set it up</Link></p>;
  if (network.error && !network.data) return <Failure error={network.error} onRetry={() => void network.refetch()} />;
  if (!network.data) return <Loading />;
  return (
    <>
      <Facts network={network.data} />
      {network.data.node ? (
        <>
          <Seats />
          <Books />
          {network.data.dev && <Clock network={network.data} />}
          <Latest />
        </>
      ) : (
        <Section label="Jury"><p className="text-ink-2">This network does not tell who sits on its jury. Each transaction does.</p></Section>
      )}
    </>
  );
}

function Facts({ network }: { network: Network }) {
  const rows: [string, string | null][] = [
    ["JSON-RPC", network.rpcUrl],
    ["Chain", String(network.chainId)],
    ["Foreman contract", network.foreman],
    ["Agreements contract", network.agreements],
  ];
  return (
    <Section label="Where" note={network.dev ? "a development network" : network.name}>
      <dl className="flex flex-col gap-2.5">
        {rows.map(([label, value]) => (
          <div key={label} className="grid gap-x-4 sm:grid-cols-[11rem_minmax(0,1fr)]">
            <dt className="text-ink-3">{label}</dt>
            <dd className="figure break-all max-sm:text-[0.86em]">{value ?? "not set"} {value && <Copy text={value} label={label} />}</dd>
          </div>
        ))}
      </dl>
      {network.dev && <div className="mt-5"><Notice>GEN is play money here. Anyone on this machine can mint it and turn the clock.</Notice></div>}
    </Section>
  );
}

function Seats() {
  const query = useSeats();
  return (
    <Section label="Jury" note="more than half of all seats decide">
      <Reading query={query}>
        {(seats) => (
          <ol className="grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
            {seats.map((seat) => (
              <li key={seat.seat} className="rounded-box border bg-sheet px-4 py-3">
                <span className="font-[560]">Seat {seat.seat}</span>
                <div className="text-small text-ink-2">judge <span className="figure">{seat.judge}</span></div>
                <div className="figure text-small text-ink-3" title={seat.address}>{shortHex(seat.address)}</div>
              </li>
            ))}
          </ol>
        )}
      </Reading>
    </Section>
  );
}

function Books() {
  const query = useBooks();
  return (
    <Section label="Books" note="balances + reserved + in flight = minted">
      <Reading query={query}>
        {(books) => (
          <>
            <dl className="grid gap-x-8 gap-y-2 sm:grid-cols-2">
              {([["Minted", books.mintedWei], ["On accounts and contracts", books.balancesWei], ["Reserved for pending transactions", books.reservedWei], ["In flight, not final", books.inFlightWei]] as const).map(([label, wei]) => (
                <div key={label} className="flex items-baseline justify-between gap-4 border-b pb-2"><dt className="text-ink-2">{label}</dt><dd><Amount wei={wei} /></dd></div>
              ))}
            </dl>
            <p className={`mt-4 font-[560] ${books.conserved ? "text-ok" : "text-bad"}`}>{books.conserved ? "They balance, to the wei." : "They do not balance. This is a fault of the network: stop and report it."}</p>
          </>
        )}
      </Reading>
    </Section>
  );
}

function Latest() {
  const query = useLatest();
  return (
    <Section label="Latest" note="transactions">
      <Reading query={query} lines={5}>
        {(rows) =>
          rows.length === 0 ? <p className="text-ink-2">Nothing has happened yet.</p> : (
            <ol className="border-t">
              {rows.map((row) => (
                <li key={row.hash} className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 border-b py-2.5 sm:grid-cols-[minmax(0,1fr)_10rem_7.5rem_8rem]">
                  <Link href={`/network/transaction/?hash=${row.hash}`} className="link min-w-0 justify-self-start">{row.method ? row.method.replaceAll("_", " ") : "transfer"}</Link>
                  <span className="text-small max-sm:order-last"><Party address={row.from} nobody="the network" link={false} /></span>
                  <span className="max-sm:justify-self-end"><StateTag state={row.stage} /></span>
                  <span className="text-small text-ink-2 sm:text-right"><When at={row.createdAt} /></span>
                </li>
              ))}
            </ol>
          )
        }
      </Reading>
    </Section>
  );
}
