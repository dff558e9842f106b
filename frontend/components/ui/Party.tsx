/** An address: short, copyable, and told when it is yours. */
"use client";
import Link from "next/link";
import { useState } from "react";
import { isNobody, sameAddress, shortHex } from "@/lib/format/address";
import { useStore } from "@/lib/store";
import { accountStore, burnerStore, type Burner } from "@/lib/wallet/account";

const NONE: Burner[] = [];

export function Party({ address, nobody = "nobody yet", link = true }: { address: string; nobody?: string; link?: boolean }) {
  const account = useStore(accountStore, null);
  const burners = useStore(burnerStore, NONE);
  if (isNobody(address)) return <span className="text-ink-3">{nobody}</span>;
  const mine = sameAddress(account?.address, address);
  const burner = burners.find((row) => sameAddress(row.address, address));
  const text = <span className="figure text-[0.93em]" title={address}>{shortHex(address)}</span>;
  return (
    <span className="inline-flex items-baseline gap-1.5 whitespace-nowrap">
      {link ? <Link href={`/providers/detail/?address=${address}`} className="link">{text}</Link> : text}
      {burner && <span className="text-small text-ink-2">{burner.label}</span>}
      {mine && <span className="rounded-tick bg-vial px-1 text-tick font-[560] text-on-vial">you</span>}
    </span>
  );
}

export function Copy({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), 2000);
    } catch {
      setCopied(false); // no permission: the text is on screen to be selected
    }
  };
  return (
    <button type="button" onClick={() => void copy()} className="tick rounded-tick px-1 text-ink-3 hover:bg-well hover:text-ink">
      {copied ? "copied" : "copy"}
      <span className="sr-only"> {label}</span>
    </button>
  );
}
