// Do the laws judge exchanges typed by hand from the interface as the interface does?
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { Ajv2020, type SchemaObject } from "ajv/dist/2020.js";
import { parse } from "yaml";
import { suite } from "../contracts/suite.ts";
import type { Finding } from "../harness/core/finding.ts";
import { operations } from "../specs/generated/operations.ts";
import { exchangeOf, type GoldenExchange } from "./golden/build.ts";

const folder = new URL("./golden/", import.meta.url);
const textOf = (name: string): string => readFileSync(new URL(name, folder), "utf8");

const fits = new Ajv2020({ allErrors: true }).compile<readonly GoldenExchange[]>(
  JSON.parse(textOf("exchange.schema.json")) as SchemaObject,
);

// The lists share members by alias, which the parser takes for an attack beyond a hundred.
const lists = readdirSync(folder)
  .filter((name) => name.endsWith(".yaml"))
  .sort()
  .map((name) => ({ name, list: parse(textOf(name), { maxAliasCount: -1 }) as unknown }));

for (const { name, list } of lists) {
  test(`${name} fits the schema of golden exchanges`, () => {
    fits(list);
    expect(fits.errors ?? []).toEqual([]);
  });
}

const golden = lists.flatMap(({ list }) => (fits(list) ? list : []));

/** What one law says of one requirement; several laws may speak of the same one. */
interface Said {
  readonly law: number;
  readonly id: string;
  readonly outcome: Finding["outcome"];
}

const judged = golden.map((typed, index): readonly Said[] =>
  suite.laws.flatMap((law, at) =>
    [...law.judge(exchangeOf(typed, index + 1))].map(([id, { outcome }]) => ({ law: at, id, outcome })),
  ),
);

const idsOf = (said: readonly Said[], outcome: Finding["outcome"]): string[] =>
  [...new Set(said.filter((one) => one.outcome === outcome).map(({ id }) => id))].sort();

for (const [index, { says, clause, broken, holds, open = [] }] of golden.entries()) {
  test(`${says} (${clause})`, () => {
    const said = judged[index] ?? [];
    expect(idsOf(said, "broken"), "broken").toEqual([...broken].sort());
    expect(idsOf(said, "held"), "held").toEqual(expect.arrayContaining([...holds]));
    expect(
      open.filter((id) => said.some((one) => one.id === id)),
      "neither held nor broken",
    ).toEqual([]);
  });
}

test("There are at least 40 golden exchanges, good ones and bad ones", () => {
  expect(golden.length).toBeGreaterThanOrEqual(40);
  expect(golden.filter(({ broken }) => broken.length === 0).length).toBeGreaterThanOrEqual(20);
  expect(golden.filter(({ broken }) => broken.length > 0).length).toBeGreaterThanOrEqual(20);
});

test("Every golden exchange asks for what the specs describe", () => {
  const described = new Set<string | null>(operations.map(({ id }) => id));
  expect(
    golden
      .filter((typed, index) => !described.has(exchangeOf(typed, index + 1).stimulus.operation))
      .map(({ says }) => says),
  ).toEqual([]);
});

test("No two golden exchanges say the same", () => {
  const sentences = golden.map(({ says }) => says);
  expect(sentences.filter((says, index) => sentences.indexOf(says) !== index)).toEqual([]);
});

test("Every golden exchange names a clause", () => {
  expect(golden.filter(({ clause }) => clause.trim() === "").map(({ says }) => says)).toEqual([]);
});

test("No golden exchange puts one requirement under two outcomes", () => {
  const confused = golden.filter(
    ({ broken, holds, open = [] }) =>
      new Set([...broken, ...holds, ...open]).size < broken.length + holds.length + open.length,
  );
  expect(confused.map(({ says }) => says)).toEqual([]);
});

test("Every requirement that a golden exchange names is one that some law speaks of", () => {
  const spoken = new Set<string>(suite.laws.flatMap(({ ids }) => ids));
  const named = golden.flatMap(({ broken, holds, open = [] }) => [...broken, ...holds, ...open]);
  expect([...new Set(named)].filter((id) => !spoken.has(id))).toEqual([]);
});

/** Which requirements of which laws no golden exchange sees with this outcome, as typed. */
const unseen = (outcome: Finding["outcome"], typedIn: "broken" | "holds"): string[] =>
  suite.laws.flatMap(({ ids }, law) =>
    ids
      .filter(
        (id) =>
          !golden.some(
            (typed, index) =>
              typed[typedIn].includes(id) &&
              judged[index]?.some((one) => one.law === law && one.id === id && one.outcome === outcome),
          ),
      )
      .map(
        (id) =>
          `law ${law} (${ids.length === 1 ? "alone" : `with ${ids.filter((other) => other !== id).join(", ")}`}): ${id}`,
      ),
  );

test("Every requirement of every law is broken by some golden exchange", () => {
  expect(unseen("broken", "broken")).toEqual([]);
});

test("Every requirement of every law is held by some golden exchange", () => {
  expect(unseen("held", "holds")).toEqual([]);
});
