// Whom does a command talk to? The platform that a target file names, or the embedded reference, started for as long as it takes.

import { fileURLToPath } from "node:url";
import { targetForm } from "../contracts/targets.ts";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import type { Target } from "../harness/target/target.ts";
import { isEmbedded, readTarget } from "../harness/target/targetFile.ts";

const referenceFile = fileURLToPath(new URL("../targets/reference.yaml", import.meta.url));

/**
 * Does its work on a target, and stops what was started for it.
 * @param lie one named way in which the embedded reference lies
 * @throws Misuse where the file is none, or the mutant has nobody to tell it
 */
export async function onTarget(
  file: string = referenceFile,
  mutant: string | undefined,
  work: (target: Target) => Promise<void>,
): Promise<void> {
  // Who judges a vendor has no use for the reference, which takes time and memory.
  if (!isEmbedded(targetForm, file) && mutant === undefined) return work(readTarget(targetForm, file, process.env));
  const { variantNamed, startEmbedded } = await import("./embedded.ts");
  const told = variantNamed(mutant);
  if (!isEmbedded(targetForm, file)) {
    if (told)
      throw new CommandLineError(
        "--mutant works on the embedded reference platform only. Leave out --target, or leave out --mutant.",
      );
    return work(readTarget(targetForm, file, process.env));
  }
  const { base, environment, control, close } = await startEmbedded(0, told);
  try {
    await work({ ...readTarget(targetForm, file, environment, { admin: base, api: base, rpc: base }), control });
  } finally {
    await close();
  }
}

/** A path as it is written on a command line. */
export const quoted = (path: string): string => (/[^\w./-]/.test(path) ? `'${path}'` : path);
