/** Text that a party or a model wrote: shown as it is, never as markup, never as a link; what is invisible becomes visible. */
import { pieces } from "@/lib/format/text";

export function Untrusted({ text, className = "" }: { text: string; className?: string }) {
  return (
    <bdi className={`inert ${className}`} data-untrusted="">
      {pieces(text).map((piece, at) =>
        piece.seen ? piece.text : (
          <span key={at} className="mx-0.5 rounded-tick bg-warn-wash px-1 font-mono text-[0.8em] text-warn" title="An invisible character">
            {piece.text}
          </span>
        ),
      )}
    </bdi>
  );
}

/** The same on one line, cut by its box. */
export function UntrustedLine({ text, empty = "Untitled" }: { text: string; empty?: string }) {
  const flat = text.replace(/\s+/g, " ").trim();
  return flat ? <Untrusted text={flat} className="!whitespace-normal" /> : <span className="text-ink-3">{empty}</span>;
}
