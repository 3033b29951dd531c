// Which browser opens the reports? A `test` whose pages are of a real Chromium, wherever one is to be had.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test as base, chromium, type LaunchOptions } from "@playwright/test";

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

const inPath = (): string | undefined =>
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((file) => existsSync(file));

/** By `ASSAY_CHROMIUM`, the PATH, Playwright's own, else the one that npm installs (Linux x64). */
export async function aBrowser(): Promise<LaunchOptions> {
  const named = process.env["ASSAY_CHROMIUM"] || inPath();
  if (named) return { executablePath: named };
  if (existsSync(chromium.executablePath())) return {};
  const { default: packed } = await import("@sparticuz/chromium");
  // Its own switches would turn off what a report's policy is tested by.
  return { executablePath: await packed.executablePath(), args: ["--no-sandbox"] };
}

export const test = base.extend<object, { readonly launchOptions: LaunchOptions }>({
  launchOptions: [
    async ({}, use) => {
      await use(await aBrowser());
    },
    { scope: "worker" },
  ],
});
