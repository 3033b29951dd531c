// Errors that end a check without a verdict on the platform, and defects of ours.
import { fileURLToPath } from "node:url";
import type { Redactor } from "./secret.ts";

/** The check can't run on this target, or another breach masks what it tests. */
export class Withheld extends Error {}

/** The cause is ours, the target file's or the network's, or it isn't known whose. */
export class Inconclusive extends Error {}

/** A defect of ours: an error that nothing should throw, perhaps caused by an odd answer. */
export interface Defect {
  readonly message: string;
  /** The first line of its stack, relative to the project. */
  readonly at: string;
}

const root = new URL("../../", import.meta.url);

export function defectOf(error: unknown, redact: Redactor): Defect {
  const { message, stack = "" } = error instanceof Error ? error : new Error(String(error));
  const at = stack.split("\n").find((line) => /^\s+at /.test(line)) ?? "";
  return { message: redact(message), at: redact(at.trim().replace(root.href, "").replace(fileURLToPath(root), "")) };
}
