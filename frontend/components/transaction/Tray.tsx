/** What this tab has sent, followed to its end, in the corner of every page. */
"use client";
import Link from "next/link";
import { useState } from "react";
import { isOver, type Transaction } from "@/lib/chain/transactions";
import { isUnreachable } from "@/lib/chain/errors";
import { useTransaction } from "@/lib/hooks/transactions";
import { useStore } from "@/lib/store";
import { followedStore, forgetTransaction, type Followed } from "@/lib/transactions";
import { StateTag } from "@/components/ui/Tag";
import { LiveJury } from "./LiveJury";
import { outcomeSentence, Progress } from "./Progress";

const NONE: Followed[] = [];

export function Tray() {
  const followed = useStore(followedStore, NONE);
  const [open, setOpen] = useState(true);
  if (followed.length === 0) return null;
  return (
    <aside aria-label="Your transactions" className="fixed right-0 bottom-0 z-20 w-full sm:right-5 sm:bottom-5 sm:w-[23rem]">
      <div className="max-h-[70dvh] overflow-y-auto border border-rule-2 bg-sheet shadow-lift sm:rounded-box">
        <button type="button" aria-expanded={open} onClick={() => setOpen(!open)} className="flex w-full items-center justify-between px-4 py-2.5 text-small font-[560]">
          Your transactions
          <span className="tick text-ink-3">{open ? "hide" : `show ${followed.length}`}</span>
        </button>
        <ul hidden={!open} className="divide-y border-t">
          {followed.slice(0, 3).map((row) => <Row key={row.hash} followed={row} />)}
        </ul>
      </div>
    </aside>
  );
}

function Row({ followed }: { followed: Followed }) {
  const query = useTransaction(followed.hash);
  const transaction = query.data;
  const over = transaction !== undefined && isOver(transaction.stage);
  return (
    <li className="flex flex-col gap-2.5 px-4 py-3">
      <div className="flex items-center justify-between gap-3">
        <Link href={target(followed, transaction)} className="link min-w-0 truncate font-[560]">{followed.label}</Link>
        <StateTag state={transaction?.stage ?? "waiting"} />
      </div>
      {!over && <Progress transaction={transaction} />}
      {transaction?.stage === "judging" && <LiveJury hash={followed.hash} />}
      <p role="status" className="text-small text-ink-2 [overflow-wrap:anywhere]">
        {query.error && isUnreachable(query.error) ? "The network does not answer. It was sent; its end will be told here." : outcomeSentence(transaction)}
      </p>
      <div className="flex gap-3 text-small">
        <Link href={`/network/transaction/?hash=${followed.hash}`} className="link">Every vote</Link>
        {over && <button type="button" onClick={() => forgetTransaction(followed.hash)} className="ml-auto text-ink-2 hover:text-ink hover:underline">Dismiss<span className="sr-only"> {followed.label}</span></button>}
      </div>
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
