// Golden exchanges, typed by hand from the interface, judged by the laws as the interface has it.
import { expect, test } from "@playwright/test";
import { suite } from "../contracts/suite.ts";
import type { Finding } from "../harness/core/finding.ts";
import { operations } from "../specs/generated/operations.ts";
import { exchangeOf, type GoldenExchange } from "./golden/build.ts";
import { golden, lists } from "./golden/lists.ts";

for (const { name, errors } of lists) {
  test(`${name} is a list of golden exchanges`, () => {
    expect(errors).toEqual([]);
  });
}

/** What one law finds for one requirement; several laws may judge the same one. */
interface Judged {
  readonly law: number;
  readonly id: string;
  readonly outcome: Finding["outcome"];
}

/** By index; judged once, where a test needs it. */
const findings: (readonly Judged[])[] = [];
const judged = (typed: GoldenExchange, index: number): readonly Judged[] =>
  (findings[index] ??= suite.laws.flatMap((law, at) =>
    [...law.judge(exchangeOf(typed, index + 1))].map(([id, { outcome }]) => ({ law: at, id, outcome })),
  ));

const idsOf = (found: readonly Judged[], outcome: Finding["outcome"]): string[] =>
  [...new Set(found.filter((one) => one.outcome === outcome).map(({ id }) => id))].sort();

for (const [index, typed] of golden.entries()) {
  const { title, clause, broken, holds, notExercised } = typed;
  test(`${title} (${clause})`, () => {
    const found = judged(typed, index);
    expect(idsOf(found, "broken"), "broken").toEqual([...broken].sort());
    expect(idsOf(found, "held"), "held").toEqual(expect.arrayContaining([...holds]));
    expect(
      notExercised.filter((id) => found.some((one) => one.id === id)),
      "neither held nor broken",
    ).toEqual([]);
  });
}

/** Today's numbers, so that none gets lost; new exchanges raise them. */
const atLeast = { good: 337, bad: 508 };

test(`There are at least ${atLeast.good} good and ${atLeast.bad} bad golden exchanges`, () => {
  expect(golden.filter(({ broken }) => broken.length === 0).length).toBeGreaterThanOrEqual(atLeast.good);
  expect(golden.filter(({ broken }) => broken.length > 0).length).toBeGreaterThanOrEqual(atLeast.bad);
});

test("Every golden exchange requests a documented operation", () => {
  const described = new Set<string | null>(operations.map(({ id }) => id));
  expect(
    golden
      .filter((typed, index) => !described.has(exchangeOf(typed, index + 1).stimulus.operation))
      .map(({ title }) => title),
  ).toEqual([]);
});

test("No two golden exchanges have the same title", () => {
  const titles = golden.map(({ title }) => title);
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
});

test("Every golden exchange names a clause", () => {
  expect(golden.filter(({ clause }) => clause.trim() === "").map(({ title }) => title)).toEqual([]);
});

test("No golden exchange puts one requirement under two outcomes", () => {
  const confused = golden.filter(
    ({ broken, holds, notExercised }) =>
      new Set([...broken, ...holds, ...notExercised]).size < broken.length + holds.length + notExercised.length,
  );
  expect(confused.map(({ title }) => title)).toEqual([]);
});

test("Every requirement in a golden exchange is judged by some law", () => {
  const known = new Set<string>(suite.laws.flatMap(({ ids }) => ids));
  const named = golden.flatMap(({ broken, holds, notExercised }) => [...broken, ...holds, ...notExercised]);
  expect([...new Set(named)].filter((id) => !known.has(id))).toEqual([]);
});

/** Requirements of laws for which no golden exchange expects and gets this outcome. */
const unseen = (outcome: Finding["outcome"], typedIn: "broken" | "holds"): string[] =>
  suite.laws.flatMap(({ ids }, law) =>
    ids
      .filter(
        (id) =>
          !golden.some(
            (typed, index) =>
              typed[typedIn].includes(id) &&
              judged(typed, index).some((one) => one.law === law && one.id === id && one.outcome === outcome),
          ),
      )
      .map((id) => {
        const others = ids.filter((other) => other !== id);
        return `law ${law} (${others.length === 0 ? "alone" : `with ${others.join(", ")}`}): ${id}`;
      }),
  );

test("Every requirement of every law is broken by some golden exchange", () => {
  expect(unseen("broken", "broken")).toEqual([]);
});

test("Every requirement of every law is held by some golden exchange", () => {
  expect(unseen("held", "holds")).toEqual([]);
});
