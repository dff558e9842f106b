/** A URL somebody wrote: a link only when the evidence rule would let it pass, else plain text. */
import { checkUrl } from "@/lib/urls";
import { Untrusted } from "./Untrusted";

export function SafeLink({ url }: { url: string }) {
  if (!checkUrl(url).ok) return <Untrusted text={url} className="figure text-[0.93em]" />;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow ugc" className="link figure text-[0.93em] [overflow-wrap:anywhere]">
      {url}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}
