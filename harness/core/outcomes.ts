// Errors that end a check without a verdict on the platform, and defects of Assay.
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { describeReason, type Reason } from "./reason.ts";
import type { Redactor } from "./secret.ts";

/** Ends a check without a verdict; a text is a reason in the check's own words. */
export class Unjudgeable extends Error {
  readonly reason: Reason;

  constructor(given: Reason | string) {
    const reason: Reason = typeof given === "string" ? { kind: "ownWords", text: given } : given;
    super(describeReason(reason));
    this.reason = reason;
  }
}

/** The check can't run on this target, or another breach masks what it tests. */
export class Withheld extends Unjudgeable {}

/** The cause is Assay, the target file or the network, or isn't known. */
export class Inconclusive extends Unjudgeable {}

/** Thrown where the next request would exceed what the target, or we, allow to be spent. */
export class BudgetSpent extends Unjudgeable {}

/** What a check needed to see didn't come. @param detail e.g. `no account was listed twice` */
export const notSeen = (detail: string): Withheld => new Withheld({ kind: "notSeen", detail });

/** What a check compares still changed. */
export const notSettled = (detail: string): Withheld => new Withheld({ kind: "notSettled", detail });

/** The interface leaves open what a check would have to know. */
export const leftOpen = (detail: string): Withheld => new Withheld({ kind: "leftOpen", detail });

/** What sends requests at set times failed, or was too slow. */
export const generatorFailed = (detail: string): Inconclusive => new Inconclusive({ kind: "generator", detail });

/** What has power over the platform failed. */
export const controlFailed = (detail: string): Inconclusive => new Inconclusive({ kind: "control", detail });

/** What a check of the user's own threw. */
export class CustomCheckError extends Error {
  /** In the folder of its config, e.g. `assay.config.mjs:37:12`. */
  readonly place: string;

  constructor(message: string, place: string) {
    super(message);
    this.place = place;
  }
}

/** A defect of Assay or of a custom check: an error that nothing should throw, perhaps caused by an odd answer. */
export interface Defect {
  /** One line. */
  readonly message: string;
  /** The first line of its stack, relative to the project; of a custom check the place in its config's folder. */
  readonly at: string;
  /** Set where a custom check threw it. */
  readonly isCustom?: true;
}

const longest_chars = 500;

const root = new URL("../../", import.meta.url);

export function defectOf(error: unknown, redact: Redactor): Defect {
  // Anything can be thrown, even a value without a message.
  const thrown = typeof error === "string" ? error : inspect(error);
  const { message, stack = "" } = error instanceof Error ? error : { message: thrown };
  const at = stack.split("\n").find((line) => /^\s+at /.test(line)) ?? "at an unknown place";
  const shortened = redact(message).replaceAll(/\s+/g, " ").slice(0, longest_chars);
  if (error instanceof CustomCheckError) return { message: shortened, at: redact(error.place), isCustom: true };
  return { message: shortened, at: redact(at.trim().replace(root.href, "").replace(fileURLToPath(root), "")) };
}
