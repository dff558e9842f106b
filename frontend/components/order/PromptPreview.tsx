/** The whole prompt of a judge, as the contract will write it, with places for what the provider adds. */
"use client";
import { useEffect, useState } from "react";
import { Untrusted } from "@/components/ui/Untrusted";
import { aside, fenced } from "@/lib/judging/fence";
import type { Draft } from "./draft";

export function PromptPreview({ draft, task }: { draft: Draft; task: string }) {
  const [prompt, setPrompt] = useState("");
  useEffect(() => {
    let current = true;
    const blocks = {
      title: aside(draft.title),
      spec: aside(draft.spec),
      criteria: aside(draft.criteria),
      url: "(the address the provider delivers)",
      note: "(the provider's note)",
      evidence: "(the text of the page, at most 15000 characters)",
    };
    fenced(blocks).then((text) => current && setPrompt(`${text}\n\n${task}`)).catch(() => current && setPrompt(""));
    return () => {
      current = false;
    };
  }, [draft, task]);
  return (
    <div className="mt-3">
      <p className="mb-2 text-small text-ink-2">
        Every text stands between a BEGIN and an END line whose tag is made from all the texts, so that none can end its own fence. The tag will differ once the delivery is in it.
      </p>
      <div role="region" aria-label="The prompt" tabIndex={0} className="max-h-96 overflow-y-auto rounded-box border bg-sheet p-4">
        <Untrusted text={prompt} className="block font-mono text-[0.75rem]/5 [font-stretch:80%]" />
      </div>
    </div>
  );
}
