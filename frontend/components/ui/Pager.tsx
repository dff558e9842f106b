/** Newer and older: pages without a count, because counting would mean reading everything. */
"use client";
import { Button } from "./Button";

export function Pager({ page, more, onPage }: { page: number; more: boolean; onPage: (page: number) => void }) {
  if (page === 0 && !more) return null;
  return (
    <nav aria-label="Pages" className="flex items-center justify-between pt-5">
      <Button size="small" disabled={page === 0} onClick={() => onPage(page - 1)}>Newer</Button>
      <span className="tick text-ink-3">Page {page + 1}</span>
      <Button size="small" disabled={!more} onClick={() => onPage(page + 1)}>Older</Button>
    </nav>
  );
}
