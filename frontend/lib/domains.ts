/** Where evidence of an agreement may come from: the contract's rules for allowlist entries and for pages under them. */
import { checkUrl } from "./urls";

const PUBLIC_SUFFIXES = new Set("com co org net gov edu ac".split(" "));

/** Hosts under which anyone can open a page; the contract's own list, checked by a test. */
export const SHARED_HOSTS = new Set(
  (
    "amazonaws.com appspot.com azurewebsites.net bitbucket.io blogspot.com cloudfront.net deno.dev firebaseapp.com fly.dev " +
    "github.io githubusercontent.com gitlab.io glitch.me herokuapp.com hf.space netlify.app ngrok.app ngrok.io onrender.com pages.dev r2.dev " +
    "readthedocs.io repl.co replit.app run.app streamlit.app surge.sh trycloudflare.com vercel.app web.app webflow.io " +
    "windows.net wixsite.com wordpress.com workers.dev"
  ).split(" "),
);

/** Why an allowlist entry is refused; null when it is fine. */
export function domainProblem(value: string): string | null {
  const domain = value.trim().toLowerCase();
  if (domain === "") return "Write a domain, for example docs.example.org.";
  if (domain.includes("/") || domain.includes(":")) return "Only the name: no https://, no path, no port.";
  const checked = checkUrl(`https://${domain}/`);
  if (!checked.ok) return `${checked.reason.charAt(0).toUpperCase()}${checked.reason.slice(1)}.`;
  const labels = domain.split(".");
  if (checked.url.host !== domain || labels.length < 2 || !/^[a-z]+$/.test(labels.at(-1)!)) return "This is not a public name.";
  if (labels.length === 2 && PUBLIC_SUFFIXES.has(labels[0]!)) return "Names under this belong to everyone.";
  if (SHARED_HOSTS.has(domain)) return `Anyone can open a page under ${domain}. Name the whole host, as in alice.${domain}.`;
  return null;
}

/** Why a page cannot be evidence of an agreement with this allowlist; null when it can. */
export function evidenceProblem(url: string, allowed: string[]): string | null {
  const checked = checkUrl(url.trim());
  if (!checked.ok) return `Not possible: ${checked.reason}.`;
  const { scheme, host, port } = checked.url;
  if (scheme !== "https") return "Evidence of an agreement is https.";
  if (port !== null) return "Evidence of an agreement has no port in its address.";
  if (!allowed.some((domain) => `.${host}`.endsWith(`.${domain}`))) return `${host} is not on this agreement’s list: ${allowed.join(", ")}.`;
  return null;
}
