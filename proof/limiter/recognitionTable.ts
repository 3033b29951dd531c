// Names given to known limiters; run it to write their table into docs/rateLimitAccuracy.md
import { type Algorithm, algorithms } from "../../load/rateLimits/algorithms.ts";
import { type Kind, kinds } from "./kinds.ts";
import { latencies_ms, recognised } from "./recognition.ts";
import { accuracyDocument, seedOf, seedsFrom } from "./tables.ts";

export const script = "proof/limiter/recognitionTable.ts";

const apart = "can't be distinguished";
const unknown = "none that we know";
const answers = [...(Object.keys(algorithms) as Algorithm[]), apart, unknown];

/** One kind at all latencies. */
interface Row {
  readonly kind: Kind;
  /** How often each answer was given. */
  readonly given: ReadonlyMap<string, number>;
  /** In how many runs the right name was given, by latency. */
  readonly named: readonly number[];
  /** In how many runs a wrong one was. */
  readonly wrong: number;
}

export const seedOfRecognition = (): number => seedOf(["recognition", "kinds"]);

async function rowOf(kind: Kind, seeds: readonly number[], latencies: readonly number[]): Promise<Row> {
  const given = new Map<string, number>();
  const named: number[] = [];
  let wrong = 0;
  for (const latency_ms of latencies) {
    let right = 0;
    for (const seed of seeds) {
      const { named: name, possible } = await recognised(kind.make, latency_ms, seed);
      const answer = name ?? (possible.length > 0 ? apart : unknown);
      given.set(answer, (given.get(answer) ?? 0) + 1);
      if (name !== null && kind.is.includes(name)) right += 1;
      else if (name !== null) wrong += 1;
    }
    named.push(right);
  }
  return { kind, given, named, wrong };
}

/** @param runs of each kind at each latency */
export async function confusion(
  runs: number,
  {
    of = kinds,
    at = latencies_ms,
    seed = seedOfRecognition(),
  }: { of?: readonly Kind[]; at?: readonly number[]; seed?: number } = {},
  onRow: (row: Row) => void = () => {},
): Promise<readonly Row[]> {
  const seeds = seedsFrom(seed, runs);
  const rows: Row[] = [];
  for (const kind of of) {
    const row = await rowOf(kind, seeds, at);
    rows.push(row);
    onRow(row);
  }
  return rows;
}

export const publishedRuns = 2;

/** How the summary begins, which names the seed. */
export const summaryFrom = (seed: number): string =>
  `${kinds.length} kinds, ${publishedRuns} runs of each at each of ${latencies_ms.length} latencies from seed ${seed}`;

function tableOf(rows: readonly Row[]) {
  const used = answers.filter((answer) => rows.some(({ given }) => given.has(answer)));
  const wrong = rows.reduce((total, row) => total + row.wrong, 0);
  return {
    by: script,
    summary: `${summaryFrom(seedOfRecognition())}; ${wrong === 0 ? "no" : wrong} wrong name${wrong === 1 ? "" : "s"}.`,
    columns: ["limiter", ...used, `right name at ${latencies_ms.join(", ")} ms`],
    rows: rows.map(({ kind: { title }, given, named }) => [
      title,
      ...used.map((answer) => given.get(answer) ?? "–"),
      named.join(" "),
    ]),
  };
}

if (process.argv[1] === import.meta.filename) {
  const rows = await confusion(publishedRuns, {}, ({ kind: { title }, named, wrong }) =>
    console.error(`${title}: ${named.join(" ")}${wrong > 0 ? `, ${wrong} wrong` : ""}`),
  );
  accuracyDocument.publish(tableOf(rows));
}
