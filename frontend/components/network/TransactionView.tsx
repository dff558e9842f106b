/** One transaction: its stages, what it asked, how it ended, and every seat of every round. */
"use client";
import Link from "next/link";
import { useSearchParams } from "next/navigation";
import { LiveJury } from "@/components/transaction/LiveJury";
import { outcomeSentence, Progress } from "@/components/transaction/Progress";
import { Amount } from "@/components/ui/Amount";
import { ButtonLink } from "@/components/ui/Button";
import { PageHead, Section } from "@/components/ui/Page";
import { Copy, Party } from "@/components/ui/Party";
import { Empty, Failure, Loading } from "@/components/ui/States";
import { StateTag } from "@/components/ui/Tag";
import { When } from "@/components/ui/Time";
import { Untrusted } from "@/components/ui/Untrusted";
import { Rounds } from "@/components/verdict/Rounds";
import { isNotFound } from "@/lib/chain/errors";
import type { Decoded } from "@/lib/chain/fields";
import type { Transaction } from "@/lib/chain/transactions";
import { shortHex } from "@/lib/format/address";
import { useTransaction } from "@/lib/hooks/transactions";

export function TransactionView() {
  const text = useSearchParams().get("hash") ?? "";
  const hash = /^0x[0-9a-f]{64}$/i.test(text) ? text : null;
  const query = useTransaction(hash);
  if (hash === null || isNotFound(query.error))
    return (
      <div className="measure py-12">
        <h1 className="sr-only">Transaction not found</h1>
        <Empty title="The network knows no such transaction." action={<ButtonLink href="/network/">Network</ButtonLink>}>Check the hash, and that it was sent to this network.</Empty>
      </div>
    );
  if (query.data) return <Found transaction={query.data} hash={hash} />;
  return <div className="measure py-12">{query.error ? <Failure error={query.error} onRetry={() => void query.refetch()} /> : <Loading />}</div>;
}

function Found({ transaction, hash }: { transaction: Transaction; hash: string }) {
  return (
    <>
      <PageHead
        over={<><span className="figure">{shortHex(hash)}</span> <Copy text={hash} label="the hash" /> <StateTag state={transaction.stage} /></>}
        title={transaction.method ? sentence(transaction.method) : "Transfer"}
        lead={<Untrusted text={outcomeSentence(transaction)} />}
      />
      <div className="measure">
        <Section label="Stages" note={<When at={transaction.createdAt} />}>
          <Progress transaction={transaction} />
          {transaction.stage === "judging" && <div className="mt-4"><LiveJury hash={hash} /></div>}
        </Section>
        <Section label="Asked">
          <dl className="flex flex-col gap-2.5">
            <Row label="From"><Party address={transaction.from} /></Row>
            <Row label="To"><Party address={transaction.to} link={false} /></Row>
            <Row label="Value"><Amount wei={transaction.valueWei} /></Row>
            {transaction.args.map((arg, at) => <Row key={at} label={`Argument ${at + 1}`}>{show(arg) === "" ? <span className="text-ink-3">empty</span> : <Untrusted text={show(arg)} />}</Row>)}
            {transaction.result?.kind === "return" && transaction.result.value !== null && <Row label="Returned"><Untrusted text={show(transaction.result.value)} /></Row>}
          </dl>
        </Section>
        {transaction.children.length > 0 && (
          <Section label="Sent on" note="transactions of its run">
            <ul>{transaction.children.map((child) => <li key={child}><Link href={`/network/transaction/?hash=${child}`} className="link figure">{shortHex(child)}</Link></li>)}</ul>
          </Section>
        )}
        <Section label="Jury">
          {transaction.rounds.length ? <Rounds transaction={transaction} title="Every seat" linked={false} /> : <p className="text-ink-2">{transaction.stage === "judging" ? "It has not voted yet." : "No jury was asked: nothing in it needed judgement."}</p>}
        </Section>
      </div>
    </>
  );
}

function Row({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="grid gap-x-4 sm:grid-cols-[8rem_minmax(0,1fr)]">
      <dt className="text-ink-3">{label}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

/** A method's name as words: "Submit deliverable". */
function sentence(method: string): string {
  const words = method.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A decoded value as text, a little like JSON. */
function show(value: Decoded): string {
  if (typeof value === "string") return value;
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  if (value instanceof Map) return [...value].map(([key, item]) => `${key}: ${show(item)}`).join("\n");
  if (Array.isArray(value)) return value.map(show).join("\n");
  return String(value);
}
