/** Says that an amount is above what this tab's account holds, as soon as it is written. A warning: the balance may have changed until it is sent. */
"use client";
import { Amount } from "@/components/ui/Amount";
import { useBalance } from "@/lib/hooks/node";
import { useStore } from "@/lib/store";
import { accountStore } from "@/lib/wallet/account";

export function BalanceWarning({ wei }: { wei: bigint }) {
  const account = useStore(accountStore, null);
  const balance = useBalance(account?.address ?? null).data;
  return (
    <p aria-live="polite" className="mt-1 text-small text-warn empty:hidden">
      {balance !== undefined && balance < wei && <>This account holds <Amount wei={balance} />, less than this amount.</>}
    </p>
  );
}
