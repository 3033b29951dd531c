// assay mutants --load: makes the reference lie about rates on ports of loopback, and sees by real k6 whether each mutant is found.
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { pending, type Selection } from "../proof/mutants.ts";
import { area, rightLimiters, type TriedByK6 } from "../proof/mutantsByK6.ts";
import { tryByK6 } from "../proof/workerPool.ts";
import { k6OrCommandLineError } from "./generator.ts";

interface Asked {
  readonly names: readonly string[];
  readonly selection: Selection;
  /** Prints the matrix as JSON. */
  readonly json: boolean;
}

/** @throws Misuse where a name is about something else, or there is no k6 */
export async function tellByK6({ names, selection, json }: Asked): Promise<void> {
  const mutants = namesByK6(names, selection);
  const k6 = await k6OrCommandLineError();
  const started = performance.now();
  // Progress never mixes with what a program reads from standard output.
  const results = await tryByK6(mutants, k6, (one) => console.error(`${seconds(started)} s  ${lineOf(one)}`));
  const { lines, exitCode } = summaryOf(results);
  const honest = results.find(({ id }) => id === rightLimiters[0])?.broken ?? [];
  if (json) console.log(JSON.stringify({ honest, results, pending: pending().filter(isAboutRates) }, null, 2));
  else console.log([...lines.slice(0, -1), `${lines.at(-1)} · k6 ${k6.version} · ${seconds(started)} s`].join("\n"));
  process.exitCode = exitCode;
}

const seconds = (from: number): string => ((performance.now() - from) / 1000).toFixed(1);

const isAboutRates = (name: string): boolean => name.startsWith(`${area}-`);

/**
 * What is tried: the mutants, and all right limiters where nothing narrower is named, else the honest reference.
 * @throws Misuse for what no k6 is needed for
 */
export function namesByK6(names: readonly string[], { mutants }: Selection): readonly string[] {
  const strange = names.find((name) => name !== area && !isAboutRates(name));
  if (strange !== undefined)
    throw new CommandLineError(
      `--load tries mutants of rates, and ${strange} is about something else. Name ${area}, its requirements or mutants, or leave --load out.`,
    );
  const rateMutants = mutants.map(({ id }): string => id).filter(isAboutRates);
  return [...(names.length === 0 || names.includes(area) ? rightLimiters : rightLimiters.slice(0, 1)), ...rateMutants];
}

/** What became of one mutant, for people. */
export function lineOf({
  id,
  result,
  broken,
  undeclared,
  stale,
  why,
}: Omit<TriedByK6, "why"> & Partial<TriedByK6>): string {
  const said = why ?? `broken: ${broken.join(", ") || "nothing"}`;
  return `${result.toUpperCase()}  ${id}  ${said}${undeclared.length ? `; not declared: ${undeclared.join(", ")}` : ""}${stale.length ? `; declared in vain: ${stale.join(", ")}` : ""}`;
}

/** Lines for people, and what the command exits with: 1 where a mutant survived or something right was accused, 3 where only k6 left it open. */
export function summaryOf(results: readonly TriedByK6[]): {
  readonly lines: readonly string[];
  readonly exitCode: number;
} {
  const count = (...wanted: readonly TriedByK6["result"][]): number =>
    results.filter(({ result }) => wanted.includes(result)).length;
  const told = results.filter(({ result }) => result !== "killed" && result !== "silent");
  const right = results.filter(({ id }) => rightLimiters.includes(id)).length;
  const sum = `${count("killed")} of ${results.length - right} lies killed in real time · ${count("silent")} of ${right} right limiters silent · ${count("inconclusive")} inconclusive`;
  return {
    lines: [...told.map(lineOf), sum],
    exitCode: count("survived", "misdeclared", "flagged") > 0 ? 1 : count("inconclusive") > 0 ? 3 : 0,
  };
}
