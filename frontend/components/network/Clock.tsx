/** Time travel, on development networks: deadlines and windows can be tried without waiting for them. */
"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Button } from "@/components/ui/Button";
import { Notice } from "@/components/ui/Notice";
import { Section } from "@/components/ui/Page";
import type { Network } from "@/lib/chain/config";
import { explain } from "@/lib/chain/errors";
import { travel } from "@/lib/chain/node";
import { DAY, HOUR, moment } from "@/lib/format/time";
import { useNow } from "@/lib/hooks/network";

const STEPS = [["1 hour", HOUR], ["1 day", DAY], ["7 days", 7 * DAY], ["30 days", 30 * DAY]] as const;

export function Clock({ network }: { network: Network }) {
  const now = useNow();
  const client = useQueryClient();
  const turn = useMutation({
    networkMode: "always",
    mutationFn: (seconds: number) => travel(network, seconds),
    onSettled: () => client.invalidateQueries(),
  });
  return (
    <Section label="Clock" note="development networks only">
      <p className="mb-3">The network’s time is <span className="tabular-nums">{now === null ? "…" : moment(now)}</span>. It only goes forward.</p>
      <div className="flex flex-wrap gap-2">
        {STEPS.map(([label, seconds]) => <Button key={label} size="small" disabled={turn.isPending} onClick={() => turn.mutate(seconds)}>Forward {label}</Button>)}
      </div>
      <div role="alert" className="mt-3 empty:hidden">{turn.error && <Notice tone="bad">{explain(turn.error).sentence}</Notice>}</div>
    </Section>
  );
}
