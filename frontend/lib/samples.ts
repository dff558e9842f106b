/** Sample orders for development networks. Their pages are served by `foreman up` itself, so both sides can be played without the internet. */
import type { Sample } from "@/lib/chain/config";

export type SampleOrder = { name: string; title: string; spec: string; criteria: string; gen: string; days: string };

const lines = (...criteria: string[]) => criteria.map((criterion) => `- ${criterion}`).join("\n");

export const SAMPLE_ORDERS: SampleOrder[] = [
  {
    name: "River gauge readings",
    title: "River gauge readings",
    spec: "A week of water levels at Old Mill Bridge, one reading a day, as JSON.",
    criteria: lines(
      "The page is valid JSON",
      'It has the keys "station", "unit", "licence" and "readings"',
      'The list "readings" has exactly 7 entries',
      '"unit" equals "cm"',
      'The page contains "CC BY 4.0"',
    ),
    gen: "2",
    days: "30",
  },
  {
    name: "Release notes",
    title: "Release notes for Tide 2.4",
    spec: "Release notes with what was added and fixed, an upgrade guide and known issues.",
    criteria: lines(
      "The page contains a date",
      'The page contains "Added"',
      'The page contains "Fixed"',
      'The page contains "Upgrade guide"',
      'The page contains "Known issues"',
    ),
    gen: "1",
    days: "30",
  },
  {
    name: "Glossary",
    title: "Glossary of escrow",
    spec: "A reviewed glossary of at least six terms with its sources, as JSON.",
    criteria: lines(
      '"language" equals "en"',
      'The list "terms" has at least 6 entries',
      'The list "sources" has at least 2 entries',
      '"reviewed" is a date',
    ),
    gen: "1.5",
    days: "30",
  },
];

/** What a development network serves when its own description does not say otherwise. */
export const SAMPLE_PAGES: Sample[] = [
  { title: "A good gauge file", url: "http://work.example/gauge.json", note: "Meets every criterion of the river gauge order" },
  { title: "Partial release notes", url: "http://work.example/notes.html", note: "Meets three of five" },
  { title: "A poor glossary", url: "http://work.example/glossary-draft.json", note: "Meets one of four" },
  { title: "Notes that give orders", url: "http://work.example/notes-injected.html", note: "Tries to direct the verdict" },
];
