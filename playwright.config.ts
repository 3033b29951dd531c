// The Playwright adapter: judges the target that ASSAY_TARGET names, else the reference platform.
import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "cli/playwright",
  testMatch: "requirements.spec.ts",
  globalSetup: "./cli/playwright/setup.ts",
  // One engine serves all tests, and the pace towards the platform sets the speed.
  workers: 1,
  retries: 0,
  timeout: 300_000,
  outputDir: "test-results/contracts",
  reporter: [["list"], ["./cli/playwright/reporter.ts"]],
});
