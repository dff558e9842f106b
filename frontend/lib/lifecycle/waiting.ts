/** What waits for a person, told from the orders they are a party of. */
import type { Order } from "@/lib/chain/orders";
import { sameAddress } from "@/lib/format/address";
import { DAY } from "@/lib/format/time";

export type Waiting = { order: Order; sentence: string; urgent: boolean };

/** Orders on which this account can or should act now, the most urgent first. */
export function whatWaits(orders: Order[], who: string, now: number): Waiting[] {
  const seen = new Set<number>();
  return orders
    .filter((order) => !seen.has(order.id) && seen.add(order.id))
    .flatMap((order): Waiting[] => {
      const mine = sameAddress(order.client, who);
      const works = sameAddress(order.provider, who);
      const soon = order.deadline - now < DAY;
      if (order.status === "claimed" && works && now < order.deadline) return [{ order, sentence: "Deliver before the deadline, or let go of it.", urgent: soon }];
      if ((order.status === "open" || order.status === "claimed") && mine && now >= order.deadline) return [{ order, sentence: "The deadline has passed: take your escrow back.", urgent: true }];
      if (order.status === "rejected" && mine && !order.appealUsed && now < order.appealDeadline) return [{ order, sentence: "Rejected. You may appeal if the jury missed something.", urgent: order.appealDeadline - now < DAY }];
      if (order.status === "open" && mine && soon) return [{ order, sentence: "Nobody has claimed it, and the deadline is near.", urgent: false }];
      return [];
    })
    .sort((one, other) => Number(other.urgent) - Number(one.urgent) || one.order.deadline - other.order.deadline);
}

/** Wei of one's own that is locked in live orders. */
export function lockedBy(orders: Order[], who: string): bigint {
  return orders
    .filter((order) => sameAddress(order.client, who) && (order.status === "open" || order.status === "claimed"))
    .reduce((sum, order) => sum + order.escrowWei, 0n);
}
