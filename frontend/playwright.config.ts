/** Browser tests: the system's Chromium, against real networks that serve the exported app. */
import { defineConfig } from "@playwright/test";
import { findBrowser } from "./scripts/browser.mjs";

/** Files that measure time, or make the processor draw in 3D, have the machine to themselves. */
const ALONE = /(lighthouse|make-up|scene)\.spec\.ts$/;

export default defineConfig({
  testDir: "tests/e2e",
  projects: [
    { name: "together", testIgnore: ALONE },
    { name: "alone", testMatch: ALONE },
  ],
  timeout: 120_000, // a small machine with others at work on it is slow, and that is no fault of the app
  expect: { timeout: 15_000 },
  fullyParallel: false, // a file stays in one process, which has a network of its own
  workers: 2,
  retries: 0, // a test that fails now and then is a fault to find
  forbidOnly: true,
  reporter: [["list"]],
  use: {
    launchOptions: { executablePath: findBrowser(), args: ["--no-sandbox"] }, // the sandbox does not run as root
    viewport: { width: 1280, height: 900 },
    reducedMotion: "reduce",
    locale: "en-GB",
    timezoneId: "UTC",
    trace: "off",
    screenshot: "off",
  },
});
