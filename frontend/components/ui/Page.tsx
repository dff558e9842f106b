/** How a page is laid out: a head, then sections with their label in the margin. */
import type { ReactNode } from "react";

export function PageHead({ over, title, lead, actions }: { over?: ReactNode; title: ReactNode; lead?: ReactNode; actions?: ReactNode }) {
  return (
    <header className="measure flex flex-col gap-5 pt-10 pb-8 md:flex-row md:items-end md:justify-between md:pt-14">
      <div className="min-w-0 max-w-[46rem]">
        {over && <div className="tick mb-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-3">{over}</div>}
        <h1 className="text-head [overflow-wrap:anywhere]">{title}</h1>
        {lead && <p className="mt-3 text-read text-ink-2">{lead}</p>}
      </div>
      {actions && <div className="flex shrink-0 flex-wrap gap-2">{actions}</div>}
    </header>
  );
}

export function Section({ label, note, children, id }: { label: string; note?: ReactNode; children: ReactNode; id?: string }) {
  const heading = `${id ?? label.toLowerCase().replace(/[^a-z]+/g, "-")}-label`;
  return (
    <section id={id} aria-labelledby={heading} className="grid gap-x-8 gap-y-4 border-t py-8 md:grid-cols-[11rem_minmax(0,1fr)]">
      <div>
        <h2 id={heading} className="text-base">{label}</h2>
        {note && <div className="tick mt-1.5 text-ink-3">{note}</div>}
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  );
}

export function Sheet({ children, className = "" }: { children: ReactNode; className?: string }) {
  return <div className={`rounded-box border bg-sheet ${className}`}>{children}</div>;
}
