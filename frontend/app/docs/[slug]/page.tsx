/** One document of docs/, rendered when the app is built. */
import type { Metadata } from "next";
import { DocsFrame } from "@/components/docs/DocsFrame";
import { docFiles, readDoc } from "@/lib/docs/files";
import { renderDoc } from "@/lib/docs/render";

type Props = { params: Promise<{ slug: string }> };

export const dynamicParams = false;

export function generateStaticParams() {
  return docFiles().map(({ slug }) => ({ slug }));
}

async function rendered(slug: string) {
  return renderDoc(readDoc(slug), new Set(docFiles().map((doc) => doc.slug)));
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { title } = await rendered((await params).slug);
  return { title };
}

export default async function DocPage({ params }: Props) {
  const { slug } = await params;
  return <DocsFrame docs={docFiles()} slug={slug} rendered={await rendered(slug)} />;
}
