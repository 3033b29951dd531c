// A real Chromium, wherever there is one, for what opens pages to measure or to test them
import { existsSync } from "node:fs";
import { chromium, type LaunchOptions } from "@playwright/test";
import { browserHere } from "../cli/browser.ts";

/**
 * `ASSAY_CHROMIUM`, the PATH's, Playwright's own, or the one that npm installs (Linux x64). That one is unpacked by the
 * first who asks; of two at once, one would start a half-written file.
 */
export async function aBrowser(): Promise<LaunchOptions> {
  const named = browserHere(process.env);
  if (named) return { executablePath: named };
  if (existsSync(chromium.executablePath())) return {};
  const { default: packed } = await import("@sparticuz/chromium");
  // Its default arguments would switch off the content policy.
  return { executablePath: await packed.executablePath(), args: ["--no-sandbox"] };
}
