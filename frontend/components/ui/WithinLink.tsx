/** A link to the same page with another query. It asks nothing of the server, so it works while that is away. */
"use client";
import type { ComponentProps, MouseEvent } from "react";

/** Go there as a link would: a step in the history that `useSearchParams` hears of. */
export function goWithin(href: string): void {
  history.pushState(null, "", href);
  scrollTo(0, 0);
}

export function WithinLink({ href, ...rest }: ComponentProps<"a"> & { href: string }) {
  const go = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return; // another tab or window
    event.preventDefault();
    goWithin(href);
  };
  return <a href={href} onClick={go} {...rest} />;
}
