// Whom a limit counts together: what the answers to two callers show, and the table of scopes
import { expect, test } from "@playwright/test";
import type { SampleOutcome } from "../../load/rateLimits/samples.ts";
import { type LimitScope, scopeOf, twoCallers } from "../../load/rateLimits/scopes.ts";
import { scopesFound, tableOfScopes } from "../../proof/limiter/scopeTable.ts";

const outcomes: { readonly [letter: string]: SampleOutcome } = {
  s: "served",
  r: "refused",
  f: "failed",
  u: "undocumented",
};

/** Two groups of one caller, one of the other, and again one of the first. */
const table: readonly (readonly [what: string, answers: string, scope: LimitScope])[] = [
  ["one exceeds the limit, and the other is served", "sssss rrrrr ss rrrrr", "each its own"],
  ["a limit of six", "sssss srrrr ss rrrrr", "each its own"],
  ["a bucket that earned a token", "sssss rrrrr ss srrrr", "each its own"],
  ["the other is refused, too", "sssss rrrrr rr rrrrr", "shared"],
  ["a bucket that earned one for the other", "sssss rrrrr sr rrrrr", "shared"],
  ["a limit of ten", "sssss sssss rr rrrrr", "shared"],
  ["a window ended before the last group", "sssss rrrrr rr sssss", "shared"],
  ["a limit that the other just reaches", "sssss sssss ss rrrrr", null],
  ["a window ended before the other's requests", "sssss rrrrr ss sssrr", null],
  ["a window ended before the other's, with a limit of four", "ssssr srrrr ss srrrr", null],
  ["only the other is refused", "sssss sssss rr sssss", null],
  ["all are served", "sssss sssss ss sssss", "nothing refused"],
  ["an answer is lost", "sssss rrrrr sf rrrrr", null],
  ["a refusal in another form", "sssss rrrrr ss rrrru", null],
];

for (const [what, answers, scope] of table)
  test(`scope: ${what}`, () => {
    const seen = [...answers.replaceAll(" ", "")].map((letter, nth) => ({
      sent_ms: twoCallers[nth]?.at_ms ?? 0,
      received_ms: 200,
      outcome: outcomes[letter] ?? "failed",
    }));
    expect(seen).toHaveLength(twoCallers.length);
    expect(scopeOf(seen)).toBe(scope);
  });

test("no limiter gets a wrong scope, and each whose limit is the documented one gets its own", async () => {
  const rows = await scopesFound(2, 5);
  for (const { kind, given, wrong } of rows) {
    expect(wrong, kind.title).toBe(0);
    for (const answers of Object.values(given)) expect(answers.size, kind.title).toBeGreaterThan(0);
    if (kind.makes.length > 1) expect(given.projects.get(kind.is.projects), kind.title).toBeGreaterThan(0);
  }
  expect(tableOfScopes(rows, 2).wrong).toEqual([]);
  const [first] = rows;
  expect(tableOfScopes(first ? [{ ...first, wrong: 3 }] : [], 2).wrong).toEqual([
    `Of the limiter "${first?.kind.title}" 3 answers are wrong.`,
  ]);
});
