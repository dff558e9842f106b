/** Documents are rendered safely: no script, no remote picture by surprise, links kept inside the app. */
import { describe, expect, it } from "vitest";
import { docFiles, docGroups } from "@/lib/docs/files";
import { renderDoc, slugOf } from "@/lib/docs/render";

const render = (text: string) => renderDoc(text, new Set(["rpc", "decisions-0001-a"]));

describe("rendering", () => {
  it("takes the title out, and makes headings that can be linked", async () => {
    const found = await render("# A `title`\n\nThe lead.\n\n## One part\n\n### Deeper\n");
    expect(found).toMatchObject({ title: "A title", lead: "The lead.", headings: [{ depth: 2, id: "one-part", text: "One part" }, { depth: 3, id: "deeper", text: "Deeper" }] });
    expect(found.html).not.toContain("<h1");
  });

  it.each(["<script>alert(1)</script>", "[x](javascript:alert(1))", '<img src="x" onerror="alert(1)">', '<iframe src="https://a.b"></iframe>', "<a href='data:text/html,x'>y</a>"])("makes %s harmless", async (text) => {
    const { html } = await render(text);
    expect(html).not.toMatch(/<script|onerror|<iframe|javascript:|href="data:/);
  });

  it("leads links to other documents to their pages, and the rest to the repository", async () => {
    const { html } = await render("[a](rpc.md#x) [b](decisions/0001-a.md) [c](../contracts/foreman.py) [d](https://example.org) [e](#here)");
    for (const href of ["/docs/rpc/#x", "/docs/decisions-0001-a/", "blob/main/contracts/foreman.py", "https://example.org", "#here"]) expect(html).toContain(href);
  });

  it("lets wide tables scroll in their own box, under a name that is no utility of the style sheet", async () => {
    expect((await render("| a |\n|---|\n| b |")).html).toMatch(/<div class="wide" tabindex="0" role="region"[^>]*><table>/);
  });
});

describe("the list", () => {
  it("leaves no document out of its groups", () => {
    const grouped = docGroups(docFiles()).flatMap(({ docs }) => docs);
    expect(grouped.map((doc) => doc.slug)).toEqual(docFiles().map((doc) => doc.slug));
    expect(docGroups(docFiles())[0]?.docs[0]?.slug).toBe("overview");
  });

  it("has every document once, by a name of its own", () => {
    const docs = docFiles();
    expect(docs.length).toBeGreaterThan(0);
    expect(new Set(docs.map((doc) => doc.slug)).size).toBe(docs.length);
    expect(slugOf("decisions/0001-A.md")).toBe("decisions-0001-a");
  });
});
