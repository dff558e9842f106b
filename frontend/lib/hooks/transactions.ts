/** Following transactions, sending them, and hearing the network's news. */
"use client";
import { useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ChainError, isNotFound, isUnreachable } from "@/lib/chain/errors";
import { follow } from "@/lib/chain/events";
import type { Network } from "@/lib/chain/config";
import { getTransaction, isOver, type Transaction } from "@/lib/chain/transactions";
import { useStore } from "@/lib/store";
import { getBirth } from "@/lib/chain/node";
import { changedSince, followedStore, followTransaction, liveStore, noteChange, type Followed } from "@/lib/transactions";
import { noteSeat } from "@/lib/seats";
import { accountStore } from "@/lib/wallet/account";
import type { Write } from "@/lib/wallet/send";
import { keys } from "./keys";
import { useBirth } from "./node";
import { useChainQuery, useNetwork } from "./network";

/** One transaction, followed until nothing more will happen to it. */
export function useTransaction(hash: string | null) {
  const live = useStore(liveStore, null);
  const [over, setOver] = useState(false);
  const query = useChainQuery(keys.transaction(hash ?? ""), (network, signal) => readNow(network, hash!, signal), {
    enabled: hash !== null,
    staleTime: over ? Infinity : 1000,
    refetchInterval: over ? false : live ? 4000 : 1500, // the stream tells at once; this is for when it is down
  });
  const stage = query.data?.stage;
  useEffect(() => setOver(stage !== undefined && isOver(stage)), [stage]);
  return query;
}

/** Read it, and once more when news of it came while the answer was on its way. */
async function readNow(network: Network, hash: string, signal: AbortSignal): Promise<Transaction> {
  for (;;) {
    const begun = Date.now();
    const found = await getTransaction(network, hash, signal);
    if (isOver(found.stage) || !changedSince(hash, begun)) return found;
  }
}

/** One of this tab's own: followed only on the chain that took it, and told as gone once the network does not know it. */
export function useFollowed({ hash, chain }: Followed) {
  const birth = useBirth(chain !== undefined);
  const elsewhere = chain !== undefined && birth.data !== undefined && birth.data !== chain;
  const query = useTransaction(chain === undefined || birth.data === chain ? hash : null);
  const error = query.error ?? birth.error;
  const gone = elsewhere || isNotFound(error);
  return { transaction: gone ? undefined : query.data, gone, lost: !gone && isUnreachable(error) };
}

export type Sending = { write: Write; label: string; order?: number; agreement?: number };
export type Phase = "idle" | "checking" | "signing";

/** Send a transaction from the chosen account. Resolves with its hash; it is followed from then on. */
export function useSend() {
  const network = useNetwork().data ?? null;
  const client = useQueryClient();
  const [phase, setPhase] = useState<Phase>("idle");
  const mutation = useMutation({
    networkMode: "always",
    mutationFn: async ({ write, label, order, agreement }: Sending) => {
      const account = accountStore.get();
      if (!network) throw new ChainError("unreachable", "The network is not known yet.", "Wait a moment and try again.");
      if (!account) throw new ChainError("no_wallet", "Choose an account first.", "Use the account button at the top of the page.");
      setPhase("checking");
      const { send } = await import("@/lib/wallet/send");
      const chain = await getBirth(network).catch(() => ""); // before sending: afterwards nothing may fail
      const hash = await send(network, account, write, () => setPhase("signing"));
      const followed: Followed = { hash, label, method: write.method, from: account.address };
      if (chain) followed.chain = chain;
      if (order !== undefined) followed.order = order;
      if (agreement !== undefined) followed.agreement = agreement;
      followTransaction(followed);
      return hash;
    },
    onSettled: () => {
      setPhase("idle");
      void client.invalidateQueries({ queryKey: keys.chain });
    },
  });
  return { ...mutation, phase };
}

const CALM_MS = 1500;

/** Keep what is on screen in step with the network. Mounted once, in the layout. */
export function useNews(): void {
  const network = useNetwork().data ?? null;
  const client = useQueryClient();
  const seen = useVisible();
  const followed = useStore(followedStore, NONE);
  useEffect(() => {
    if (!network?.node || !seen) return; // a hidden tab frees its connection: browsers allow six to one host, all tabs together
    const calm = makeCalm(client);
    const stop = follow(network.node, {
      onChange: ({ hash }) => {
        noteChange(hash);
        const mine = followedStore.get().some((row) => row.hash === hash);
        if (mine || client.getQueryData(keys.transaction(hash))) void client.invalidateQueries({ queryKey: keys.transaction(hash) });
        calm.later(mine ? 0 : CALM_MS);
      },
      onSeat: noteSeat,
      onLive: (live) => {
        if (live && liveStore.get() === false) void client.invalidateQueries();
        liveStore.set(live);
      },
      onReset: () => void client.resetQueries(),
    });
    return () => {
      stop();
      calm.stop();
      liveStore.set(null);
    };
  }, [network, client, seen]);
  usePolling(client, network !== null && !network.node, followed.length);
}

/** Is this tab looked at? When it is again, everything it shows may be old. */
function useVisible(): boolean {
  const client = useQueryClient();
  const [seen, setSeen] = useState(true);
  useEffect(() => {
    const look = () => {
      setSeen(!document.hidden);
      if (!document.hidden) void client.invalidateQueries();
    };
    setSeen(!document.hidden);
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [client]);
  return seen;
}

const NONE: Followed[] = [];

/** Without a stream: look again now and then, more often while something of ours is under way. */
function usePolling(client: QueryClient, on: boolean, following: number): void {
  useEffect(() => {
    if (!on) return;
    const timer = setInterval(() => void client.invalidateQueries({ queryKey: keys.chain }), following > 0 ? 5000 : 20_000);
    return () => clearInterval(timer);
  }, [client, on, following]);
}

/** Many changes a second make one refresh, not many. */
function makeCalm(client: QueryClient) {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let due = Infinity;
  return {
    later(ms: number) {
      const at = Date.now() + ms;
      if (at >= due) return;
      if (timer) clearTimeout(timer);
      due = at;
      timer = setTimeout(() => {
        due = Infinity;
        void client.invalidateQueries({ queryKey: keys.chain });
        void client.invalidateQueries({ queryKey: keys.clock });
      }, ms);
    },
    stop() {
      if (timer) clearTimeout(timer);
    },
  };
}
