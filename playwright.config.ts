// The people's door: `npx playwright test` judges the target that ASSAY_TARGET names, else the reference platform.
import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "cli/playwright",
  testMatch: "requirements.spec.ts",
  globalSetup: "./cli/playwright/setup.ts",
  // One engine answers all; what waits is the pace towards the platform.
  workers: 1,
  retries: 0,
  timeout: 300_000,
  outputDir: "test-results/contracts",
  reporter: [["list"], ["./cli/playwright/reporter.ts"]],
});
