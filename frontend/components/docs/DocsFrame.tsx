/** How documents are read: the list on one side, the text in a readable width, what the page holds on the other. */
import Link from "next/link";
import { docGroups, type DocFile } from "@/lib/docs/files";
import type { Rendered } from "@/lib/docs/render";

export function DocsFrame({ docs, slug, rendered }: { docs: DocFile[]; slug: string; rendered: Rendered }) {
  return (
    <div className="measure grid gap-x-12 gap-y-6 pt-10 lg:grid-cols-[12rem_minmax(0,1fr)] xl:grid-cols-[12rem_minmax(0,1fr)_12rem]">
      <nav aria-label="Documents" className="lg:sticky lg:top-24 lg:self-start">
        <details className="lg:hidden">
          <summary className="font-[560]">All documents</summary>
          <List docs={docs} slug={slug} />
        </details>
        <div className="hidden lg:block"><List docs={docs} slug={slug} /></div>
      </nav>
      <article className="prose min-w-0 max-w-read">
        <h1 className="text-head">{rendered.title}</h1>
        <div dangerouslySetInnerHTML={{ __html: rendered.html }} />
      </article>
      {rendered.headings.filter((heading) => heading.depth === 2).length > 1 && (
        <nav aria-label="On this page" className="hidden xl:sticky xl:top-24 xl:block xl:max-h-[calc(100dvh-8rem)] xl:self-start xl:overflow-y-auto">
          <p className="tick mb-2 text-ink-3">On this page</p>
          <ul className="flex flex-col gap-1.5 text-small">
            {rendered.headings.filter((heading) => heading.depth === 2).map((heading) => (
              <li key={heading.id}><a href={`#${heading.id}`} className="text-ink-2 hover:text-ink hover:underline">{heading.text}</a></li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  );
}

function List({ docs, slug }: { docs: DocFile[]; slug: string }) {
  return docGroups(docs).map(({ name, docs: rows }) => (
    <div key={name} className="mt-4 first:mt-0">
      <p className="tick mb-1 text-ink-3">{name}</p>
      <ul>
        {rows.map((doc) => (
          <li key={doc.slug}>
            <Link
              href={`/docs/${doc.slug}/`}
              aria-current={doc.slug === slug ? "page" : undefined}
              className="block border-l-2 border-transparent py-1 pl-3 text-small text-ink-2 hover:text-ink aria-[current=page]:border-vial-deep aria-[current=page]:font-[560] aria-[current=page]:text-ink"
            >
              {doc.name}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  ));
}
