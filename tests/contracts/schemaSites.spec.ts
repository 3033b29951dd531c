// Places of one requirement in an answer: held only where all of them are there, and hidden by nothing else
import { expect, test } from "@playwright/test";
import { laws } from "../../contracts/shared/schema.laws.ts";
import type { Finding } from "../../harness/core/finding.ts";
import { type Json, valueAt } from "../../harness/core/json.ts";
import { exchangeOf } from "../golden/build.ts";
import { golden } from "../golden/lists.ts";

const title = "A paid project's document has every documented member, with prepaid credits used before plan credits";
const whole = golden.find((one) => one.title === title);

type Document = { readonly [member: string]: Json };

/** What the schema of the usage document says of a complete one with a change. */
function judged(change: (document: Document) => Json): ReadonlyMap<string, Finding> {
  if (!whole) throw new Error(`no golden exchange is called ${title}`);
  const { json, status } = exchangeOf(whole, 1).answer ?? {};
  const body = change(json?.value as Document);
  const exchange = exchangeOf({ ...whole, status: status ?? 200, body }, 1);
  return new Map(laws.flatMap((law) => [...law.judge(exchange)]));
}

const without = (document: Document, name: string): Document =>
  Object.fromEntries(Object.entries(document).filter(([one]) => one !== name));

/** No figure is negative, wherever it stands. */
const figures: readonly (readonly [rule: string, change: (document: Document) => Json, outcome: string | undefined])[] =
  [
    ["all are there", (document) => document, "held"],
    ["one is missing", (document) => without(document, "creditsUsed"), undefined],
    ["a group of them is missing", (document) => without(document, "credits"), undefined],
    ["one is a text", (document) => ({ ...document, creditsUsed: "1" }), undefined],
    ["one is negative", (document) => ({ ...document, creditsUsed: -1 }), "broken"],
    [
      "one is negative and others are missing",
      (document) => ({ ...without(document, "credits"), creditsUsed: -1 }),
      "broken",
    ],
  ];

for (const [rule, change, outcome] of figures)
  test(`where ${rule}, that figures aren't negative is ${outcome ?? "not exercised"}`, () => {
    expect(judged(change).get("USG-NNEG-01")?.outcome).toBe(outcome);
  });

test("an empty list beside a documented member, by a name that it begins with, hides nothing", () => {
  const usual = judged((document) => document);
  const beside = judged((document) => ({
    ...document,
    ...Object.fromEntries(Object.keys(document).map((name) => [name.slice(0, -1), []])),
  }));
  expect([...beside.keys()]).toEqual([...usual.keys()]);
  expect(valueAt(whole?.body, "/creditsUsed")).toBeDefined();
});
