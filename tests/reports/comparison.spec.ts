// Comparison of whole runs of the reference: exactly the changes, nothing between honest runs.
import { fork } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { described } from "../../cli/project.ts";
import { wholeSuite } from "../../cli/suite.ts";
import type { Json } from "../../harness/core/json.ts";
import type { Run } from "../../harness/record/run.ts";
import { selectById } from "../../proof/mutants.ts";
import type { Variant } from "../../reference/platform/mutant.ts";
import { compareRuns } from "../../reports/compare/compare.ts";
import type { Pair } from "../../reports/compare/comparison.ts";
import { comparisonDocument, pairChanges } from "../../reports/compare/view.ts";
import { documentMarkdown } from "../../reports/document/markdown.ts";
import { documentPage } from "../../reports/document/page.tsx";
import { type ObservationId, observations } from "../../specs/generated/observations.ts";
import { type Feature, operations } from "../../specs/generated/operations.ts";
import { type RequirementId, requirements } from "../../specs/generated/requirements.ts";
import { emptyFolder } from "../support/assay.ts";
import { type RunOptions, ranInProcess, ranOverSockets } from "../support/runs.ts";

// The pairs of test:slow take ten minutes one by one.
test.describe.configure({ mode: "parallel" });

/** Takes bearer tokens as keys, which the interface leaves unspecified. */
const chosen: Variant = { id: "bearer", rules: { choices: { bearer: "a key" } } };
const [mutant] = selectById(["CRD-SCOPE-02.requests-billing-window"]).mutants;
if (!mutant) throw new Error("there is no such mutant");

/** What changes, by the section that names it. */
const nothing: { readonly [section in "broken" | "fixed" | "unspecified"]: readonly string[] } = {
  broken: [],
  fixed: [],
  unspecified: [],
};

const ids = [...requirements, ...observations].map(({ id }): string => id);
/** The rows of the register that a text names. */
function named(text: string): readonly string[] {
  const words = new Set(text.match(/[A-Z]+(?:-[A-Z0-9]+)+/g));
  return ids.filter((id) => words.has(id)).sort();
}

const titles = { broken: "Newly broken", fixed: "Fixed", unspecified: "Changes of unspecified behaviour" } as const;

function differsOnlyIn(base: Run, head: Run, expected: typeof nothing): void {
  const comparison = compareRuns([base, head], "0.1.0", described);
  const [pair] = comparison.pairs as readonly [Pair];
  const found = {
    broken: pair.requirements.broken.map(({ id }) => id),
    fixed: pair.requirements.fixed.map(({ id }) => id),
    unspecified: pair.observations.map(({ id }) => id),
  };
  expect(found).toEqual(expected);
  // There is no other section: no shape, latency, limit, charge or slot.
  const kinds = (["broken", "fixed", "unspecified"] as const).filter((kind) => expected[kind].length > 0);
  expect(pairChanges(comparison, pair).map(({ title }) => title[0])).toEqual(kinds.map((kind) => titles[kind]));
  expect(comparison.exitCode).toBe(expected.broken.length ? 1 : 0);
  const all = kinds.flatMap((kind) => expected[kind]).sort();
  expect(named(documentMarkdown(comparisonDocument(comparison)))).toEqual(all);
  expect(named(documentPage(comparisonDocument(comparison)).replace(/<head>[\s\S]*<\/head>/, ""))).toEqual(all);
  expect(named(JSON.stringify(comparison.pairs))).toEqual(all);
}

const wordsIn = (value: Json): readonly string[] =>
  typeof value === "object" && value !== null ? Object.values(value).flatMap(wordsIn) : [String(value)];

/** Values of measured observations that are on none of their scales, so that they have no neighbours. */
function offScale({ observations: seen }: Run): readonly string[] {
  return observations.flatMap(({ id, scales = [] }) => {
    const known = scales.flat();
    const summary = seen.find((one) => one.id === id)?.values.flatMap((reading) => wordsIn(reading.summary)) ?? [];
    return known.length > 0 ? summary.filter((word) => !known.includes(word)).map((word) => `${id}: ${word}`) : [];
  });
}

async function triangle(features?: readonly Feature[]): Promise<void> {
  const of = (variant?: Variant): Promise<Run> =>
    ranInProcess({ ...(features ? { features } : {}), ...(variant ? { variant } : {}) });
  const [honest, again, other, mutated] = [await of(), await of(), await of(chosen), await of(mutant)];
  expect(offScale(honest)).toEqual([]);
  differsOnlyIn(honest, again, nothing);
  differsOnlyIn(honest, other, { ...nothing, unspecified: ["OBS-AUTH-BEARER"] });
  differsOnlyIn(honest, mutated, { ...nothing, broken: ["CRD-SCOPE-02"] });
  differsOnlyIn(other, mutated, { ...nothing, broken: ["CRD-SCOPE-02"], unspecified: ["OBS-AUTH-BEARER"] });
  differsOnlyIn(mutated, honest, { ...nothing, fixed: ["CRD-SCOPE-02"] });
}

