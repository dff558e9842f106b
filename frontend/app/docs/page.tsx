/** All documents. */
import type { Metadata } from "next";
import Link from "next/link";
import { PageHead } from "@/components/ui/Page";
import { docFiles, readDoc } from "@/lib/docs/files";
import { renderDoc } from "@/lib/docs/render";

export const metadata: Metadata = { title: "Docs" };

export default async function DocsPage() {
  const docs = docFiles().filter((doc) => doc.group === "docs");
  const slugs = new Set(docs.map((doc) => doc.slug));
  const rows = await Promise.all(docs.map(async (doc) => ({ ...doc, lead: (await renderDoc(readDoc(doc.slug), slugs)).lead })));
  const decisions = docFiles().filter((doc) => doc.group === "decisions");
  return (
    <>
      <PageHead title="Docs" lead="The contracts, the network, the tools. The same text lies in docs/ of the repository." />
      <div className="measure">
        <ul className="grid gap-x-8 border-t sm:grid-cols-2 lg:grid-cols-3">
          {rows.map((doc) => (
            <li key={doc.slug} className="relative border-b py-5 hover:bg-well/60">
              <Link href={`/docs/${doc.slug}/`} className="font-[560] after:absolute after:inset-0">{doc.name}</Link>
              {doc.lead && <p className="mt-1 line-clamp-3 text-small text-ink-2">{doc.lead}</p>}
            </li>
          ))}
        </ul>
        {decisions.length > 0 && (
          <section className="mt-10">
            <h2 className="mb-3 font-[560]">Decisions</h2>
            <ul className="flex flex-col gap-1.5">
              {decisions.map((doc) => <li key={doc.slug}><Link href={`/docs/${doc.slug}/`} className="link">{doc.name}</Link></li>)}
            </ul>
          </section>
        )}
      </div>
    </>
  );
}
