// The folder below which tests write; it goes when they have ended, and ASSAY_KEEP=1 keeps it.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureCompiled } from "../../cli/compiled.js";

/** Names that folder to the workers. */
const variable = "ASSAY_TEST_FOLDERS";

const newFolder = (within: string): string => mkdtempSync(join(within, "assay-"));

/** The folder below which all tests of a run write. */
export const sharedFolder = (): string => process.env[variable] ?? tmpdir();

/** A new empty folder outside the tree. */
export const emptyFolder = (): string => newFolder(sharedFolder());

/** The folder of one run; what it returns removes or keeps it. */
export function openFolder(): () => void {
  // On macOS it is a link, and processes tell where they really are.
  const folder = newFolder(realpathSync(tmpdir()));
  process.env[variable] = folder;
  return () => {
    if (process.env["ASSAY_KEEP"]) console.log(`What the tests wrote is in ${folder}`);
    // What a test has just killed may still be writing.
    else rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}

/** Before all tests; what it returns runs after the last. */
export default async function open(): Promise<() => void> {
  process.env["ASSAY_TEST_CLI"] = await ensureCompiled();
  return openFolder();
}
