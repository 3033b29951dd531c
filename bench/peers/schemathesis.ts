// Schemathesis on the OpenAPI document: all phases and checks, with samples, a key and a rate that the limits allow
import { createReadStream, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { lastWords, runToEnd } from "./children.ts";
import { documentAt, sampleWallets } from "./document.ts";
import { type Findings, firstTimes, type JudgedPlatform, type Outcome, type Place } from "./outcome.ts";
import type { User } from "./platforms.ts";

/** It fuzzes until this is spent, for each user. */
export const budget_s = 30;
const startsWithin_s = 60;

/** The usage endpoint's limit is 5 per second; wallet calls are under the general limit of 50. */
export const rates = { usage: "4/s", all: "20/s" };

const settings = ({ key, project }: User): string => `
continue-on-failure = true
rate-limit = "${rates.all}"
max-time = ${budget_s}
generation.max-examples = 50
workers = 4
[reports]
directory = "reports"
[reports.json]
path = "report.json"
[reports.ndjson]
path = "events.ndjson"
[dictionaries.projects]
values = ["${project}"]
[dictionaries.wallets]
values = ${JSON.stringify(sampleWallets)}
[parameters]
"path.id" = { dictionary = "projects", probability = 1.0 }
"path.wallet" = { dictionary = "wallets", probability = 1.0 }
[auth.openapi.keyInHeader]
api_key = "${key}"
[auth.openapi.keyInQuery]
api_key = "${key}"
[[operations]]
include-operation-id = "getProjectUsage"
rate-limit = "${rates.usage}"
`;

interface Report {
  readonly errors: readonly unknown[];
  readonly operations: { readonly errored: number };
}

interface Accepted {
  readonly operation: string;
  readonly check: string;
  readonly failure: string;
  readonly signature: string;
}

/** As each user in turn: it takes one key at a time, and the days of the users' cycles differ. */
export async function judgedBySchemathesis(program: string, { served, folder, seed }: Place): Promise<Outcome> {
  const judged: JudgedPlatform[] = [];
  for (const user of served.users) {
    const own = join(folder, user.project);
    mkdirSync(own);
    const outcome = await judgedAs(user, program, { served, folder: own, seed });
    if ("unable" in outcome) return outcome;
    judged.push(outcome);
  }
  const sum = (figure: (one: JudgedPlatform) => number | null): number =>
    judged.reduce((all, one) => all + (figure(one) ?? 0), 0);
  let before_s = 0;
  const found = judged.flatMap(({ findings, seconds }) => {
    const from_s = before_s;
    before_s += seconds;
    return Object.entries(findings).map(([finding, at_s]) => [finding, from_s + at_s] as const);
  });
  return {
    findings: firstTimes(found),
    requests: served.exchanges.length,
    seconds: sum(({ seconds }) => seconds),
    processorSeconds: sum(({ processorSeconds }) => processorSeconds),
  };
}

async function judgedAs(user: User, program: string, { served, folder, seed }: Place): Promise<Outcome> {
  writeFileSync(join(folder, "schemathesis.toml"), settings(user));
  writeFileSync(join(folder, "openapi.json"), JSON.stringify(documentAt(served.base, user.project)));
  const command = [program, "--config-file", "schemathesis.toml", "run", "openapi.json", "--url", served.base];
  const more = ["--seed", String(seed), "--phases", "examples,coverage,fuzzing,stateful", "--checks", "all"];
  const ended = await runToEnd(
    [...command, ...more, "--no-color", "--baseline", "failures.json", "--baseline-update"],
    { cwd: folder, within_s: budget_s + startsWithin_s },
  );
  const [report, accepted, events] = ["report.json", "failures.json", "events.ndjson"].map((name) =>
    join(folder, name),
  );
  if (ended.code === null) return { unable: `it took more than ${budget_s + startsWithin_s} s` };
  if (ended.code > 1 || !existsSync(report ?? "")) return { unable: `exit code ${ended.code}: ${lastWords(ended)}` };
  const { errors, operations } = JSON.parse(readFileSync(report ?? "", "utf8")) as Report;
  if (errors.length > 0 || operations.errored > 0) return { unable: `it reports errors: ${JSON.stringify(errors[0])}` };
  const findings = await findingsIn(accepted ?? "", events ?? "", ended.startedAt_ms);
  rmSync(events ?? "");
  const { seconds, processorSeconds } = ended;
  return { findings, requests: served.exchanges.length, seconds, processorSeconds };
}

/** What makes two failures the same is its own notion, as its file of accepted failures has it. */
async function findingsIn(accepted: string, events: string, startedAt_ms: number): Promise<Findings> {
  const { entries } = JSON.parse(readFileSync(accepted, "utf8")) as { readonly entries: readonly Accepted[] };
  const times = new Map<string, number>();
  for await (const line of createInterface(createReadStream(events)))
    for (const [kind, at_ms] of failuresIn(line)) times.set(kind, Math.min(at_ms, times.get(kind) ?? at_ms));
  return firstTimes(
    entries.map(({ operation, check, failure, signature }) => {
      const at_ms = times.get(`${operation} ${check} ${failure}`) ?? Date.now();
      return [`${operation}: ${check}, ${failure} ${signature}`, (at_ms - startedAt_ms) / 1000] as const;
    }),
  );
}

interface Scenario {
  readonly recorder?: {
    readonly checks?: { readonly [id: string]: readonly Checked[] };
    /** Unix time in seconds. */
    readonly interactions?: { readonly [id: string]: { readonly timestamp: number } };
  };
}

interface Checked {
  readonly name: string;
  readonly status: string;
  readonly failure_info?: { readonly failure: { readonly type: string; readonly operation: string } };
}

/** By operation, check and kind of failure, when its answer came. */
function* failuresIn(line: string): Generator<readonly [string, number]> {
  // Most lines have none, and they are long.
  if (!line.includes('"failure_info"')) return;
  const { recorder } = (JSON.parse(line) as { readonly ScenarioFinished?: Scenario }).ScenarioFinished ?? {};
  for (const [id, checks] of Object.entries(recorder?.checks ?? {}))
    for (const { name, failure_info: info } of checks)
      if (info)
        yield [
          `${info.failure.operation} ${name} ${info.failure.type}`,
          (recorder?.interactions?.[id]?.timestamp ?? Number.POSITIVE_INFINITY) * 1000,
        ];
}
