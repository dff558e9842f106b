/** What this tab has sent, followed to its end, in a bar at the foot of every page. It takes its own room and covers nothing for good. */
"use client";
import Link from "next/link";
import { useState } from "react";
import { isOver, type Transaction } from "@/lib/chain/transactions";
import { useFollowed } from "@/lib/hooks/transactions";
import { useStore } from "@/lib/store";
import { followedStore, forgetTransaction, type Followed } from "@/lib/transactions";
import { StateTag } from "@/components/ui/Tag";
import { LiveJury } from "./LiveJury";
import { outcomeSentence, Progress } from "./Progress";

const NONE: Followed[] = [];
const LOST = "The network does not answer. It was sent; its end will be told here.";
const GONE = "It was taken, but it is not known to this network any more: the network was started anew, or from an older state.";

export function Tray() {
  const followed = useStore(followedStore, NONE);
  const [all, setAll] = useState(false);
  const [first, ...rest] = followed;
  if (!first) return null;
  return (
    <aside aria-label="Your transactions" className="sticky bottom-0 z-20 border-t-2 border-ink bg-sheet">
      <ul className="measure max-h-[60dvh] divide-y overflow-y-auto">
        <Row key={first.hash} followed={first}>
          {rest.length > 0 && (
            <button type="button" aria-expanded={all} onClick={() => setAll(!all)} className="text-ink-2 hover:text-ink hover:underline">
              {all ? "Hide older" : `${rest.length} older`}
            </button>
          )}
        </Row>
        {all && rest.map((row) => <Row key={row.hash} followed={row} />)}
      </ul>
    </aside>
  );
}

function Row({ followed, children }: { followed: Followed; children?: React.ReactNode }) {
  const { transaction, gone, lost } = useFollowed(followed);
  const over = gone || (transaction !== undefined && isOver(transaction.stage));
  return (
    <li className="flex flex-col gap-2 py-2.5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5 text-small">
        <StateTag state={gone ? "gone" : transaction?.stage ?? "waiting"} />
        {gone ? (
          <span className="max-w-[22rem] min-w-0 truncate text-base font-[560]">{followed.label}</span>
        ) : (
          <Link href={target(followed, transaction)} className="link max-w-[22rem] min-w-0 truncate text-base font-[560]">{followed.label}</Link>
        )}
        <p role="status" className="min-w-[12rem] flex-1 text-ink-2 [overflow-wrap:anywhere]">
          {gone ? GONE : lost ? LOST : outcomeSentence(transaction)}
        </p>
        <div className="flex gap-4">
          {children}
          {!gone && <Link href={`/network/transaction/?hash=${followed.hash}`} className="link">Every vote</Link>}
          {over && (
            <button type="button" onClick={() => forgetTransaction(followed.hash)} className="text-ink-2 hover:text-ink hover:underline">
              Dismiss<span className="sr-only"> {followed.label}</span>
            </button>
          )}
        </div>
      </div>
      {!over && (
        <div className="grid items-start gap-x-6 gap-y-2 md:grid-cols-2">
          <Progress transaction={transaction} />
          {transaction?.stage === "judging" && <LiveJury hash={followed.hash} />}
        </div>
      )}
    </li>
  );
}

/** Where the thing is that it was about. A new order's id is what the transaction returned. */
function target(followed: Followed, transaction: Transaction | undefined): string {
  if (followed.order !== undefined) return `/orders/detail/?id=${followed.order}`;
  if (followed.agreement !== undefined) return `/agreements/detail/?id=${followed.agreement}`;
  const made = transaction?.ok && transaction.result?.kind === "return" ? transaction.result.value : null;
  if (typeof made === "bigint" && followed.method === "create_order") return `/orders/detail/?id=${made}`;
  if (typeof made === "bigint" && followed.method === "create_agreement") return `/agreements/detail/?id=${made}`;
  return `/network/transaction/?hash=${followed.hash}`;
}
