/** The button that sends: it says what is happening, and what went wrong, right where it was pressed. */
"use client";
import { Button } from "@/components/ui/Button";
import { Notice } from "@/components/ui/Notice";
import { explain } from "@/lib/chain/errors";
import { useSend, type Sending } from "@/lib/hooks/transactions";
import { BalanceWarning } from "./Balance";

type Props = {
  sending: Sending | null;
  children: React.ReactNode;
  weight?: "primary" | "plain";
  onSent?: (hash: string) => void;
};

export function SendButton({ sending, children, weight = "primary", onSent }: Props) {
  const send = useSend();
  const words = { idle: children, checking: "Asking the contract…", signing: "Waiting for the signature…" }[send.phase];
  return (
    <div className="flex flex-col items-start gap-3">
      <Button
        weight={weight}
        disabled={sending === null || send.isPending}
        aria-busy={send.isPending}
        onClick={() => sending && send.mutate(sending, { onSuccess: onSent })}
      >
        {send.isPending && send.phase === "idle" ? "One moment…" : words}
      </Button>
      {!!sending?.write.value && <BalanceWarning wei={sending.write.value} />}
      <div role="alert" className="w-full empty:hidden">
        {send.error && (
          <Notice tone="bad">
            <strong className="font-[560]">{explain(send.error).title}.</strong> {explain(send.error).sentence} {explain(send.error).hint}
          </Notice>
        )}
      </div>
    </div>
  );
}
