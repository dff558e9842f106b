/** Markdown of docs/ as safe HTML, at build time: parsed, sanitised, headings linkable, links kept inside the app. */
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import rehypeSlug from "rehype-slug";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { visit } from "./visit";

export type Heading = { depth: number; id: string; text: string };
export type Rendered = { title: string; lead: string; html: string; headings: Heading[] };

type Node = { type: string; tagName?: string; value?: string; depth?: number; properties?: Record<string, unknown>; children?: Node[] };

const schema = { ...defaultSchema, clobberPrefix: "", attributes: { ...defaultSchema.attributes, pre: ["tabIndex"], div: ["className", "tabIndex", "role"] } };

/** Render one file. `slugs` are the pages there are; a link to another file of docs/ becomes a link to its page. */
export async function renderDoc(markdown: string, slugs: Set<string>): Promise<Rendered> {
  const headings: Heading[] = [];
  let title = "";
  const collect = () => (tree: Node) => {
    tree.children = tree.children?.filter((node) => {
      if (title || node.tagName !== "h1") return true;
      title = textOf(node);
      return false;
    });
    visit(tree, (node) => {
      if (node.tagName === "h2" || node.tagName === "h3") headings.push({ depth: Number(node.tagName[1]), id: String(node.properties?.id ?? ""), text: textOf(node) });
      if (node.tagName === "a") node.properties = { ...node.properties, href: target(String(node.properties?.href ?? ""), slugs) };
      if (node.tagName === "pre") node.properties = { ...node.properties, tabIndex: 0 };
    });
    wrapTables(tree);
  };
  const html = await unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(remarkRehype)
    .use(rehypeSanitize, schema as never)
    .use(rehypeSlug)
    .use(collect as never)
    .use(rehypeStringify)
    .process(markdown);
  return { title, lead: leadOf(markdown), html: String(html), headings };
}

/** The first paragraph as plain text; empty when the document begins with something else. */
function leadOf(markdown: string): string {
  const first = markdown.replace(/<!--.*?-->/gs, "").replace(/^\s*# [^\n]*\n/, "").trim().split(/\n\s*\n/)[0] ?? "";
  if (/^(?:[#|>*-]|```|\d+\.)/.test(first)) return "";
  return first.replace(/\s*\n\s*/g, " ").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[*`]/g, "");
}

/** A wide table scrolls in its own box, reachable by keyboard. */
function wrapTables(node: Node): void {
  node.children = node.children?.map((child) => {
    wrapTables(child);
    return child.tagName === "table" ? { type: "element", tagName: "div", properties: { className: ["wide"], tabIndex: 0, role: "region", ariaLabel: "Table" }, children: [child] } : child;
  });
}

function textOf(node: Node): string {
  return node.value ?? (node.children ?? []).map(textOf).join("");
}

const REPOSITORY = "https://github.com/foreman-escrow/foreman/blob/main/";

function target(href: string, slugs: Set<string>): string {
  const found = /^(?:\.\/|\.\.\/docs\/|docs\/)?((?:decisions\/)?[A-Za-z0-9_-]+)\.md(#.*)?$/.exec(href);
  if (found) {
    const slug = slugOf(found[1]!);
    if (slugs.has(slug)) return `/docs/${slug}/${found[2] ?? ""}`;
  }
  if (/^(?:https?:|mailto:|#|\/)/.test(href)) return href;
  return REPOSITORY + href.replace(/^(?:\.\.?\/)+/, "");
}

export function slugOf(file: string): string {
  return file.replace(/\.md$/, "").replaceAll("/", "-").toLowerCase();
}
