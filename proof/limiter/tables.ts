// How often is the gate right? Counted by limiter, and told in tables of docs/rateLimitAccuracy.md. Seeds follow from the text of the model, so that they are drawn after its last change.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Judged, Question } from "./judged.ts";
import type { Row } from "./rows.ts";
import { rows } from "./rows.ts";

const here = dirname(fileURLToPath(import.meta.url));
const model = join(here, "../../load/rateLimits");
const document = join(here, "../../docs/rateLimitAccuracy.md");

/** The files of the model: checks and probes beside it don't change what it says. */
const modelFiles = [
  "bursts",
  "experiments",
  "gate",
  "limiterModels",
  "limitVerdict",
  "planLimits",
  "proofs",
  "rates",
  "samples",
].map((name) => join(model, `${name}.ts`));
const rigFiles = ["judged", "rows", "simulatedPlatform"].map((name) => join(here, `${name}.ts`));

/** Of each way, drawn for each run. */
export const mostJitter_ms = 80;

/** Whoever changes the model draws other seeds. */
export function seedOfModel(): number {
  const texts = [...modelFiles, ...rigFiles].map((file) => readFileSync(file, "utf8"));
  return createHash("sha256").update(texts.join("\n")).digest().readUInt32BE(0);
}

export interface Tally {
  readonly row: Row;
  runs: number;
  called: number;
  unclear: number;
  /** Runs that say nothing: neither judged rightly nor wrongly. */
  undecided: number;
  /** How often each question was answered with a breach. */
  readonly by: Map<Question, number>;
}

export const emptyTallies = (): readonly Tally[] =>
  rows.map((row) => ({ row, runs: 0, called: 0, unclear: 0, undecided: 0, by: new Map() }));

export const breachesIn = (answers: Judged): readonly Question[] =>
  [...answers].flatMap(([question, { is }]) => (is === "broken" ? [question] : []));

/** Counts one run. */
export function note(tally: Tally, answers: Judged): void {
  const breaches = breachesIn(answers);
  tally.runs += 1;
  tally.called += breaches.length > 0 ? 1 : 0;
  tally.unclear += [...answers.values()].some(({ is }) => is === "unclear") ? 1 : 0;
  for (const question of breaches) tally.by.set(question, (tally.by.get(question) ?? 0) + 1);
}

/** Runs in which something right was called broken, or something wrong that can be told wasn't. */
export const wronglyJudged = (tallies: readonly Tally[]): number =>
  tallies.reduce(
    (total, { row, runs, called, undecided }) =>
      total + { right: called, wrong: runs - called - undecided, "can't be told": 0 }[row.is],
    0,
  );

const until = "<!-- until here -->";

interface Told {
  /** The script that makes the table. */
  readonly by: string;
  readonly says: string;
  readonly tallies: readonly Tally[];
}

export function tableOf({ by: script, says, tallies }: Told): string {
  const lines = tallies.map(({ row, runs, called, unclear, by }) => {
    const seen = [...by].map(([question, times]) => `${question}${times === runs ? "" : ` (${times})`}`).join(" · ");
    return `| ${row.title} | ${row.is} | ${runs} | ${called} | ${unclear} | ${seen || "–"} |`;
  });
  return [
    `<!-- made by ${script} -->`,
    says,
    "",
    "| limiter | is | runs | called broken | unclear | what shows it (in how many runs, where not in all) |",
    "| --- | --- | --- | --- | --- | --- |",
    ...lines,
    until,
  ].join("\n");
}

export const numberOrNone = (count: number): string => (count === 0 ? "none" : String(count));

/** The document with a table in its place. */
export function withTable(text: string, table: string): string {
  const [from = ""] = table.split("\n");
  const [before = "", rest = ""] = text.split(from);
  return `${before}${table}${rest.slice(rest.indexOf(until) + until.length)}`;
}

export const readmeText = (): string => readFileSync(document, "utf8");

export const writeTable = (table: string): void => writeFileSync(document, withTable(readmeText(), table));
