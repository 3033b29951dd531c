// Bodies beside a HAR: files of its folder or below, under the names that Playwright gives, and no others.
import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isBelow } from "../harness/core/memberFile.ts";
import type { AttachedBody } from "../harness/recordings/har.ts";
import { largestBody_bytes } from "../harness/transport/contentCoding.ts";

/** A digest of what the file holds, and perhaps an extension: what a HAR's reader has beside it is named otherwise. */
const nameOfBody = /^[0-9a-f]{40}(\.\w{1,20})?$/;

/** Whether a name may be looked for: others lead to the reader's own files, or on Windows to somebody's server. */
export function isOfBody(name: string): boolean {
  const folders = name.split("/");
  return nameOfBody.test(folders.pop() ?? "") && folders.every((folder) => /^(?!\.)[\w.-]+$/.test(folder));
}

/** Those of a HAR at a path. */
export const bodiesBeside =
  (har: string): AttachedBody =>
  async (name) => {
    if (!isOfBody(name)) return null;
    try {
      const file = join(dirname(har), name);
      const found = await stat(file);
      // Links are followed, so that none leads out.
      const isOwn = found.isFile() && isBelow(dirname(har), file);
      return isOwn && found.size <= largestBody_bytes ? await readFile(file) : null;
    } catch {
      return null;
    }
  };
