/** Browser tests: real Chromium from the system, against a real network that serves the exported app. */
import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "tests/e2e",
  globalSetup: "./tests/e2e/start.ts",
  timeout: 60_000,
  expect: { timeout: 10_000 },
  fullyParallel: false,
  workers: 1,
  retries: 0,
  forbidOnly: true,
  reporter: [["list"]],
  use: {
    launchOptions: { executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] },
    viewport: { width: 1280, height: 900 },
    reducedMotion: "reduce",
    locale: "en-GB",
    timezoneId: "UTC",
    trace: "off",
    screenshot: "off",
  },
});
