// Tests of the laws of schemas: each site of an answer is judged where it is broken, and isn't held where it is missing
import { expect, test } from "@playwright/test";
import { laws } from "../../contracts/shared/schema.laws.ts";
import type { Finding } from "../../harness/core/finding.ts";
import { type Json, starred, valueAt } from "../../harness/core/json.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { type Site, sites } from "../../specs/generated/operations.ts";
import { exchangeOf } from "../golden/build.ts";
import { golden } from "../golden/lists.ts";

/** A golden exchange by its title, with another body or text. */
function exchanged(
  title: string,
  change: { readonly body?: Json; readonly text?: string; status?: number } = {},
): Exchange {
  const found = golden.find((one) => one.title === title);
  if (!found) throw new Error(`no golden exchange is called ${title}`);
  const { body, ...rest } = found;
  return exchangeOf({ ...rest, ...("text" in change || body === undefined ? {} : { body }), ...change }, 1);
}

const judged = (exchange: Exchange): ReadonlyMap<string, Finding> =>
  new Map(laws.flatMap((law) => [...law.judge(exchange)]).sort(([, { outcome }]) => (outcome === "broken" ? 1 : -1)));

const whole = {
  "getProjectUsage 200":
    "A paid project's document has every documented member, with prepaid credits used before plan credits",
  "getTokenAccounts result": "Accounts of an owner have every documented member, with limit and cursor",
} as const;

const copied = (value: Json | undefined): Json => JSON.parse(JSON.stringify(value)) as Json;

/** A copy with another value at a pointer; undefined: with none. */
function changed(body: Json | undefined, at: string, value: Json | undefined): Json {
  if (at === "") return value ?? null;
  const copy = copied(body);
  const cut = at.lastIndexOf("/");
  const parent = valueAt(copy, at.slice(0, cut)) as { [name: string]: Json };
  if (value === undefined) delete parent[at.slice(cut + 1)];
  else parent[at.slice(cut + 1)] = value;
  return copy;
}

/** What breaks a keyword, given what stands there. */
function breaking(keyword: string, value: Json | undefined): Json | undefined {
  const values: { readonly [keyword: string]: Json | undefined } = {
    present: undefined,
    type: typeof value === "boolean" ? 1 : true,
    minimum: -1,
    multipleOf: 0.5,
    pattern: "0 l",
    const: "another",
    not: null,
  };
  return values[keyword];
}

const firstOf = (at: string): string => at.replaceAll("*", "0");

for (const [answer, title] of Object.entries(whole)) {
  const { json } = exchanged(title).answer ?? {};
  const ofAnswer: readonly Site[] = (sites[answer] ?? []).filter(({ keyword }) => keyword !== "propertyNames");

  test(`${answer}: what breaks one site is found there, with the requirement that it cites`, () => {
    const missed = ofAnswer.filter(({ at, keyword, id }) => {
      const place = firstOf(at);
      const body = changed(json?.value, place, breaking(keyword, valueAt(json?.value, place)));
      const finding = judged(exchanged(title, { body })).get(id);
      return finding?.outcome !== "broken" || starred(finding.at) !== at;
    });
    expect(missed).toEqual([]);
    expect(ofAnswer.length).toBeGreaterThan(20);
  });

  test(`${answer}: what a site needs to be seen isn't held where its parent is missing`, () => {
    const inner = ofAnswer.filter(({ at }) => at.lastIndexOf("/") > 0);
    const held = inner.filter(({ at, id }) => {
      const body = changed(json?.value, firstOf(at.slice(0, at.lastIndexOf("/"))), undefined);
      return judged(exchanged(title, { body })).get(id)?.outcome === "held";
    });
    expect(held).toEqual([]);
  });
}

const usageTitle = whole["getProjectUsage 200"];
const usage = exchanged(usageTitle);

test("whole numbers are whole to the last digit, also in lists and beyond 2^53", () => {
  for (const [number, isWhole] of [
    ["1.5", false],
    ["1.05", false],
    ["9007199254740993.5", false],
    ["1.0", true],
    ["1e3", true],
    ["9007199254740993", true],
  ] as const) {
    const text = (usage.answer?.text ?? "").replace('"rpc":61000', `"rpc":${number}`);
    const finding = judged(exchanged(usageTitle, { text })).get("USG-INT-01");
    expect(finding?.outcome, number).toBe(isWhole ? "held" : "broken");
  }
});

const error = { statusCode: 403, message: "no", error: "Forbidden" };

test("an error body in place of a document isn't judged as one, unless it has members of either", () => {
  const outcomes = (body: Json) => judged(exchanged(usageTitle, { body })).get("USG-FLD-01")?.outcome;
  expect(outcomes(error)).toBeUndefined();
  for (const member of Object.keys(error))
    expect(outcomes(changed(error, `/${member}`, undefined)), member).toBe("broken");
  expect(outcomes({ ...error, creditsUsed: 1 })).toBe("broken");
});

test("an answer without JSON breaks what the whole body has to be, and shows how it begins", () => {
  const found = (text: string, type: string) => {
    const { answer, ...rest } = exchanged(usageTitle, { text });
    if (!answer) throw new Error("no answer");
    return judged({ ...rest, answer: { ...answer, headers: [["content-type", type]] } });
  };
  const page = `${"x".repeat(80)}y`;
  const breach = { outcome: "broken", at: "", expected: "a JSON object" };
  expect([...found(page, "text/plain")]).toEqual([["USG-HTTP-01", { ...breach, got: { value: "x".repeat(80) } }]]);
  expect([...found("", "application/json")]).toEqual([["USG-HTTP-01", { ...breach, got: { is: "absent" } }]]);
  expect([...found(page, "application/json")]).toEqual([]);
});

test("what answers HEAD isn't judged by a schema", () => {
  const { requestSpec, ...rest } = usage;
  expect(judged(usage).size).toBeGreaterThan(20);
  expect([...judged({ ...rest, requestSpec: { ...requestSpec, method: "HEAD" } })]).toEqual([]);
});

test("of several places that break one requirement the first in the schema is shown", () => {
  const body = changed(changed(usage.answer?.json?.value, "/credits/das", -1), "/creditsUsed", -1);
  expect(judged(exchanged(usageTitle, { body })).get("USG-NNEG-01")).toMatchObject({ at: "/creditsUsed" });
});

test("names of members count only where all that are required are there", () => {
  const more = changed(usage.answer?.json?.value, "/requests/streamGrpc", 1);
  expect(judged(exchanged(usageTitle, { body: more })).get("USG-KEYS-04")?.outcome).toBe("broken");
  const fewer = changed(usage.answer?.json?.value, "/requests/rpc", undefined);
  expect(judged(exchanged(usageTitle, { body: fewer })).get("USG-KEYS-04")).toBeUndefined();
});

test("what an answer lacks of a requirement is named, in answers of the law's own kind alone", () => {
  const title = whole["getProjectUsage 200"];
  const whereCycles = (sites["getProjectUsage 200"] ?? []).filter(({ at }) => at.startsWith("/creditCycle"));
  const lackedIn = (exchange: Exchange) =>
    new Set(whereCycles.flatMap(({ id }) => laws.flatMap((law) => law.lackedIn?.(exchange, id) ?? [])));
  const body = golden.find((one) => one.title === title)?.body;
  expect(lackedIn(exchanged(title)).size).toBe(0);
  expect(lackedIn(exchanged(title, { body: changed(body, "/creditCycle", undefined) }))).toContain("/creditCycle");
  expect(lackedIn(exchanged(title, { body: {}, status: 401 })).size).toBe(0);
});
