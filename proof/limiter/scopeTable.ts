// Scopes found of known limiters
import {
  type Arrival,
  bucket,
  fixed,
  fixedFromFirst,
  type Make,
  slidingLog,
  weighted,
} from "../../load/rateLimits/limiterModels.ts";
import { type LimitScope, scopeOf, twoCallers } from "../../load/rateLimits/scopes.ts";
import type { ProofTable } from "../table.ts";
import { blocking, none, per } from "./limiters.ts";
import { latencies_ms } from "./recognition.ts";
import { type LimitedCallers, simulated } from "./simulatedPlatform.ts";
import { limiterSeed, seedsFrom } from "./tables.ts";

const callersAsked = ["keys of one project", "projects"] as const satisfies readonly LimitedCallers[];
const answers: readonly LimitScope[] = ["shared", "each its own", "nothing refused", null];
const withheld = "withheld";

interface Kind {
  readonly title: string;
  /** One for each limit. */
  readonly makes: readonly Make[];
  readonly is: { readonly [callers in LimitedCallers]: LimitScope };
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
  readonly given: { readonly [callers in LimitedCallers]: ReadonlyMap<LimitScope, number> };
  readonly wrong: number;
}

async function answersOf(
  kind: Kind,
  callers: LimitedCallers,
  seeds: readonly number[],
): Promise<ReadonlyMap<LimitScope, number>> {
  const given = new Map<LimitScope, number>();
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
export async function scopesFound(runs: number, seed = limiterSeed): Promise<readonly Row[]> {
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

/** @param runs of each kind at each latency */
export function tableOfScopes(rows: readonly Row[], runs: number): ProofTable {
  const wrong = rows.flatMap((row) =>
    row.wrong === 0 ? [] : [`Of the limiter "${row.kind.title}" ${row.wrong} answers are wrong.`],
  );
  const counted = `${runs} runs at each of ${latencies_ms.length} latencies from seed ${limiterSeed}`;
  return {
    title: "Whom a limit counts together",
    summary: `Limits of ${limits.join(", ")}; ${counted}; ${wrong.length === 0 ? "no" : "some"} wrong answers.`,
    columns: [
      "limiter",
      ...callersAsked.flatMap((callers) =>
        answers.map((answer) => `${callers === "projects" ? callers : "keys"}: ${answer ?? withheld}`),
      ),
    ],
    rows: rows.map(({ kind: { title }, given }) => [
      title,
      ...callersAsked.flatMap((callers) => answers.map((answer) => given[callers].get(answer) ?? "–")),
    ]),
    wrong,
  };
}

const runsOfEach = 40;

export const scopeTable = async (): Promise<ProofTable> => tableOfScopes(await scopesFound(runsOfEach), runsOfEach);
