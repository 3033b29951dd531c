// A second interface, of parcels, judged from end to end: the harness knows none.
//
// All that it needed is in tests/fixtures/second: specs.yaml and the value that is read from it, requests, laws,
// checks, probes, their suite, the form of target files with one target, the entry of k6, and a platform with its
// mutants. harness/, reports/, load/ and the folder of a run in cli/ take it as it is, compiled with ids as mere texts.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "@playwright/test";
import { assay, emptyFolder, filesOfRun, type Run, root, start, read as textOf } from "../support/assay.ts";
import { k6 } from "../support/k6.ts";
import { idsIn } from "../support/register.ts";
import { problemsOf, schemaProblems, xmlProblem } from "../support/standards.ts";
import { importNodes } from "./imports.ts";
import { programOf, visitorOf } from "./pass.ts";

interface Asked {
  readonly requests: number;
  readonly credits: number;
  readonly unpriced: number;
}

interface Judged {
  readonly run: Run;
  readonly folder: string;
  readonly plan: Asked & { readonly sends: { readonly calls: number; readonly payments: number } };
  readonly seconds: number;
  readonly dispatched: readonly string[];
}

interface Mix {
  readonly shares: readonly { readonly operation: string; readonly perSecond: number }[];
}

interface Found {
  readonly verdicts: readonly { readonly id: string; readonly verdict: string }[];
}

type Ids = readonly { readonly id: string }[];

interface Second {
  readonly described: {
    readonly tables: { readonly requirements: Ids };
    readonly lines: { readonly rows: { readonly [id: string]: { readonly line: number } } };
  };
  readonly mutants: { readonly [name: string]: object };
  judged(at: string, asked?: { readonly mutant?: string; readonly without?: readonly string[] }): Promise<Judged>;
  compared(runs: readonly Run[]): {
    readonly comparison: {
      readonly exitCode: number;
      readonly pairs: readonly {
        readonly requirements: { readonly broken: Ids; readonly fixed: Ids };
        readonly observations: Ids;
        readonly notes: readonly string[];
      }[];
    };
    readonly texts: readonly string[];
  };
  dispatchUnasked(at: string): Promise<readonly string[]>;
  loadPlanned(at: string): {
    readonly mix: Mix;
    readonly byK6: Asked;
    readonly cost: Asked;
    readonly order: readonly number[];
  };
  tallied(
    operations: readonly string[],
    records: readonly (readonly unknown[])[],
  ): {
    readonly broken: ReadonlyMap<string, number>;
    readonly latencies: readonly { readonly operation: string; readonly p50_ms: number }[];
  };
  foundUnderLoad(at: string, mix: Mix, bodies: readonly unknown[]): Promise<Found>;
  k6Script(): Promise<string>;
  loaded(
    at: string,
    by: object,
    mutant?: string,
  ): Promise<Found & { readonly report: { readonly doubt: string | null; readonly broken: Ids } }>;
}

// Compiled apart, where ids are texts; not by name, or this file's own compiler would read it.
const entry = new URL("../fixtures/second/judging.ts", import.meta.url);
const second = (await import(entry.href)) as Second;

const requirementIds: readonly string[] = second.described.tables.requirements.map(({ id }) => id);
const brokenIn = ({ requirements }: Run): readonly string[] =>
  requirements.flatMap(({ id, verdict }) => (verdict === "broken" ? [id] : []));
const verdictsIn = ({ requirements }: Run): { readonly [id: string]: string } =>
  Object.fromEntries(requirements.map(({ id, verdict, reason }) => [id, reason ?? verdict]));

/** Words that only the first interface has. */
let foreign: readonly string[];
test.beforeAll(async () => {
  const printed = async (...words: readonly string[]) => JSON.parse((await assay(words)).stdout) as unknown;
  const { requirements } = (await printed("requirements", "--json")) as {
    readonly requirements: readonly { readonly id: string; readonly sentence: string }[];
  };
  const { methods } = (await printed("spec", "openrpc")) as { readonly methods: readonly { readonly name: string }[] };
  const endpoints = JSON.stringify(await printed("spec", "openapi")).matchAll(/"operationId":"(\w+)"/g);
  foreign = [
    ...methods.map(({ name }) => name),
    ...[...endpoints].map(([, id = ""]) => id),
    ...requirements.flatMap(({ id, sentence }) => [id, sentence]),
    ...idsIn("observations"),
    ...["bundle", "lamports", "wallet", "last_indexed_slot"],
  ];
  expect(foreign.filter((word) => word === "")).toEqual([]);
});
const foreignIn = (text: string): readonly string[] => foreign.filter((word) => text.includes(word));

