// How often is the gate right? Seeds follow from the text of the model, so that they are drawn after its last change. Run it to write the README.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { judged, type Question } from "./judged.ts";
import { randomFrom } from "./platform.ts";
import { type Row, rows } from "./rows.ts";

const here = dirname(fileURLToPath(import.meta.url));
const model = join(here, "..");
const readme = join(model, "README.md");

const runs = 500;
/** Of each way, drawn for each run. */
const mostJitter_ms = 80;

/** Whoever changes the model draws other seeds. */
function seedOfModel(): number {
  const texts = [model, here].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".ts"))
      .sort()
      .map((name) => readFileSync(join(folder, name), "utf8")),
  );
  return createHash("sha256").update(texts.join("\n")).digest().readUInt32BE(0);
}

interface Tally {
  readonly row: Row;
  runs: number;
  called: number;
  unclear: number;
  /** How often each question was answered with a breach. */
  readonly by: Map<string, number>;
}

export interface Simulation {
  readonly seed: number;
  readonly tallies: readonly Tally[];
  /** Runs in which something right was called broken, or something wrong that can be told wasn't. */
  readonly wrong: number;
}

export async function simulate(): Promise<Simulation> {
  const seed = seedOfModel();
  const random = randomFrom(seed);
  const tallies = rows.map((row): Tally => ({ row, runs: 0, called: 0, unclear: 0, by: new Map() }));
  for (let run = 0; run < runs; run += 1) {
    const tally = tallies[run % tallies.length];
    if (!tally) break;
    const answers = Object.entries(await judged(tally.row.make, Math.floor(random() * 2 ** 32), random() * mostJitter_ms)) as [Question, string][];
    const breaches = answers.filter(([, is]) => is === "broken").map(([question]) => question);
    tally.runs += 1;
    tally.called += breaches.length > 0 ? 1 : 0;
    tally.unclear += answers.some(([, is]) => is === "unclear") ? 1 : 0;
    for (const question of breaches) tally.by.set(question, (tally.by.get(question) ?? 0) + 1);
  }
  const wrong = tallies.reduce((total, { row, runs: all, called }) => total + { right: called, wrong: all - called, "can't be told": 0 }[row.is], 0);
  return { seed, tallies, wrong };
}

const [from, to] = ["<!-- made by simulated/table.ts -->", "<!-- until here -->"];

export function tableOf({ seed, tallies, wrong }: Simulation): string {
  const lines = tallies.map(({ row, runs: all, called, unclear, by }) => {
    const seen = [...by].map(([question, times]) => `${question}${times === all ? "" : ` (${times})`}`).join(" · ");
    return `| ${row.title} | ${row.is} | ${all} | ${called} | ${unclear} | ${seen || "–"} |`;
  });
  return [
    from,
    `${runs} runs from seed ${seed}, each way of the network takes 0 to ${mostJitter_ms} ms; ${wrong === 0 ? "none" : wrong} judged wrongly.`,
    "",
    "| limiter | is | runs | called broken | unclear | what shows it (in how many runs, where not in all) |",
    "| --- | --- | --- | --- | --- | --- |",
    ...lines,
    to,
  ].join("\n");
}

/** The README with the table in its place. */
export function withTable(text: string, table: string): string {
  const [before = "", rest = ""] = text.split(from);
  return `${before}${table}${rest.slice(rest.indexOf(to) + to.length)}`;
}

export const readmeText = (): string => readFileSync(readme, "utf8");

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(readme, withTable(readmeText(), tableOf(await simulate())));
