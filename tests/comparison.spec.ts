// Of runs at the reference, does a comparison name exactly what was changed, in each format, and nothing between honest runs?
import { fork } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import type { Run } from "../harness/run.ts";
import { selectById } from "../proof/mutants.ts";
import type { Lie } from "../reference/mutant.ts";
import { compare } from "../reports/compare/compare.ts";
import type { Pair } from "../reports/compare/comparison.ts";
import { markdownOf } from "../reports/compare/markdown.ts";
import { pageOf } from "../reports/compare/page.tsx";
import { sectionsOf } from "../reports/compare/sections.ts";
import type { Part } from "../specs/generated/operations.ts";
import { emptyFolder } from "./support/assay.ts";
import { ranInProcess, ranOverSockets } from "./support/runs.ts";

/** Bearer tokens are taken as keys: the interface says nothing of them. */
const chosen: Lie = { id: "bearer", rules: { choices: { bearer: "a key" } } };
const [mutant] = selectById(["CRD-SCOPE-02.requests-billing-window"]).mutants;
if (!mutant) throw new Error("there is no such lie");

interface Expected {
  readonly broken: readonly string[];
  readonly mended: readonly string[];
  readonly drifted: readonly string[];
}
const nothing: Expected = { broken: [], mended: [], drifted: [] };

/** Every id that a text names. */
const named = (text: string): readonly string[] =>
  [...new Set(text.match(/\b(?:OBS-)?[A-Z]{2,4}(?:-[A-Z0-9]+)*-[A-Z0-9]+\b/g) ?? [])].filter((id) => !/^(UTF|SHA|ISO|X)-/.test(id)).sort();

function differsOnlyIn(base: Run, head: Run, { broken, mended, drifted }: Expected): void {
  const comparison = compare([base, head], "0.1.0");
  const [pair] = comparison.pairs as readonly [Pair];
  const found = { broken: pair.requirements.broken.map(({ id }) => id), mended: pair.requirements.mended.map(({ id }) => id), drifted: pair.observations.map(({ id }) => id) };
  expect(found).toEqual({ broken, mended, drifted });
  // No section tells of anything else: no shape, no latency, no limit, no charge, no slot.
  const sections = sectionsOf(comparison, pair).map(({ name }) => name);
  expect(sections).toEqual([...(broken.length ? ["broken"] : []), ...(mended.length ? ["mended"] : []), ...(drifted.length ? ["drifted"] : [])]);
  expect(comparison.exitCode).toBe(broken.length ? 1 : 0);
  const all = [...broken, ...mended, ...drifted].sort();
  expect(named(markdownOf(comparison))).toEqual(all);
  expect(named(pageOf(comparison).replace(/<head>[\s\S]*<\/head>/, ""))).toEqual(all);
  expect(named(JSON.stringify(comparison.pairs))).toEqual(all);
}

async function triangle(parts?: readonly Part[]): Promise<void> {
  const of = (lie?: Lie): Promise<Run> => ranInProcess({ ...(parts ? { parts } : {}), ...(lie ? { lie } : {}) });
  const [honest, again, other, lying] = [await of(), await of(), await of(chosen), await of(mutant)];
  differsOnlyIn(honest, again, nothing);
  differsOnlyIn(honest, other, { ...nothing, drifted: ["OBS-AUTH-BEARER"] });
  differsOnlyIn(honest, lying, { ...nothing, broken: ["CRD-SCOPE-02"] });
  differsOnlyIn(other, lying, { ...nothing, broken: ["CRD-SCOPE-02"], drifted: ["OBS-AUTH-BEARER"] });
  differsOnlyIn(lying, honest, { ...nothing, mended: ["CRD-SCOPE-02"] });
}

test("an honest run, one with another choice and one with a lie: exactly these are named", () => triangle(["usage"]));

test("of whole runs too", { tag: "@slow" }, () => {
  test.setTimeout(600_000);
  return triangle();
});

/** Keeps one core busy, on and off, until it is told to end. */
function noise(): () => void {
  const file = join(emptyFolder(), "noise.mjs");
  writeFileSync(file, "const spin = () => { for (const until = Date.now() + 200; Date.now() < until; ); setTimeout(spin, Math.random() * 400); }; spin();");
  const child = fork(file);
  return () => child.kill();
}

test("between seven honest runs over sockets, every other beside a busy neighbour, nothing is found in any of the 21 pairs", { tag: "@slow" }, async () => {
  test.setTimeout(1_200_000);
  const runs: Run[] = [];
  for (let nth = 0; nth < 7; nth += 1) {
    const quieten = nth % 2 ? noise() : () => {};
    runs.push(await ranOverSockets({ parts: ["wallet", "compression"] }));
    quieten();
  }
  let compared = 0;
  for (const [index, head] of runs.entries()) {
    for (const base of runs.slice(0, index)) {
      differsOnlyIn(base, head, nothing);
      compared += 1;
    }
  }
  expect(compared).toBe(21);
});

test("an operation that answers 60 ms later is found over sockets, and nothing else", { tag: "@slow" }, async () => {
  test.setTimeout(300_000);
  const slowly: Lie = {
    id: "slow balances",
    answer: (answer, { path }) => {
      for (const until_ms = performance.now() + 60; path.endsWith("/balances") && performance.now() < until_ms; );
      return answer;
    },
  };
  const [base, head] = [await ranOverSockets({ parts: ["wallet"] }), await ranOverSockets({ parts: ["wallet"], lie: slowly })];
  const comparison = compare([base, head], "0.1.0");
  const [pair] = comparison.pairs as readonly [Pair];
  expect(sectionsOf(comparison, pair).map(({ name }) => name)).toEqual(["latency"]);
  expect(pair.latency.filter(({ isTold }) => isTold).map(({ operation }) => operation)).toEqual(["getWalletBalances"]);
});
