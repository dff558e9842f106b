/** The form of one action: what it needs, what it costs, what follows, and the button. */
"use client";
import { useState } from "react";
import { SendButton } from "@/components/transaction/SendButton";
import { Stakes } from "@/components/ui/ActionList";
import { Field } from "@/components/ui/Field";
import type { Argument } from "@/lib/chain/contract";
import type { Order } from "@/lib/chain/orders";
import { countChars } from "@/lib/format/text";
import { useNetwork } from "@/lib/hooks/network";
import type { Sending } from "@/lib/hooks/transactions";
import { MAX_CONTEXT, MAX_NOTE } from "@/lib/lifecycle/limits";
import { daysLeftToExtend, type Action } from "@/lib/lifecycle/order-actions";
import { checkUrl } from "@/lib/urls";
import { UrlField } from "./UrlField";

export function ActionForm({ action, order }: { action: Action; order: Order }) {
  const network = useNetwork().data ?? null;
  const [url, setUrl] = useState("");
  const [text, setText] = useState("");
  const [days, setDays] = useState("7");
  const args = argumentsOf(action, order, { url: url.trim(), text, days });
  const sending: Sending | null =
    args && network?.foreman
      ? {
          write: { contract: network.foreman, method: action.method, args, value: action.valueWei },
          label: `${action.title}: order ${order.id}`,
          order: order.id,
        }
      : null;
  return (
    <div className="flex flex-col gap-4">
      {action.needs === "url" && <UrlField value={url} onChange={setUrl} />}
      {action.needs === "url" && (
        <Field label="Note" hint="Optional. Point to where on the page to look; it proves nothing by itself." rows={2} cap={MAX_NOTE} value={text} onChange={setText} />
      )}
      {action.needs === "context" && (
        <Field label="Context for the jury" hint="What the first verdict missed, and where on the page it stands." rows={4} cap={MAX_CONTEXT} value={text} onChange={setText} />
      )}
      {action.needs === "days" && (
        <Field label="Days" hint={`1 to ${daysLeftToExtend(order)}, added to the deadline.`} inputMode="numeric" value={days} onChange={setDays} error={args ? undefined : "Write a whole number of days."} />
      )}
      <Stakes cost={action.cost} consequence={action.consequence} />
      <SendButton sending={sending}>{action.title}</SendButton>
    </div>
  );
}

type Typed = { url: string; text: string; days: string };

/** The contract's arguments, or null while the form is not fit to be sent. */
function argumentsOf(action: Action, order: Order, { url, text, days }: Typed): Argument[] | null {
  switch (action.needs) {
    case "url": return checkUrl(url).ok && countChars(text) <= MAX_NOTE ? [order.id, url, text.trim()] : null;
    case "context": return countChars(text) <= MAX_CONTEXT ? [order.id, text.trim()] : null;
    case "days": {
      const count = /^[0-9]{1,3}$/.test(days.trim()) ? Number(days) : 0;
      return count >= 1 && count <= daysLeftToExtend(order) ? [order.id, count] : null;
    }
    default: return [order.id];
  }
}
