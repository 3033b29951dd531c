// The manifest of a run's folder: written with its reports.
import { join } from "node:path";
import { digestOfMember, sha256Of } from "../harness/core/memberFile.ts";
import { filesOf, manifestName, manifestOf, manifestText } from "../harness/record/manifest.ts";
import type { Run } from "../harness/record/run.ts";
import { version } from "./version.ts";
import { writeText } from "./writeText.ts";

/**
 * Names what Assay wrote into a run's folder, by what it says.
 * @param written texts of files, by their names there; other files of the run are read
 */
export async function writeManifest(
  path: string,
  run: Run,
  written: ReadonlyMap<string, string>,
  advice: string,
): Promise<void> {
  const digests = new Map<string, string>();
  for (const name of filesOf(run, [...written.keys()])) {
    const text = written.get(name);
    const digest = text === undefined ? await digestOfMember(path, name) : sha256Of(text);
    if (digest !== null) digests.set(name, digest);
  }
  writeText(join(path, manifestName), manifestText(manifestOf(run, digests, version)), advice);
}
