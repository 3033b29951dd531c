// Accuracy of the verdicts on limits, counted by limiter, for the tables of docs/rateLimitAccuracy.md
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { PublishedDocument, type Table } from "../publishedTable.ts";
import type { Answers, Question } from "./judged.ts";
import { type Row, rows } from "./rows.ts";
import { randomFrom } from "./simulatedPlatform.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

export const accuracyDocument = new PublishedDocument("rateLimitAccuracy.md");

const verdicts = ["judged", "rows", "simulatedPlatform"];

/**
 * All files that the results of a run depend on: of this folder and of the model, as esbuild finds them by their
 * imports.
 * @param entries files of this folder
 */
export const modelFiles = (entries: readonly string[] = verdicts): readonly string[] =>
  Object.keys(
    buildSync({
      entryPoints: entries.map((name) => `proof/limiter/${name}.ts`),
      absWorkingDir: root,
      bundle: true,
      packages: "external",
      format: "esm",
      outdir: "nowhere",
      write: false,
      metafile: true,
    }).metafile.inputs,
  )
    .filter((file) => /^(load\/rateLimits|proof\/limiter)\//.test(file))
    .sort();

/** Follows from the text of the model, so that each change of the model is measured in new runs. */
export function seedOf(entries: readonly string[]): number {
  const texts = modelFiles(entries).map((file) => readFileSync(join(root, file), "utf8"));
  return createHash("sha256").update(texts.join("\n")).digest().readUInt32BE(0);
}

export const seedOfModel = (): number => seedOf(verdicts);

/** Seeds of so many runs, as they follow from one. */
export const seedsFrom = (seed: number, runs: number): readonly number[] =>
  Array.from({ length: runs }, (_, nth) => (seed + nth * 7_919) % 2 ** 32);

/** One limiter, and how its runs were judged. */
export interface Tally {
  readonly row: Row;
  runs: number;
  called: number;
  inconclusive: number;
  /** Runs judged neither rightly nor wrongly. */
  undecided: number;
  /** How often each question was answered with a breach. */
  readonly by: Map<Question, number>;
}

export interface Run {
  readonly tally: Tally;
  readonly seed: number;
  /** The most that a request takes each way. */
  readonly jitter_ms: number;
}

/** The most that a request takes each way. */
export const mostJitter_ms = 80;

/** So many runs over all limiters in turn, from the seed of the model. */
export function runsOf(count: number) {
  const seed = seedOfModel();
  const random = randomFrom(seed);
  const tallies = rows.map((row): Tally => ({ row, runs: 0, called: 0, inconclusive: 0, undecided: 0, by: new Map() }));
  const runs = Array.from({ length: count }, (_, nth) => tallies[nth % tallies.length]).flatMap(
    (tally): readonly Run[] =>
      tally ? [{ tally, seed: Math.floor(random() * 2 ** 32), jitter_ms: random() * mostJitter_ms }] : [],
  );
  return { seed, tallies, runs };
}

export const breachesIn = (answers: Answers): readonly Question[] =>
  [...answers].flatMap(([question, { is }]) => (is === "broken" ? [question] : []));

export function count(tally: Tally, answers: Answers): void {
  const breaches = breachesIn(answers);
  tally.runs += 1;
  tally.called += breaches.length > 0 ? 1 : 0;
  tally.inconclusive += [...answers.values()].some(({ is }) => is === "inconclusive") ? 1 : 0;
  for (const question of breaches) tally.by.set(question, (tally.by.get(question) ?? 0) + 1);
}

/** Runs in which a right limiter was called broken, or a wrong one that can be detected wasn't. */
export const wronglyJudged = (tallies: readonly Tally[]): number =>
  tallies.reduce(
    (total, { row, runs, called, undecided }) =>
      total + { right: called, wrong: runs - called - undecided, undetectable: 0 }[row.is],
    0,
  );

export const numberOrNone = (number: number): string => (number === 0 ? "none" : String(number));

export const tableOf = (by: string, summary: string, tallies: readonly Tally[]): Table => ({
  by,
  summary,
  columns: ["limiter", "is", "runs", "called broken", "inconclusive", "shown by (in how many runs, unless in all)"],
  rows: tallies.map(({ row, runs, called, inconclusive, by: questions }) => {
    const shownBy = [...questions].map(([question, times]) => `${question}${times === runs ? "" : ` (${times})`}`);
    return [row.title, row.is, runs, called, inconclusive, shownBy.join(" · ") || "–"];
  }),
});
