// The target of a command: what a target file names, or the embedded reference.
import { fileURLToPath } from "node:url";
import { targetForm } from "../contracts/targets.ts";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import type { Target } from "../harness/target/target.ts";
import { isEmbedded, readTarget } from "../harness/target/targetFile.ts";
import type { Embedded } from "./embedded.ts";
import { version } from "./version.ts";

export const referenceFile = fileURLToPath(new URL("../targets/reference.yaml", import.meta.url));

/**
 * Works on a target, and stops what was started for it.
 * @param mutant of the embedded reference
 * @throws CommandLineError where the file is invalid, or a mutant is named for another platform
 */
export async function onTarget(
  file: string = referenceFile,
  mutant: string | undefined,
  work: (target: Target) => Promise<void>,
): Promise<void> {
  const isOwn = isEmbedded(targetForm, file);
  // Vendors are judged without loading the reference, which takes time and memory.
  if (!isOwn && mutant === undefined) return work(vendorIn(file));
  const { variantNamed, startEmbedded } = await import("./embedded.ts");
  const variant = variantNamed(mutant);
  if (!isOwn)
    throw new CommandLineError(
      "--mutant works on the embedded reference platform only. Leave out --target or --mutant.",
    );
  const embedded = await startEmbedded(0, variant);
  try {
    await work(targetOf(file, embedded));
  } finally {
    await embedded.close();
  }
}

/** A vendor as a target file describes it. */
export const vendorIn = (file: string): Target => ({ ...readTarget(targetForm, file, process.env), version });

/** The embedded reference as a target file describes it. */
export function targetOf(file: string, { base, environment, control }: Embedded): Target {
  const embeddedBases = { admin: base, api: base, rpc: base };
  return { ...readTarget(targetForm, file, environment, { embeddedBases }), control, version };
}