test("of an honest run, one with another choice and one with a mutant, exactly the differences are named", () =>
  triangle(["usage"]));

test("of whole runs too, exactly the differences are named", { tag: "@slow" }, () => {
  test.setTimeout(600_000);
  return triangle();
});

/** A run over sockets, beside a process that keeps one core busy, on and off, or beside none. */
async function ranBeside(isBusy: boolean, options: RunOptions): Promise<Run> {
  if (!isBusy) return ranOverSockets(options);
  const file = join(emptyFolder(), "noise.mjs");
  writeFileSync(
    file,
    "const spin = () => { for (const until = Date.now() + 200; Date.now() < until; ); setTimeout(spin, " +
      "Math.random() * 400); }; spin();",
  );
  const child = fork(file);
  return ranOverSockets(options).finally(() => child.kill());
}

test("seven honest runs over sockets, every other one beside a busy process, give 21 pairs without a finding", {
  tag: "@slow",
}, async () => {
  test.setTimeout(1_200_000);
  const runs: Run[] = [];
  for (let nth = 0; nth < 7; nth += 1)
    runs.push(await ranBeside(nth % 2 === 1, { features: ["wallet", "compression"] }));
  let compared = 0;
  for (const [index, head] of runs.entries())
    for (const base of runs.slice(0, index)) {
      differsOnlyIn(base, head, nothing);
      compared += 1;
    }
  expect(compared).toBe(21);
});

/** Some of each API, so that every operation is called, and some often with the same request. */
const some: readonly RequirementId[] = [
  "CRD-SUM-01",
  "USG-FLD-01",
  "TA-PAGE-01",
  "TA-LIM-01",
  "CB-EQ-01",
  "CB-PAR-01",
  "IH-OK-01",
  "NAP-MAP-01",
  "BND-LIM-01",
  "BST-ALIGN-01",
  "SIM-EXIST-01",
  "WAL-BATCH-02",
  "WAL-HIST-01",
  "AUTH-WAL-HDR-01",
  "AUTH-WAL-QRY-01",
  "ERR-TA-32602",
];
const observed: readonly ObservationId[] = [
  "OBS-CTX-MONO",
  "OBS-TA-SLOTMONO",
  "OBS-TA-RANGE",
  "OBS-NAP-ORDER",
  "OBS-WAL-WHEN",
  "OBS-WAL-LAG",
  "OBS-IH-CODE",
  "OBS-HTTP-SLASH",
];
/** Passive probes cost nothing; those on rates have nothing to observe here. */
const passive = wholeSuite.probes
  .filter(({ id, when }) => when === "after" && !id.startsWith("OBS-RATE"))
  .map(({ id }) => id);

for (let nth = 1; nth <= 20; nth += 1) {
  const which = nth % 2 ? "one" : nth % 4 ? "both" : "neither";
  test(`independent pair ${nth} of 20 honest runs, ${which} beside a busy process, gives no finding`, {
    tag: "@slow",
  }, async () => {
    test.setTimeout(300_000);
    const isBusy = nth % 2 ? [nth % 4 === 1, nth % 4 === 3] : [nth % 4 !== 0, nth % 4 !== 0];
    const runs: Run[] = [];
    for (const busy of isBusy) runs.push(await ranBeside(busy, { only: some, observe: [...passive, ...observed] }));
    const [base, head] = runs as [Run, Run];
    expect(new Set(base.exchanges.flatMap(({ operation }) => operation ?? []))).toEqual(
      new Set(operations.map(({ id }) => id)),
    );
    expect(head.observations.filter(({ values }) => values.length > 0).length).toBeGreaterThan(30);
    const [pair] = compareRuns([base, head], "0.1.0", described).pairs as readonly [Pair];
    expect(pair.charges.length).toBeGreaterThan(3);
    expect(pair.latency.filter(({ shift }) => shift !== null).length).toBeGreaterThanOrEqual(5);
    differsOnlyIn(base, head, nothing);
  });
}

test("an operation that answers 300 ms later is found over sockets, and nothing else", { tag: "@slow" }, async () => {
  test.setTimeout(300_000);
  const slowly: Variant = {
    id: "slow batches",
    answer: (answer, { path }) => {
      for (
        const until_ms = performance.now() + 300;
        path.endsWith("/batch-identity") && performance.now() < until_ms;
      );
      return answer;
    },
  };
  const [base, head] = [
    await ranOverSockets({ features: ["wallet"] }),
    await ranOverSockets({ features: ["wallet"], variant: slowly }),
  ];
  const comparison = compareRuns([base, head], "0.1.0", described);
  const [pair] = comparison.pairs as readonly [Pair];
  expect(pairChanges(comparison, pair).map(({ title }) => title[0])).toEqual(["Latency"]);
  expect(pair.latency.filter(({ isReported }) => isReported).map(({ operation }) => operation)).toEqual([
    "batchWalletIdentity",
  ]);
});
