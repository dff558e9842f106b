/** A fault of the app itself: said plainly, with a way on. */
"use client";
import { Button } from "@/components/ui/Button";
import { PageHead } from "@/components/ui/Page";

export default function ErrorPage({ error, reset }: { error: Error; reset: () => void }) {
  return (
    <PageHead
      title="This page has a fault"
      lead={<>Your money is not touched by it: everything that counts is on the network. The fault says: {error.message.slice(0, 200)}</>}
      actions={<Button weight="primary" onClick={reset}>Try again</Button>}
    />
  );
}
