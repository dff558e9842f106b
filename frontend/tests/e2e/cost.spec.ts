/** Reads are cheap: what a page asks the node, counted in requests and bytes, and what it loads of JavaScript. */
import { gzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { seed } from "../../scripts/seed.mjs";
import { expect, test, url } from "./support";

type Asked = { methods: string[]; views: string[]; bytes: number; script: number; first: number };

/** Everything a page asks for until it is quiet. */
async function watch(page: Page, place: string, quietMs = 1500): Promise<Asked> {
  const asked: Asked = { methods: [], views: [], bytes: 0, script: 0, first: 0 };
  const sizes = new Map<string, number>();
  const bodies: Promise<void>[] = [];
  page.on("response", (answer) => {
    const request = answer.request();
    if (request.url().endsWith("/events")) return;
    bodies.push(
      answer.body().then((body) => {
        if (request.method() === "POST") {
          const call = JSON.parse(request.postData() ?? "{}") as { method: string; params: [{ data?: string }] };
          asked.methods.push(call.method);
          if (call.method === "gen_call") asked.views.push(Buffer.from(call.params[0].data!.slice(2), "hex").toString("latin1").match(/get_[a-z_]+/)?.[0] ?? "?");
          asked.bytes += body.length;
        } else if (request.resourceType() === "script" || request.url().endsWith(".js")) sizes.set(request.url(), gzipSync(body).length);
      }, () => undefined),
    );
  });
  await page.goto(place);
  await page.waitForTimeout(quietMs);
  await Promise.all(bodies);
  const named = await (await page.request.get(place)).text();
  for (const [file, size] of sizes) {
    asked.script += size;
    if (new RegExp(`<script[^>]+${new URL(file).pathname}`).test(named)) asked.first += size;
  }
  return asked;
}

const WHOLE_BOOK = ["get_all_orders", "get_open_orders", "get_orders_by_client", "get_orders_by_provider"];

test.beforeAll(async () => {
  await seed(url());
});

test("home asks for the counters once and for no list, and loads at most 200 kB of JavaScript without three.js", async ({ page }) => {
  const asked = await watch(page, "/");
  expect(asked.views).toEqual(["get_stats"]);
  expect(asked.methods.length).toBeLessThanOrEqual(3);
  expect(asked.bytes).toBeLessThan(2000);
  expect(asked.first).toBeGreaterThan(100_000);
  expect(asked.first).toBeLessThanOrEqual(200_000);
  expect(asked.script, "with what is fetched ahead for the links in sight").toBeLessThanOrEqual(250_000);
});

test("the list of orders asks for one page of twenty", async ({ page }) => {
  const asked = await watch(page, "/orders/");
  expect(asked.views.sort()).toEqual(["get_orders_page", "get_stats"]);
  expect(asked.bytes).toBeLessThan(120_000);
});

for (const [place, most] of [["/leaderboard/", 3], ["/agreements/", 3], ["/orders/detail/?id=1", 8], ["/network/", 24]] as const) {
  test(`${place} asks at most ${most} times and never for the whole book`, async ({ page }) => {
    const asked = await watch(page, place);
    expect(asked.methods.length, asked.methods.join(" ")).toBeLessThanOrEqual(most);
    for (const view of asked.views) expect(WHOLE_BOOK).not.toContain(view);
    expect(asked.bytes).toBeLessThan(300_000);
  });
}

test("a page that only reads loads no signing library and no three.js", async ({ page }) => {
  const asked = await watch(page, "/orders/");
  expect(asked.script).toBeLessThan(260_000);
});
