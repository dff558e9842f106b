/** All documents. */
import type { Metadata } from "next";
import Link from "next/link";
import { PageHead, Section } from "@/components/ui/Page";
import { DECISIONS, docFiles, docGroups, readDoc, type DocFile } from "@/lib/docs/files";
import { renderDoc } from "@/lib/docs/render";

export const metadata: Metadata = { title: "Docs" };

export default function DocsPage() {
  const groups = docGroups(docFiles());
  return (
    <>
      <PageHead title="Docs" lead="The contracts, the network, the tools. The same text lies in docs/ of the repository." />
      <div className="measure">
        {groups.filter(({ name }) => name !== DECISIONS).map(({ name, docs }) => (
          <Section key={name} label={name}>
            <ul className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
              {docs.map((doc) => <Doc key={doc.slug} doc={doc} />)}
            </ul>
          </Section>
        ))}
        {groups.filter(({ name }) => name === DECISIONS).map(({ name, docs }) => (
          <Section key={name} label={name} note="and why they were made">
            <ul className="grid gap-x-10 gap-y-2 sm:grid-cols-2">
              {docs.map((doc) => <li key={doc.slug}><Link href={`/docs/${doc.slug}/`} className="hover:underline">{doc.name}</Link></li>)}
            </ul>
          </Section>
        ))}
      </div>
    </>
  );
}

async function Doc({ doc }: { doc: DocFile }) {
  const about = doc.about || (await renderDoc(readDoc(doc.slug), new Set())).lead;
  return (
    <li>
      <Link href={`/docs/${doc.slug}/`} className="link font-[560]">{doc.name}</Link>
      {about && <p className="mt-1 line-clamp-3 text-ink-2">{about}</p>}
    </li>
  );
}
