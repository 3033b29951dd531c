// The browser of this machine, for those who look at pages.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Environment } from "../harness/transport/route.ts";

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/** `ASSAY_CHROMIUM`, or the one on the PATH; undefined where there is neither. */
export const browserHere = (environment: Environment): string | undefined =>
  environment["ASSAY_CHROMIUM"] ||
  (environment["PATH"] ?? "")
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((file) => existsSync(file));
