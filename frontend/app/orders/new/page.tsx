/** Opening an order. */
import type { Metadata } from "next";
import { NewOrder } from "@/components/order/NewOrder";
import { PageHead } from "@/components/ui/Page";
import { orderTask } from "@/lib/judging/prompts";

export const metadata: Metadata = { title: "New order" };

export default function NewOrderPage() {
  return (
    <>
      <PageHead title="New order" lead="Say what is to be made and how one sees that it was. The clearer the criteria, the less is left to a judge." />
      <NewOrder task={orderTask()} />
    </>
  );
}
