/** Waiting for what a transaction makes. */
"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { isNotFound } from "@/lib/chain/errors";
import { isOver } from "@/lib/chain/transactions";
import { useTransaction } from "./transactions";

/** Go to the page of what was made. Is it still being made? No longer once its transaction failed, or is not known any more: the form can be sent again. */
export function useOpenWhenMade(hash: string | null, place: string): boolean {
  const router = useRouter();
  const { data: transaction, error } = useTransaction(hash);
  useEffect(() => {
    if (transaction?.ok && transaction.result?.kind === "return" && typeof transaction.result.value === "bigint") router.push(`${place}?id=${transaction.result.value}`);
  }, [transaction, router, place]);
  const failed = transaction !== undefined && isOver(transaction.stage) && !transaction.ok;
  return hash !== null && !failed && !isNotFound(error);
}
