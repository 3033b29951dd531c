// Is the harness right? The self-tests.
import { defineConfig } from "@playwright/test";
import { aBrowser } from "../bench/browser.ts";
import { nameWorker } from "./support/dearTests.ts";

nameWorker();

/** What takes longer than a push should wait for is left to `npm run test:slow`. */
const isNightly = process.env["ASSAY_SLOW"] !== undefined && process.env["ASSAY_SLOW"] !== "";

export default defineConfig({
  testDir: ".",
  globalSetup: "./support/folders.ts",
  ...(isNightly ? { grep: /@slow/ } : { grepInvert: /@slow/ }),
  // Tests of one file share what it reads and builds; the longest of the last files go to all workers.
  fullyParallel: false,
  // More than most machines have cores: many tests wait for a clock, a limit or a deadline.
  workers: 3,
  retries: 0,
  // Ends what hangs; no test comes near on a busy machine.
  timeout: isNightly ? 1_800_000 : 120_000,
  // The same for all tests, so that no worker has to start anew for those with a browser.
  use: { launchOptions: await aBrowser() },
  outputDir: "../test-results/tests",
  reporter: [["dot"], ["json", { outputFile: "../test-results/tests.json" }], ["./support/dearTests.ts"]],
});
