/** The Chromium of this system: FOREMAN_BROWSER, or the first one found. Nothing is ever downloaded. */
import { accessSync, constants } from "node:fs";
import path from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Its path. Throws when there is none. */
export function findBrowser() {
  if (process.env.FOREMAN_BROWSER) return process.env.FOREMAN_BROWSER;
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  const found = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(runs);
  if (!found) throw new Error("no Chromium on this machine: install one, or set FOREMAN_BROWSER to its path");
  return found;
}

function runs(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
