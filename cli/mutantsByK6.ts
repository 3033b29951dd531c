// assay mutants --load: judges mutants of rate limits by real k6, on ports of loopback.
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { rateRequirements } from "../load/suite.ts";
import { isAboutRates } from "../proof/judgedFeatures.ts";
import { pending, type Selection, select } from "../proof/mutants.ts";
import { rightLimiters, type TriedByK6 } from "../proof/mutantsByK6.ts";
import { tryByK6 } from "../proof/workerPool.ts";
import { printForPrograms } from "./forPrograms.ts";
import { k6OrCommandLineError } from "./generator.ts";
import type { Invocation } from "./invocation.ts";

interface Options {
  readonly names: readonly string[];
  readonly selection: Selection;
  /** Prints the matrix as JSON. */
  readonly json: boolean;
}

/** @throws CommandLineError where a name is about something else, or there is no k6 */
export async function runByK6(invocation: Invocation, { names, selection, json }: Options): Promise<void> {
  const mutants = namesByK6(names, selection);
  const k6 = await k6OrCommandLineError(invocation);
  const started = performance.now();
  // Progress goes to standard error, apart from output for programs.
  const results = await tryByK6(mutants, k6, (one) => invocation.warn(`${secondsSince(started)} s  ${lineOf(one)}`));
  const { lines, exitCode } = summaryOf(results);
  const honest = results.find(({ id }) => id === rightLimiters[0])?.broken ?? [];
  if (json) printForPrograms(invocation, { is: "matrix", honest, results, pending: pending().filter(isAboutRates) });
  else
    invocation.print(
      [...lines.slice(0, -1), `${lines.at(-1)} · k6 ${k6.version} · ${secondsSince(started)} s`].join("\n"),
    );
  invocation.exitCode = exitCode;
}

export const secondsSince = (from: number): string => ((performance.now() - from) / 1000).toFixed(1);

/**
 * The mutants, and beside them all right limiters, or only the honest reference where names narrow the selection.
 * @throws CommandLineError for a name that isn't about rates
 */
export function namesByK6(names: readonly string[], { mutants }: Selection): readonly string[] {
  const idsAboutRates = (mutants: Selection["mutants"]): readonly string[] =>
    mutants.map(({ id }): string => id).filter(isAboutRates);
  const unrelated = names.find((name) => idsAboutRates(select([name]).mutants).length === 0);
  if (unrelated !== undefined)
    throw new CommandLineError(
      `--load runs mutants of rate limits, and ${unrelated} is about something else. Name a requirement such as ` +
        `${rateRequirements[0]} or its mutants, or leave --load out.`,
    );
  const rateMutants = idsAboutRates(mutants);
  const areAll = rateMutants.length === idsAboutRates(select([]).mutants).length;
  return [...(areAll ? rightLimiters : rightLimiters.slice(0, 1)), ...rateMutants];
}

/** The result of one mutant, for people. */
export function lineOf(tried: Omit<TriedByK6, "why"> & Partial<TriedByK6>): string {
  const { id, result, broken, undeclared, stale, why } = tried;
  return [
    `${result.toUpperCase()}  ${id}  ${why ?? `broken: ${broken.join(", ") || "nothing"}`}`,
    ...(undeclared.length ? [`not declared: ${undeclared.join(", ")}`] : []),
    ...(stale.length ? [`declared but not broken: ${stale.join(", ")}`] : []),
  ].join("; ");
}

/** The exit code is 1 where a mutant survived or a right limiter was flagged, 3 where only k6 was inconclusive. */
export function summaryOf(results: readonly TriedByK6[]) {
  const count = (...wanted: readonly TriedByK6["result"][]): number =>
    results.filter(({ result }) => wanted.includes(result)).length;
  const notable = results.filter(({ result }) => result !== "killed" && result !== "silent");
  const right = results.filter(({ id }) => rightLimiters.includes(id)).length;
  const sum = [
    `${count("killed")} of ${results.length - right} mutants killed in real time`,
    `${count("silent")} of ${right} right limiters silent`,
    `${count("inconclusive")} inconclusive`,
  ].join(" · ");
  return {
    lines: [...notable.map(lineOf), sum],
    exitCode: count("survived", "misdeclared", "flagged") > 0 ? 1 : count("inconclusive") > 0 ? 3 : 0,
  };
}