test.describe.configure({ mode: "parallel" });

/** What sources import, and what that imports. */
function reachedFrom(sources: readonly string[]): ReadonlySet<string> {
  const reached = new Set(sources);
  for (const file of reached)
    if (/\.tsx?$/.test(file))
      visitorOf([importNodes((specifier) => void reached.add(join(dirname(file), specifier)))]).visit(
        programOf({ path: file, text: textOf(file) }),
      );
  return reached;
}

test("it needs no file of the first interface", () => {
  const fixture = "tests/fixtures/second";
  const own = readdirSync(join(root, fixture)).filter((name) => name.endsWith(".ts"));
  const reached = [...reachedFrom(own.map((name) => join(fixture, name)))];
  const folders = new Set(reached.map((file) => file.slice(0, file.indexOf("/"))));
  expect([...folders].sort()).toEqual(["cli", "custom", "harness", "load", "published", "reports", "tests"]);
  const besides = reached.filter((file) => /^(?:tests|cli)\//.test(file) && !file.startsWith(`${fixture}/`));
  expect(besides.sort()).toEqual([
    "cli/flags.ts",
    "cli/forPrograms.ts",
    "cli/historyFiles.ts",
    "cli/invocation.ts",
    "cli/readRuns.ts",
    "cli/readSchema.ts",
    "cli/readers.ts",
    "cli/replayLine.ts",
    "cli/runFolder.ts",
    "cli/signals.ts",
    "cli/version.ts",
    "cli/writeText.ts",
  ]);
});

test("it compiles with ids that are texts", { tag: "@slow" }, async () => {
  const args = ["node_modules/typescript-7/bin/tsc", "-p", "tests/fixtures/second"];
  expect(await start(process.execPath, args).ended).toMatchObject({ code: 0, stdout: "" });
});

test("the honest platform meets every requirement, and every report names it", async () => {
  const { run, folder, plan, seconds, dispatched } = await second.judged(emptyFolder());
  expect(verdictsIn(run)).toEqual(Object.fromEntries(requirementIds.map((id) => [id, "holds"])));
  expect(run.observations.map(({ id, values }) => [id, values[0]?.summary])).toEqual([
    ["OBS-TRK-CASE", { "small letters": 404 }],
    ["OBS-QUO-DAYS", { quote: "yes" }],
  ]);
  expect(dispatched).toEqual(["P-1002"]);
  expect(plan).toMatchObject({ requests: 31, credits: 85, unpriced: 0, sends: { calls: 1, payments: 0 } });
  expect(seconds).toBeGreaterThan(1);
  expect(run.spent.credits).toBeGreaterThan(50);
  expect(run.spent.credits).toBeLessThanOrEqual(plan.credits);

  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  expect(schemaProblems("reports/run.schema.json", JSON.parse(read("run.json")))).toEqual([]);
  expect(readdirSync(folder).sort()).toEqual(filesOfRun);
  for (const name of readdirSync(folder)) expect([name, foreignIn(read(name))]).toEqual([name, []]);
  for (const name of ["ctrf.json", "index.html", "junit.xml"])
    for (const id of requirementIds) expect(read(name)).toContain(id);
  expect(read("index.html")).toContain("Dispatch");
  expect(xmlProblem(read("junit.xml"))).toBeNull();
  expect(problemsOf("ctrf", JSON.parse(read("ctrf.json")))).toEqual([]);
});

for (const mutant of Object.keys(second.mutants)) {
  const [requirement = ""] = mutant.split(".");
  test(`${mutant} breaks ${requirement} and nothing else`, async () => {
    const { run, folder } = await second.judged(emptyFolder(), { mutant });
    expect(brokenIn(run)).toEqual([requirement]);
    expect(run.exitCode).toBe(1);

    const text = readFileSync(join(folder, "results.sarif"), "utf8");
    expect(problemsOf("sarif", JSON.parse(text))).toEqual([]);
    const { line } = second.described.lines.rows[requirement] ?? { line: 0 };
    const specs = textOf("tests/fixtures/second/specs.yaml").split("\n");
    expect(specs[line - 1]).toContain(requirement);
    expect(text).toContain(`"uri":"tests/fixtures/second/specs.yaml"`);
    expect(text).toContain(`"startLine":${line}`);
    expect(readFileSync(join(folder, "summary.md"), "utf8")).toContain(requirement);
    for (const name of readdirSync(folder)) expect(foreignIn(readFileSync(join(folder, name), "utf8"))).toEqual([]);
  });
}

test("a comparison names the broken requirement", async () => {
  const mutant = "DSP-SENT-01.forgets";
  const runs = await Promise.all([second.judged(emptyFolder()), second.judged(emptyFolder(), { mutant })]);
  const { comparison, texts } = second.compared(runs.map(({ run }) => run));
  const [pair] = comparison.pairs;
  expect(pair?.requirements.broken.map(({ id }) => id)).toEqual(["DSP-SENT-01"]);
  expect(pair?.requirements.fixed).toEqual([]);
  expect(pair?.observations).toEqual([]);
  expect(comparison.exitCode).toBe(1);
  for (const text of texts) {
    expect(text).toContain("DSP-SENT-01");
    expect(foreignIn(text)).toEqual([]);
    expect(text).not.toContain("slots");
  }
  // Without figures of newness, it doesn't matter whether runs overlapped in time.
  const late = { startedAt: "2099-01-01T00:00:00.000Z", endedAt: "2099-01-01T00:01:00.000Z" };
  const apart = runs.map(({ run }, nth) => (nth === 0 ? run : { ...run, ...late }));
  expect(second.compared(apart).comparison.pairs[0]?.notes).toEqual([]);
});

test("without consent nothing that can't be undone is sent, and the limit isn't tripped", async () => {
  const { run, dispatched, plan } = await second.judged(emptyFolder(), { without: ["dispatch", "throttle"] });
  expect(dispatched).toEqual([]);
  expect(run.exchanges.filter(({ operation }) => operation === "dispatch")).toEqual([]);
  expect(verdictsIn(run)).toMatchObject({
    "DSP-SENT-01": "the target doesn't allow `dispatch`",
    "TRK-RATE-01": "the target doesn't allow `throttle`",
    "TRK-FOUND-01": "holds",
  });
  expect(plan.sends.calls).toBe(0);
  await expect(second.dispatchUnasked(emptyFolder())).rejects.toThrow(
    "refused to send dispatch: it can't be undone, and the target doesn't allow it",
  );
});

test("a load is made of its reads, within its limit, and counted and judged by its laws", async () => {
  const { mix, byK6, cost, order } = second.loadPlanned(emptyFolder());
  expect(mix.shares.map(({ operation, perSecond }) => [operation, perSecond])).toEqual([
    ["getParcel", 4],
    ["quote", 20],
  ]);
  expect(byK6).toEqual({ requests: 72, credits: 132, unpriced: 0 });
  // An owner and somebody unauthorized of each API.
  expect(cost.requests - byK6.requests).toBe(4);
  expect(order.filter((share) => share === 1).length).toBe(5 * order.filter((share) => share === 0).length);

  const names = mix.shares.map(({ operation }) => operation);
  const tally = second.tallied(names, [
    [0, 0, 0, 0, 1_000, 1, ["TRK-ECHO-01"]],
    [1, 0, 1, 0, 2_000, 1, []],
  ]);
  expect(tally.broken).toEqual(new Map([["TRK-ECHO-01", 1]]));
  expect(tally.latencies.map(({ operation, p50_ms }) => [operation, p50_ms])).toEqual([
    ["getParcel", 1],
    ["quote", 2],
  ]);

  const { verdicts } = await second.foundUnderLoad(emptyFolder(), mix, [
    { id: "P-9999", status: "waiting", grams: 750 },
    { jsonrpc: "2.0", id: 1, result: { cents: 450 } },
  ]);
  expect(Object.fromEntries(verdicts.map(({ id, verdict }) => [id, verdict]))).toEqual({
    "TRK-ECHO-01": "broken",
    "TRK-FOUND-01": "holds",
    "QUO-PRICE-01": "holds",
    "QUO-ID-01": "holds",
  });
});

test("its laws run in k6 without those of the first interface", async () => {
  const script = await second.k6Script();
  expect(script).toContain("TRK-ECHO-01");
  expect(foreignIn(script)).toEqual([]);
  expect([...script.matchAll(/from "([^"]+)"/g)].filter(([, name]) => !name?.startsWith("k6"))).toEqual([]);
});

test("k6 loads it, and finds a mutant", async () => {
  const { report, verdicts } = await second.loaded(emptyFolder(), k6(), "TRK-ECHO-01.other-parcel");
  expect(report.doubt).toBeNull();
  expect(report.broken.map(({ id }) => id)).toEqual(["TRK-ECHO-01"]);
  expect(verdicts.flatMap(({ id, verdict }) => (verdict === "broken" ? [id] : []))).toEqual(["TRK-ECHO-01"]);
});
