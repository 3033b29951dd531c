// The browser of this machine, for those who look at pages.
import { existsSync } from "node:fs";
import { programsOnPath } from "../harness/core/programs.ts";
import type { Environment } from "../harness/transport/route.ts";

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/** Where macOS and Windows have it, which put no browser on the PATH. */
const places = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** `ASSAY_CHROMIUM`, the one on the PATH, or where a system has it; undefined where there is none. */
export const browserHere = (environment: Environment): string | undefined =>
  environment["ASSAY_CHROMIUM"] ||
  [...names.flatMap((name) => programsOnPath(name, environment)), ...places].find((file) => existsSync(file));
