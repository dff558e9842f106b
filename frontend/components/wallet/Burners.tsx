/** Burner accounts: keys of this browser, for development networks, funded by the faucet. */
"use client";
import { Amount } from "@/components/ui/Amount";
import { Button } from "@/components/ui/Button";
import type { Network } from "@/lib/chain/config";
import { fund } from "@/lib/chain/node";
import { sameAddress, shortHex } from "@/lib/format/address";
import { GEN } from "@/lib/format/gen";
import { useBalance } from "@/lib/hooks/node";
import { useStore } from "@/lib/store";
import { accountStore, burnerStore, chooseBurner, makeBurner, type Burner } from "@/lib/wallet/account";
import type { Act } from "./AccountDialog";

const GIFT = 100n * GEN;
const NONE: Burner[] = [];

type Props = { network: Network; busy: string; act: Act; onChosen: () => void };

export function Burners({ network, busy, act, onChosen }: Props) {
  const burners = useStore(burnerStore, NONE);
  const make = () =>
    act("new", async () => {
      const burner = await makeBurner();
      await fund(network, burner.address, GIFT);
      chooseBurner(burner.address);
      onChosen();
    });
  return (
    <section aria-labelledby="burners">
      <h3 id="burners" className="font-[560]">Burner accounts</h3>
      <p className="mt-1 text-small text-ink-2">
        This is a development network: its GEN is play money. A burner is a key kept in this browser. Open a second tab with another one to play both sides.
      </p>
      <ul className="mt-3 divide-y border-y">
        {burners.map((burner) => <Row key={burner.address} burner={burner} network={network} busy={busy} act={act} onChosen={onChosen} />)}
      </ul>
      <Button className="mt-3 w-full" weight={burners.length ? "plain" : "primary"} disabled={busy !== ""} onClick={() => void make()}>
        {busy === "new" ? "Making and funding it…" : "New burner account with 100 GEN"}
      </Button>
    </section>
  );
}

function Row({ burner, network, busy, act, onChosen }: Props & { burner: Burner }) {
  const account = useStore(accountStore, null);
  const balance = useBalance(burner.address);
  const mine = sameAddress(account?.address, burner.address);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2.5">
      <div className="min-w-0 flex-1">
        <span className="font-[560]">{burner.label}</span>{" "}
        <span className="figure text-small whitespace-nowrap text-ink-2">{shortHex(burner.address)}</span>
        <div className="text-small text-ink-2">{balance.data === undefined ? "…" : <Amount wei={balance.data} short />}</div>
      </div>
      <Button size="small" weight="quiet" disabled={busy !== ""} onClick={() => void act(burner.address, async () => void (await fund(network, burner.address, GIFT)))}>
        {busy === burner.address ? "Funding…" : "Add 100 GEN"}
        <span className="sr-only"> to {burner.label}</span>
      </Button>
      {mine ? (
        <span className="tick px-3 text-ok">in use</span>
      ) : (
        <Button size="small" disabled={busy !== ""} onClick={() => { chooseBurner(burner.address); onChosen(); }}>
          Use<span className="sr-only"> {burner.label}</span>
        </Button>
      )}
    </li>
  );
}
