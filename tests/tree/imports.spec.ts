// Imports go one way, between folders and between rooms, and never in a loop.
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { root } from "../support/assay.ts";
import { filesBelow, source } from "../support/sources.ts";
import { violations } from "./imports.ts";
import { expectNone } from "./notYet.ts";

let read: ReturnType<typeof violations> | undefined;
const found = (): ReturnType<typeof violations> => (read ??= violations(root));

const rules: readonly [rule: string, title: string, violating: readonly string[]][] = [
  [
    "folders",
    "a folder imports only from those that its table names",
    [
      "contracts/judgesByTheJudged.ts imports reference/texts.ts",
      "contracts/judgesLater.ts imports reference/texts.ts",
      "harness/core/knowsTheInterface.ts imports specs/generated/operations.ts",
    ],
  ],
  [
    "rooms",
    "a room imports only from rooms below it",
    [
      "contracts/usage/credits.ts imports contracts/wallet/prices.ts",
      "contracts/wallet/history.ts imports contracts/usage/days.ts",
      "harness/core/importsUpwards.ts imports harness/record/journal.ts",
    ],
  ],
  ["unknownRooms", "each room has its place in a table", ["harness/attic"]],
  [
    "values",
    "the reference takes only types from specs",
    ["reference/copiesTheJudge.ts imports specs/generated/table.ts"],
  ],
  ["fileLoops", "no files import each other in a loop, types included", ["load/k6/orders.ts, load/k6/report.ts"]],
  ["roomLoops", "no rooms import each other in a loop", ["contracts/usage, contracts/wallet"]],
];

for (const [rule, title, violating] of rules) {
  test(title, () => expectNone(rule, found()[rule] ?? []));

  test(`the rule finds what violates it: ${title}`, () => {
    expect(violations(join(root, "tests/fixtures/imports"))[rule]).toEqual(violating);
  });
}

test("every rule is tested, on the whole tree", () => {
  expect(filesBelow(".", source).length).toBeGreaterThan(400);
  expect(Object.keys(found())).toEqual(rules.map(([rule]) => rule));
});
