// A real Chromium, wherever there is one.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium, type LaunchOptions } from "@playwright/test";

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

const inPath = (): string | undefined =>
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((file) => existsSync(file));

/**
 * `ASSAY_CHROMIUM`, the PATH's, Playwright's own, or the one that npm installs (Linux x64). That one is unpacked by the
 * first who asks; of two at once, one would start a half-written file.
 */
export async function aBrowser(): Promise<LaunchOptions> {
  const named = process.env["ASSAY_CHROMIUM"] || inPath();
  if (named) return { executablePath: named };
  if (existsSync(chromium.executablePath())) return {};
  const { default: packed } = await import("@sparticuz/chromium");
  // Its default arguments would switch off the content policy.
  return { executablePath: await packed.executablePath(), args: ["--no-sandbox"] };
}
