/** The 3D level on the home page: drawn where there is a graphics card, still where motion is unwelcome, gone with its page. */
import type { Page } from "@playwright/test";
import { expect, test } from "./support";

/** Let the browser say that it has a graphics card. It draws with the processor all the same, slowly. */
async function pretendCard(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const getParameter = WebGL2RenderingContext.prototype.getParameter;
    WebGL2RenderingContext.prototype.getParameter = function (name) {
      const told: unknown = getParameter.call(this, name);
      return typeof told === "string" && /swiftshader/i.test(told) ? "A card" : told;
    };
  });
}

test.describe.configure({ timeout: 180_000 }); // one frame of a processor can take seconds

const scene = (page: Page) => page.locator("[data-scene]");

test("where the processor would have to draw it, three.js is never loaded and the drawing stays", async ({ page }) => {
  const loaded: number[] = [];
  page.on("response", async (answer) => answer.url().endsWith(".js") && loaded.push((await answer.body()).length));
  await page.goto("/");
  await page.waitForTimeout(4000);
  await expect(scene(page)).toHaveAttribute("data-scene", "still");
  await expect(page.locator("canvas")).toHaveCount(0);
  expect(Math.max(...loaded)).toBeLessThan(400_000);
});

test("with a graphics card it is drawn on idle, holds still under reduced motion, and leaves nothing behind", async ({ page }) => {
  await pretendCard(page);
  await page.goto("/");
  await expect(scene(page)).toHaveAttribute("data-scene", "still");
  await expect(scene(page)).toHaveAttribute("data-scene", "drawn", { timeout: 60_000 });
  const canvas = page.locator("canvas");
  const holdsStill = async () => {
    const once = await canvas.screenshot();
    await page.waitForTimeout(500);
    return (await canvas.screenshot()).equals(once);
  };
  await expect.poll(holdsStill, { timeout: 30_000 }).toBe(true);
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  await page.getByRole("banner").getByRole("link", { name: "Orders" }).click();
  await expect(page.getByRole("heading", { name: "Orders", level: 1 })).toBeVisible();
  await expect(canvas).toHaveCount(0);
});

test("where motion is welcome it moves while it is seen, and stops when it is scrolled away", async ({ page }) => {
  await pretendCard(page);
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.setViewportSize({ width: 800, height: 600 }); // small, because the processor draws it
  await page.goto("/");
  await expect(scene(page)).toHaveAttribute("data-scene", "drawn", { timeout: 60_000 });
  const frames = () =>
    page.evaluate(async () => {
      const draw = WebGL2RenderingContext.prototype.drawElements;
      let calls = 0;
      WebGL2RenderingContext.prototype.drawElements = function (...args) {
        calls += 1;
        draw.apply(this, args);
      };
      await new Promise((resolve) => setTimeout(resolve, 1500));
      WebGL2RenderingContext.prototype.drawElements = draw;
      return calls;
    });
  expect(await frames()).toBeGreaterThan(0);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await page.waitForTimeout(500);
  expect(await frames()).toBe(0);
});
