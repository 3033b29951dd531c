// Golden exchanges, typed by hand from the interface, judged by the laws as the interface has it.
import { expect, test } from "@playwright/test";
import { contractSuite } from "../contracts/suite.ts";
import type { Broken, Finding } from "../harness/core/finding.ts";
import { valueAt } from "../harness/core/json.ts";
import type { Exchange } from "../harness/transport/exchange.ts";
import { operations } from "../specs/generated/operations.ts";
import { exchangeOf } from "./golden/build.ts";
import { golden, lists } from "./golden/lists.ts";

const weight = (finding: Finding) => ({
  outcome: finding.outcome,
  warns: finding.outcome === "broken" && finding.warnsOnVendors === true,
});

/** What the laws find in each golden exchange of a list; several laws may judge the same requirement. */
const judgeAll = (list: string) =>
  (lists.find(({ name }) => name === list)?.exchanges ?? []).map((typed, index) => {
    const exchange = exchangeOf(typed, index + 1);
    const found = contractSuite.laws.flatMap((law, at) =>
      [...law.judge(exchange)].map(([id, finding]) => ({ law: at, id, finding, ...weight(finding) })),
    );
    const idsOf = (outcome: Finding["outcome"]): string[] =>
      [...new Set(found.filter((one) => one.outcome === outcome).map(({ id }) => id))].sort();
    return { typed, exchange, found, broken: idsOf("broken"), held: idsOf("held") };
  });

const inThisWorker = new Map<string, ReturnType<typeof judgeAll>>();
function judgedOf(list: string) {
  const known = inThisWorker.get(list) ?? judgeAll(list);
  inThisWorker.set(list, known);
  return known;
}
const judged = () => lists.flatMap(({ name }) => judgedOf(name));

// A test for each list, not for each exchange: the runner alone spends 10 ms on a test.
for (const { name, errors } of lists)
  test(`${name}: every golden exchange is judged as typed`, () => {
    expect(errors).toEqual([]);
    const ofList = judgedOf(name);
    expect(ofList.length).toBeGreaterThan(0);
    expect(
      ofList.map(({ typed, found, broken, held }) => ({
        title: typed.title,
        broken,
        warns: [...new Set(found.filter(({ warns }) => warns).map(({ id }) => id))],
        notHeld: typed.holds.filter((id) => !held.includes(id)),
        exercised: typed.notExercised.filter((id) => found.some((one) => one.id === id)),
      })),
    ).toEqual(
      ofList.map(({ typed: { title, broken, warns } }) => ({
        title,
        broken: [...broken].sort(),
        warns,
        notHeld: [],
        exercised: [],
      })),
    );
  });

/** What stands at a place of an answer: a pointer into its body, its status or a header. */
function standsAt({ answer }: Exchange, at: string): unknown {
  if (at === "status") return answer?.status;
  const [, header] = /^header (.*)$/.exec(at) ?? [];
  return header === undefined
    ? valueAt(answer?.json?.value, at)
    : answer?.headers.find(([name]) => name === header)?.[1];
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** Whether what was found stands there; a text may describe a value, a list or a body, and a list the names in it. */
function isThere(exchange: Exchange, { at, got }: Broken): boolean {
  const value = standsAt(exchange, at);
  if ("is" in got) return value === undefined;
  if (exchange.answer?.json === null || exchange.answer?.invalidUtf8) return at === "" || !at.startsWith("/");
  if (typeof got.value === "string") return value !== undefined && (typeof value !== "object" || isList(value));
  if (isList(got.value) && !isList(value))
    return got.value.every(
      (name) => typeof value === "object" && value !== null && typeof name === "string" && name in value,
    );
  if (typeof got.value === "object" && got.value !== null) return typeof value === "object";
  return value === got.value || Number(value) === Number(got.value);
}

test("Every breach stands where the answer has what was found", () => {
  const misplaced = judged().flatMap(({ typed, exchange, found }) =>
    found.flatMap(({ id, finding }) =>
      finding.outcome === "broken" && !isThere(exchange, finding) ? [{ title: typed.title, id, finding }] : [],
    ),
  );
  expect(misplaced).toEqual([]);
});

/** Today's numbers, so that none gets lost; new exchanges raise them. */
const atLeast = { good: 344, bad: 514 };

test(`There are at least ${atLeast.good} good and ${atLeast.bad} bad golden exchanges`, () => {
  expect(golden.filter(({ broken }) => broken.length === 0).length).toBeGreaterThanOrEqual(atLeast.good);
  expect(golden.filter(({ broken }) => broken.length > 0).length).toBeGreaterThanOrEqual(atLeast.bad);
});

test("Every golden exchange requests a documented operation", () => {
  const described = new Set<string | null>(operations.map(({ id }) => id));
  expect(
    judged()
      .filter(({ exchange }) => !described.has(exchange.requestSpec.operation))
      .map(({ typed }) => typed.title),
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
  const known = new Set<string>(contractSuite.laws.flatMap(({ ids }) => ids));
  const named = golden.flatMap(({ broken, holds, notExercised }) => [...broken, ...holds, ...notExercised]);
  expect([...new Set(named)].filter((id) => !known.has(id))).toEqual([]);
});

/** Requirements of laws for which no golden exchange expects and gets this outcome, by the law alone or by others. */
const unseen = (outcome: Finding["outcome"], typedIn: "broken" | "holds", isAlone = false): string[] =>
  contractSuite.laws.flatMap(({ ids }, law) =>
    ids
      .filter(
        (id) =>
          !judged().some(({ typed, found }) => {
            const by = found.filter((one) => one.id === id && one.outcome === outcome).map((one) => one.law);
            return typed[typedIn].includes(id) && by.includes(law) && (!isAlone || by.length === 1);
          }),
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

// Without the law this exchange would no longer be judged as typed.
test("Each law alone breaks each of its requirements in some golden exchange", () => {
  expect(unseen("broken", "broken", true)).toEqual([]);
});
