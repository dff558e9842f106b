/** The evidence URL: judged by the contract's own rule while it is typed, with a careful person's advice beside it. */
"use client";
import { Field } from "@/components/ui/Field";
import { Notice } from "@/components/ui/Notice";
import { adviseUrl, PINNED_SOURCES } from "@/lib/evidence";
import { useNetwork } from "@/lib/hooks/network";
import { checkUrl, MAX_URL_CHARS } from "@/lib/urls";

type Props = { label?: string; value: string; onChange: (value: string) => void; error?: string };

export function UrlField({ label = "Evidence URL", value, onChange, error }: Props) {
  const typed = value.trim();
  const checked = typed === "" ? null : checkUrl(typed);
  const refusal = checked && !checked.ok ? `Not possible: ${checked.reason}.` : error;
  const samples = useNetwork().data?.samples ?? [];
  return (
    <Field
      label={label}
      hint="One public page that shows the work. Every validator opens it."
      inputMode="url"
      placeholder="https://"
      mono
      cap={MAX_URL_CHARS}
      value={value}
      onChange={onChange}
      error={refusal}
      after={
        <div className="mt-2 flex flex-col gap-2" aria-live="polite">
          {adviseUrl(typed).map(({ tone, sentence }) => <Notice key={sentence} tone={tone}>{sentence}</Notice>)}
          {samples.length > 0 && typed === "" && (
            <div className="text-small text-ink-2">
              Sample pages of this network:
              <ul className="mt-1 flex flex-wrap gap-1.5">
                {samples.map((sample) => (
                  <li key={sample.url}>
                    <button type="button" title={sample.note} onClick={() => onChange(sample.url)} className="rounded-vial border border-rule-2 px-2.5 py-0.5 hover:border-ink">{sample.title}</button>
                  </li>
                ))}
              </ul>
            </div>
          )}
          <details className="text-small text-ink-2">
            <summary className="hover:text-ink">Addresses that stay the same</summary>
            <ul className="mt-2 flex flex-col gap-1.5">
              {PINNED_SOURCES.map((source) => (
                <li key={source.name}>{source.name}: <code className="[overflow-wrap:anywhere]">{source.example}</code></li>
              ))}
            </ul>
          </details>
        </div>
      }
    />
  );
}
