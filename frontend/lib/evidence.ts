/** What a careful person would say about an evidence URL that the rule allows: who controls it, and will it stay the same? */
import { checkUrl } from "./urls";

export type Advice = { tone: "good" | "warn"; sentence: string };

type Kind = { hosts: string[]; sentence: string };

const CHANGEABLE: Kind[] = [
  {
    hosts: ["ngrok.io", "ngrok.app", "ngrok.dev", "ngrok-free.app", "ngrok-free.dev", "trycloudflare.com", "loca.lt", "localhost.run", "serveo.net", "tunnelmole.net", "pagekite.me", "ts.net"],
    sentence: "This is a tunnel to somebody's own machine. It can show each validator something else, and it is gone when the machine sleeps.",
  },
  {
    hosts: ["bit.ly", "t.co", "tinyurl.com", "goo.gl", "is.gd", "ow.ly", "buff.ly", "rb.gy", "cutt.ly", "short.io", "tiny.cc", "dub.sh"],
    sentence: "This is a shortener. It can point somewhere else tomorrow: give the address it leads to.",
  },
  {
    hosts: ["pastebin.com", "paste.ee", "hastebin.com", "dpaste.com", "dpaste.org", "rentry.co", "rentry.org", "ghostbin.com", "justpaste.it", "controlc.com", "privatebin.net", "telegra.ph"],
    sentence: "This is a paste. Its author can edit or delete it after the delivery.",
  },
  {
    hosts: ["github.io", "gitlab.io", "pages.dev", "workers.dev", "vercel.app", "netlify.app", "herokuapp.com", "onrender.com", "fly.dev", "surge.sh", "glitch.me", "repl.co", "replit.app", "web.app", "firebaseapp.com", "wixsite.com", "wordpress.com", "blogspot.com", "notion.site", "carrd.co", "neocities.org", "weebly.com", "substack.com", "medium.com", "webflow.io", "framer.website", "codesandbox.io", "stackblitz.io", "r2.dev"],
    sentence: "This is a page that its owner can change at any time. If the owner is the provider, nobody independent stands behind it.",
  },
  {
    hosts: ["docs.google.com", "drive.google.com", "dropbox.com", "onedrive.live.com", "1drv.ms", "notion.so", "figma.com", "airtable.com"],
    sentence: "This usually needs a sign-in or shows an app instead of text, and it can be edited after the delivery.",
  },
];

const COMMIT = /\/(?:[0-9a-f]{40}|[0-9a-f]{64})(?:\/|$)/i;

/** Host is one of the names, or under one of them. */
function under(host: string, names: string[]): boolean {
  return names.some((name) => host === name || host.endsWith(`.${name}`));
}

/** Advice for a URL that passed the rule; an empty list means there is nothing to say. */
export function adviseUrl(text: string): Advice[] {
  const checked = checkUrl(text);
  if (!checked.ok) return [];
  const { host, scheme, port } = checked.url;
  const path = text.replace(/^[^/]*\/\/[^/?#]*/, "");
  const advice: Advice[] = [];
  const changeable = CHANGEABLE.find((kind) => under(host, kind.hosts));
  if (changeable) advice.push({ tone: "warn", sentence: changeable.sentence });
  if (pinned(host, path)) advice.push({ tone: "good", sentence: "This address is pinned: the same text will be there next month." });
  else if (under(host, ["raw.githubusercontent.com", "github.com", "gist.githubusercontent.com", "gitlab.com"]))
    advice.push({ tone: "warn", sentence: "A branch moves. Use the address with the full commit hash in it, and it can never change." });
  if (/[/~]@?~[a-z0-9_-]+/i.test(path)) advice.push({ tone: "warn", sentence: "This looks like a personal page, which its owner can change." });
  if (scheme === "http") advice.push({ tone: "warn", sentence: "Plain http can be changed on the way. Prefer https." });
  if (port !== null && port !== 443 && port !== 80) advice.push({ tone: "warn", sentence: "An unusual port often means a machine somebody runs by hand." });
  if (/^[0-9.]+$/.test(host) || host.includes(":")) advice.push({ tone: "warn", sentence: "A bare address says nothing about who is behind it. Prefer a name." });
  return advice;
}

function pinned(host: string, path: string): boolean {
  if (host === "raw.githubusercontent.com") return COMMIT.test(path);
  if (host === "github.com" || host === "gitlab.com") return /\/(?:blob|raw|commit|tree)\//.test(path) && COMMIT.test(path);
  if (host === "web.archive.org") return /^\/web\/[0-9]{14}/.test(path);
  if (host === "gist.githubusercontent.com") return COMMIT.test(path);
  if (host === "arxiv.org") return /v[0-9]+$/.test(path);
  return /^\/ipfs\/(?:Qm[1-9A-HJ-NP-Za-km-z]{44}|b[a-z2-7]{58,})/.test(path) || /^(?:b[a-z2-7]{58,})\.ipfs\./.test(host);
}

/** Sources that stay the same, for the form to suggest. */
export const PINNED_SOURCES = [
  { name: "A file at a commit", example: "https://raw.githubusercontent.com/org/repo/<40-digit commit>/report.json" },
  { name: "A page as archived", example: "https://web.archive.org/web/20260301120000/https://example.com/report" },
  { name: "A file by its content", example: "https://ipfs.io/ipfs/<CID>/report.json" },
];
