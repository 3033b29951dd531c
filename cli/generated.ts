// Flags about generated cases: which one to replay, and where failing ones are kept.
import { existsSync } from "node:fs";
import { CommandLineError, suggestion } from "../harness/core/commandLineError.ts";
import { type ReplayedCase, replayedCaseOf } from "../harness/core/generation.ts";
import type { Suite } from "../harness/model/suite.ts";
import type { Verdict } from "../harness/model/verdict.ts";
import { examples, keep } from "../property/regressions.ts";

/** As a replay line names it. */
export function caseNamed(text: string, { checks }: Suite): ReplayedCase {
  const named = replayedCaseOf(text);
  if (!named)
    throw new CommandLineError(
      `--path is "${text}", which isn't a case. Copy it from a replay line; it looks like pageSizes:0:2.`,
    );
  const known = checks.flatMap(({ needs }) => needs.generates?.property ?? []);
  if (!known.includes(named.property))
    throw new CommandLineError(
      `--path names ${named.property}${suggestion(named.property, known)}, which isn't a property of this version.`,
    );
  return named;
}

/** Null where nothing is to be kept; by default, the folder of the property tests. */
export function folderToKeepIn(named: string | true | undefined): string | null {
  if (named === undefined) return null;
  const folder = named === true ? examples : named;
  if (!existsSync(folder))
    throw new CommandLineError(`There is no folder ${folder} to keep cases in. Make it, or leave the folder out.`);
  return folder;
}

/** Writes one file per counterexample. */
export function keepAll(verdicts: readonly Verdict[], folder: string): void {
  for (const { breaches } of verdicts)
    for (const { counterexample } of breaches) if (counterexample) keep(counterexample, folder);
}
