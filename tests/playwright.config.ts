// Is the harness right? The self-tests.
import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: ".",
  fullyParallel: true,
  workers: 2,
  retries: 0,
  timeout: 120_000,
  outputDir: "../test-results/tests",
  reporter: [["dot"], ["json", { outputFile: "../test-results/tests.json" }]],
});
