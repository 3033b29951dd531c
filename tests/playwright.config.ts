// Is the harness right? The self-tests.
import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: ".",
  globalSetup: "./support/folders.ts",
  // What takes longer than a push should wait for is left to `npm run test:slow`.
  ...(process.env["ASSAY_SLOW"] ? { grep: /@slow/ } : { grepInvert: /@slow/ }),
  fullyParallel: true,
  // More than most machines have cores: many tests wait for a clock, a limit or a deadline.
  workers: 3,
  retries: 0,
  timeout: 120_000,
  outputDir: "../test-results/tests",
  reporter: [["dot"], ["json", { outputFile: "../test-results/tests.json" }]],
});
