// The browser of this machine, for those who look at pages.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/** `ASSAY_CHROMIUM`, or the one on the PATH; undefined where there is neither. */
export const browserHere = (): string | undefined =>
  process.env["ASSAY_CHROMIUM"] ||
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((file) => existsSync(file));
