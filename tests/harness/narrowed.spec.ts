// Narrowed: how far a requirement holds of which some checks held, and how that is described

import { expect, test } from "@playwright/test";
import { type Narrowed, narrowedBy, type OutcomeOn } from "../../harness/model/narrowing.ts";
import { describeUntried } from "../../harness/model/shown.ts";
import type { Verdict } from "../../harness/model/verdict.ts";
import { inWords, sentenceOf } from "../support/reasons.ts";

const on = (key: string, operation = "getOrder") => ({
  scope: { key, operation, carrier: "query", feature: "orders", api: "rpc" },
});
const held = (key: string, ...untried: readonly string[]): OutcomeOn => ({
  ...{ is: "held", ...on(key) },
  ...(untried.length > 0 ? { untried } : {}),
});
const lacking = (key: string, text = "no key"): OutcomeOn => ({ is: "withheld", reason: inWords(text), ...on(key) });
const overKeys = { coverage: { over: "key" } } as const;
const inPart = (tried: readonly string[], ...some: Narrowed["untried"]): Narrowed => ({
  axis: "key",
  tried,
  untried: some,
});
const leftOut = (...some: Narrowed["untried"]): Narrowed => ({ axis: null, tried: [], untried: some });
const untried = (member: string, texts: readonly string[] = ["no key"], inPart = false) => ({
  member,
  reasons: texts.map(inWords),
  inPart,
});

const shares: readonly (readonly [
  what: string,
  requirement: Parameters<typeof narrowedBy>[0],
  outcomes: readonly OutcomeOn[],
  narrowed: Narrowed | null,
])[] = [
  ["no check held", overKeys, [lacking("paid")], null],
  ["one of two members wasn't tried", overKeys, [held("paid"), lacking("free")], inPart(["paid"], untried("free"))],
  ["there is no coverage", {}, [held("paid"), lacking("free")], null],
  [
    "a check was withheld that stands for no member",
    overKeys,
    [held("paid"), { is: "withheld", reason: inWords("a") }],
    null,
  ],
  [
    "a check held that stands for no member",
    overKeys,
    [held("paid"), { is: "held" }, lacking("free")],
    inPart(["paid"], untried("free")),
  ],
  [
    "others of a member held",
    overKeys,
    [held("paid"), lacking("paid"), lacking("free")],
    inPart(["paid"], untried("paid", ["no key"], true), untried("free")),
  ],
  [
    "a member has several reasons, one of them twice",
    overKeys,
    [held("paid"), lacking("free", "a"), lacking("free", "b"), lacking("free", "a")],
    inPart(["paid"], untried("free", ["a", "b"])),
  ],
  [
    "findings left something out",
    overKeys,
    [held("paid", "page 41", "page 42"), held("free", "page 41")],
    leftOut(untried("page 41", []), untried("page 42", [])),
  ],
  ["findings left something out without coverage", {}, [held("paid", "page 41")], leftOut(untried("page 41", []))],
  [
    "findings left something out, and a member wasn't tried",
    overKeys,
    [held("paid", "page 41"), lacking("free")],
    inPart(["paid"], untried("free"), untried("page 41", [])),
  ],
];
for (const [what, requirement, outcomes, narrowed] of shares)
  test(`where ${what}, a requirement ${narrowed ? "holds in part" : "doesn't hold"}`, () => {
    expect(narrowedBy(requirement, outcomes)).toStrictEqual(narrowed);
  });

const withAtLeast: readonly (readonly [atLeast: readonly string[], outcomes: readonly OutcomeOn[], boolean])[] = [
  [["free"], [held("paid"), lacking("free")], false],
  [["paid"], [held("paid"), lacking("free")], true],
  [["paid", "free"], [held("paid"), lacking("free")], false],
  [["free"], [held("paid"), held("free"), lacking("free")], true],
  [["free"], [held("free"), held("paid"), lacking("paid")], true],
  [["free"], [held("paid"), lacking("other"), lacking("free")], false],
  // No check is planned for it.
  [["slow"], [held("paid"), lacking("free")], true],
  // Any part of a scope may be required, not only the member that it extends over.
  [["getOrders"], [held("paid"), { ...lacking("free"), ...on("free", "getOrders") }], false],
  [["free"], [held("paid"), { is: "held" }, lacking("free")], false],
];
test("a requirement holds in part only if each member that it must cover was tried, if a check is planned", () => {
  const found = withAtLeast.map(([atLeast, outcomes]) => [
    atLeast,
    outcomes,
    narrowedBy({ coverage: { over: "key", atLeast } }, outcomes) !== null,
  ]);
  expect(found).toEqual(withAtLeast);
});

const holding: Verdict = {
  id: "USG-FLD-01",
  verdict: "holds",
  enforced: "fail",
  reasons: [],
  breaches: [],
  exchanges: [],
};
const texts: readonly (readonly [narrowed: Narrowed, text: string])[] = [
  [inPart(["paid"], untried("free")), "1 of 2 keys; not tried: free: no key"],
  [inPart(["paid"], untried("paid", ["a", "c"], true)), "1 of 1 key; tried in part: paid: a and c"],
  [
    inPart(["paid", "slow"], untried("paid", ["a", "c"], true), untried("free"), untried("other")),
    "2 of 4 keys; not tried: free: no key, other: no key; tried in part: paid: a and c",
  ],
  [leftOut(untried("page 41", [])), "not tried: page 41"],
  [
    { ...inPart(["getOrder"], untried("getOrders"), untried("page 41", [])), axis: "operation" },
    "1 of 2 operations; not tried: getOrders: no key, page 41",
  ],
];
test("what holds in part says on how many members of how many, and which weren't tried for which reason", () => {
  const shown = texts.map(([narrowed]) => [narrowed, sentenceOf({ ...holding, narrowed })]);
  expect(shown).toEqual(texts);
  expect(describeUntried({ untried: [] })).toBe("");
});
