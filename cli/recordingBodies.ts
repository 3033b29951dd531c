// Bodies beside a HAR: files of its folder or below, and no others.
import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, resolve, sep } from "node:path";
import type { AttachedBody } from "../harness/recordings/har.ts";
import { largestBody_bytes } from "../harness/transport/contentCoding.ts";

/** Whether a name may be looked for: others lead to the reader's own files, or on Windows to somebody's server. */
export const staysBeside = (name: string): boolean =>
  name !== "" && !/^[/\\]|^[a-z]:|\0/i.test(name) && !name.split(/[/\\]/).includes("..");

/** Those of a HAR at a path. */
export const bodiesBeside =
  (har: string): AttachedBody =>
  async (name) => {
    if (!staysBeside(name)) return null;
    try {
      const folder = await realpath(dirname(har));
      // Links are followed, so that none leads out.
      const file = await realpath(resolve(folder, name));
      const found = await stat(file);
      const isInside = file.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
      return isInside && found.isFile() && found.size <= largestBody_bytes ? await readFile(file) : null;
    } catch {
      return null;
    }
  };
