/** The app's house rules, as a test. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");

function filesUnder(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder)).flatMap((name) => {
    const place = path.join(folder, name);
    return statSync(path.join(ROOT, place)).isDirectory() ? filesUnder(place) : /\.(ts|tsx|mjs)$/.test(name) ? [place] : [];
  });
}

const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");
const app = ["app", "components", "lib", "scene"].flatMap(filesUnder);
const imports = (file: string) => [...read(file).matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map((found) => found[1]!);

describe("every file", () => {
  it.each([...app, ...filesUnder("tests"), ...filesUnder("scripts")])("%s opens by saying what it is for and stays short", (file) => {
    expect(read(file)).toMatch(/^\/\*\*\s+(?:\* )?[A-Z`].+/);
    expect(read(file).split("\n").length).toBeLessThanOrEqual(400);
  });
});

describe("pages", () => {
  it.each(app.filter((file) => /page\.tsx$/.test(file)))("%s is a table of contents", (file) => {
    expect(read(file).split("\n").length).toBeLessThanOrEqual(120);
    expect(read(file)).not.toMatch(/\buse(State|Effect|Query)\b/);
  });
});

describe("who may import whom", () => {
  it.each(app.filter((file) => file.startsWith("lib/")))("%s imports no component", (file) => {
    expect(imports(file).filter((name) => /^@\/(components|app|scene)/.test(name))).toEqual([]);
  });

  it("three.js lives in scene/ and nowhere else", () => {
    expect(app.filter((file) => !file.startsWith("scene/") && imports(file).some((name) => name === "three" || name.startsWith("three/")))).toEqual([]);
  });

  it("the scene is imported by nobody at once", () => {
    const eager = app.filter((file) => !file.startsWith("scene/") && /^import (?!type)[^;]*"@\/scene/m.test(read(file)));
    expect(eager).toEqual([]);
  });

  it("only lib/chain opens connections", () => {
    const others = app.filter((file) => !file.startsWith("lib/chain/") && /\bfetch\(|new EventSource|XMLHttpRequest|WebSocket/.test(read(file)));
    expect(others).toEqual([]);
  });

  it("genlayer-js is loaded only where something is sent", () => {
    expect(app.filter((file) => imports(file).includes("genlayer-js"))).toEqual(["lib/wallet/send.ts"]);
    expect(app.filter((file) => /^import (?!type)[^;]*wallet\/send"/m.test(read(file)))).toEqual([]);
  });

  it("markup is made from text in one place only, and that text is the repository's own", () => {
    expect(app.filter((file) => read(file).includes("dangerouslySetInnerHTML"))).toEqual(["app/layout.tsx", "components/docs/DocsFrame.tsx"]);
  });
});

describe("the lock file", () => {
  it("holds no addresses (npm run lock writes it so)", () => expect(read("package-lock.json").match(/[a-z+]+:\/\/\S+/g) ?? []).toEqual([]));
});
