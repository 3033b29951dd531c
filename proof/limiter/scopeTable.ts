// Scopes found of known limiters; run it to write their table into docs/rateLimitAccuracy.md
import {
  type Arrival,
  blocking,
  bucket,
  fixed,
  fixedFromFirst,
  type Make,
  none,
  per,
  slidingLog,
  weighted,
} from "../../load/rateLimits/limiterModels.ts";
import { type Scope, scopeOf, twoCallers } from "../../load/rateLimits/scopes.ts";
import type { Table } from "../publishedTable.ts";
import { latencies_ms } from "./recognition.ts";
import { type Callers, simulated } from "./simulatedPlatform.ts";
import { accuracyDocument, seedOf, seedsFrom } from "./tables.ts";

export const script = "proof/limiter/scopeTable.ts";

const callersAsked = ["keys of one project", "projects"] as const satisfies readonly Callers[];
const answers: readonly Scope[] = ["shared", "each its own", "nothing refused", null];
const withheld = "withheld";

interface Kind {
  readonly title: string;
  /** One for each limit. */
  readonly makes: readonly Make[];
  readonly is: { readonly [callers in Callers]: Scope };
}

const algorithms: { readonly [name: string]: (most: number) => Make } = {
  "sliding log": slidingLog,
  "sliding log that counts what it refuses": (most) => slidingLog(most, { countsRefused: true }),
  "windows from the first request": fixedFromFirst,
  "windows at set times": fixed,
  "two weighted windows": weighted,
  bucket: (most) => bucket(most, most),
  "blocks once exceeded": blocking,
};

const scopes: readonly (readonly [counts: string, of: ((arrival: Arrival) => number) | null, Kind["is"]])[] = [
  ["for all", null, { "keys of one project": "shared", projects: "shared" }],
  ["for each project", ({ project }) => project, { "keys of one project": "shared", projects: "each its own" }],
  [
    "for each key",
    ({ key, project }) => key + 100 * project,
    { "keys of one project": "each its own", projects: "each its own" },
  ],
];

/** At 12 the requests of two callers just reach a shared limit. */
const limits = [4, 5, 6, 10, 12];

const kinds: readonly Kind[] = [
  ...Object.entries(algorithms).flatMap(([name, algorithm]) =>
    scopes.map(([counts, of, is]) => ({
      title: `${name}, ${counts}`,
      makes: limits.map((most) => (of === null ? algorithm(most) : per(of, algorithm(most)))),
      is,
    })),
  ),
  { title: "no limit", makes: [none], is: { "keys of one project": "nothing refused", projects: "nothing refused" } },
];

interface Row {
  readonly kind: Kind;
  /** How often each answer was given of two keys and of two projects. */
  readonly given: { readonly [callers in Callers]: ReadonlyMap<Scope, number> };
  readonly wrong: number;
}

export const seedOfScopes = (): number => seedOf(["scopeTable"]);
export const publishedRuns = 40;
export const summaryFrom = (seed: number): string =>
  `Limits of ${limits.join(", ")}; ${publishedRuns} runs at each of ${latencies_ms.length} latencies from seed ${seed}`;

async function answersOf(kind: Kind, callers: Callers, seeds: readonly number[]): Promise<ReadonlyMap<Scope, number>> {
  const given = new Map<Scope, number>();
  for (const make of kind.makes)
    for (const latency_ms of latencies_ms)
      for (const seed of seeds) {
        const { fire } = simulated(make, seed + latency_ms, 1 + latency_ms / 2);
        const scope = scopeOf(await fire(callers)(twoCallers, 0));
        given.set(scope, (given.get(scope) ?? 0) + 1);
      }
  return given;
}

/** @param runs of each kind at each latency */
export async function scopesFound(runs: number, seed = seedOfScopes()): Promise<readonly Row[]> {
  const seeds = seedsFrom(seed, runs);
  const rows: Row[] = [];
  for (const kind of kinds) {
    const given = {
      "keys of one project": await answersOf(kind, "keys of one project", seeds),
      projects: await answersOf(kind, "projects", seeds),
    };
    const wrong = callersAsked.flatMap((callers) =>
      [...given[callers]].map(([scope, times]) =>
        scope === null || scope === "nothing refused" || scope === kind.is[callers] ? 0 : times,
      ),
    );
    rows.push({ kind, given, wrong: wrong.reduce((total, one) => total + one, 0) });
  }
  return rows;
}

function tableOf(rows: readonly Row[]): Table {
  const wrong = rows.reduce((total, row) => total + row.wrong, 0);
  return {
    by: script,
    summary: `${summaryFrom(seedOfScopes())}; ${wrong === 0 ? "no" : wrong} wrong answer${wrong === 1 ? "" : "s"}.`,
    columns: [
      "limiter",
      ...callersAsked.flatMap((callers) =>
        answers.map((one) => `${callers === "projects" ? callers : "keys"}: ${one ?? withheld}`),
      ),
    ],
    rows: rows.map(({ kind: { title }, given }) => [
      title,
      ...callersAsked.flatMap((callers) => answers.map((one) => given[callers].get(one) ?? "–")),
    ]),
  };
}

if (process.argv[1] === import.meta.filename) accuracyDocument.publish(tableOf(await scopesFound(publishedRuns)));
