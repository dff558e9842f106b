/** Drafting an agreement: who, who decides in a deadlock, and where evidence may come from. Milestones follow on its page. */
"use client";
import { useState } from "react";
import { SendButton } from "@/components/transaction/SendButton";
import { Field } from "@/components/ui/Field";
import { Notice } from "@/components/ui/Notice";
import { domainProblem } from "@/lib/domains";
import { isAddress, isNobody, sameAddress, shortHex } from "@/lib/format/address";
import { countChars } from "@/lib/format/text";
import { useNetwork } from "@/lib/hooks/network";
import { useOpenWhenMade } from "@/lib/hooks/made";
import { MAX_DOMAINS, MAX_TITLE } from "@/lib/lifecycle/limits";
import { useStore } from "@/lib/store";
import { accountStore, burnerStore, type Burner } from "@/lib/wallet/account";

const NONE: Burner[] = [];

export function NewAgreement() {
  const network = useNetwork().data ?? null;
  const account = useStore(accountStore, null);
  const [title, setTitle] = useState("");
  const [provider, setProvider] = useState("");
  const [arbiter, setArbiter] = useState("");
  const [places, setPlaces] = useState("");
  const [hash, setHash] = useState<string | null>(null);
  const underWay = useOpenWhenMade(hash, "/agreements/detail/");

  const domains = places.split(/[\s,]+/).filter(Boolean);
  const found = {
    title: title === "" ? "" : countChars(title) > MAX_TITLE ? `At most ${MAX_TITLE} characters.` : "",
    provider: partyProblem(provider, [[account?.address, "The payer cannot be the provider."]]),
    arbiter: partyProblem(arbiter, [[account?.address, "The arbiter must be neither payer nor provider."], [provider, "The arbiter must be neither payer nor provider."]]),
    places: places === "" ? "" : domains.length > MAX_DOMAINS ? `At most ${MAX_DOMAINS}.` : domains.map((domain) => domainProblem(domain) && `${domain}: ${domainProblem(domain)}`).find(Boolean) ?? "",
  };
  const fit = Object.values(found).every((problem) => problem === "") && [title, provider, arbiter, places].every((text) => text.trim() !== "") && network?.agreements && !underWay;
  const args = [provider.trim(), arbiter.trim(), title.trim(), domains.map((domain) => domain.toLowerCase())];
  return (
    <form className="measure flex flex-col gap-6" onSubmit={(event) => event.preventDefault()}>
      <div className="flex max-w-[46rem] flex-col gap-6">
        <Field label="Title" hint="One line that tells it from other agreements." cap={MAX_TITLE} value={title} onChange={setTitle} error={found.title} />
        <Field label="Provider" hint="The address that will deliver and be paid." mono value={provider} onChange={setProvider} error={found.provider} after={<Known onPick={setProvider} label="provider" />} />
        <Field
          label="Arbiter"
          hint="A person both sides trust, who acts only in a deadlock and only for 14 days. The provider sees the name before it delivers."
          mono
          value={arbiter}
          onChange={setArbiter}
          error={found.arbiter}
          after={<Known onPick={setArbiter} label="arbiter" />}
        />
        <Field label="Places for evidence" hint={`Domains, separated by spaces or lines, at most ${MAX_DOMAINS}. They can never be changed: nothing else will be read.`} rows={3} mono value={places} onChange={setPlaces} error={found.places} placeholder="docs.example.org" />
        {underWay ? (
          <Notice tone="good">The draft is on its way. This page opens it as soon as the network has made it.</Notice>
        ) : (
          <SendButton sending={fit ? { write: { contract: network.agreements!, method: "create_agreement", args }, label: `Draft “${title.trim().slice(0, 40)}”` } : null} onSent={setHash}>Make the draft</SendButton>
        )}
      </div>
    </form>
  );
}

function partyProblem(text: string, others: [string | undefined, string][]): string {
  const typed = text.trim();
  if (typed === "") return "";
  if (!isAddress(typed)) return "An address is 0x and 40 hex digits.";
  if (isNobody(typed)) return "This address belongs to nobody.";
  return others.find(([other]) => sameAddress(typed, other?.trim()))?.[1] ?? "";
}

/** Other accounts of this browser, for those who play every side. */
function Known({ onPick, label }: { onPick: (address: string) => void; label: string }) {
  const account = useStore(accountStore, null);
  const others = useStore(burnerStore, NONE).filter((burner) => !sameAddress(burner.address, account?.address));
  if (others.length === 0) return null;
  return (
    <div className="mt-2 flex flex-wrap gap-1.5 text-small">
      {others.map((burner) => (
        <button key={burner.address} type="button" onClick={() => onPick(burner.address)} className="rounded-vial border border-rule-2 px-2.5 py-0.5 hover:border-ink">
          {burner.label} <span className="figure text-ink-3">{shortHex(burner.address)}</span><span className="sr-only"> as {label}</span>
        </button>
      ))}
    </div>
  );
}
