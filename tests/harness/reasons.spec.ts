// Reasons: as data and as the sentence that is shown
import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { BudgetSpent, Inconclusive, Withheld } from "../../harness/core/outcomes.ts";
import { causesOf, describeReason, type Reason, reasonKinds } from "../../harness/core/reason.ts";
import { redactedIn } from "../../harness/core/secret.ts";
import { inWords } from "../support/reasons.ts";

test("the schema of runs knows all kinds of reasons, and no others", () => {
  const schema = JSON.parse(readFileSync("reports/run.schema.json", "utf8")) as {
    readonly $defs: {
      readonly reasonAsData: { readonly properties: { readonly kind: { readonly enum: readonly string[] } } };
    };
  };
  expect([...schema.$defs.reasonAsData.properties.kind.enum].sort()).toEqual([...reasonKinds].sort());
});

const spent: Reason = {
  kind: "budgetSpent",
  of: "credits",
  most: 9,
  spending: { soFar: 8, operation: "getOrder", price: 2 },
};

test("what ends a check has its reason as data; a text is a reason in its own words", () => {
  expect(new Withheld("no key").reason).toEqual(inWords("no key"));
  expect(new Inconclusive({ kind: "notReproducible", first: "a reset", then: "a result" }).message).toBe(
    "a reset, then a result: not reproducible",
  );
  expect(new BudgetSpent(spent).message).toBe("the budget of 9 credits is spent (8 so far, getOrder costs 2)");
});

test("what wasn't found is told by why it wasn't, and that is one of its causes", () => {
  const notFound: Reason = { kind: "notFound", at: "/samples/owner", why: spent };
  expect(describeReason(notFound)).toBe(describeReason(spent));
  expect(causesOf(notFound)).toEqual([notFound, spent]);
});

test("each text of a reason can be changed, however deep", () => {
  const reason: Reason = { kind: "notRepeated", first: "got secret", by: { kind: "unusable", sentences: ["secret"] } };
  expect(describeReason(redactedIn(reason, (text) => text.replace("secret", "<key>")))).toBe(
    "got <key>; not repeated: <key>",
  );
});
