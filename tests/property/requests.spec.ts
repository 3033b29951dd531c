// Tests of generated requests: valid ones, near misses, and envelopes that break one member
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { baselineRequests } from "../../contracts/jsonrpc/baselineRequests.ts";
import { Inconclusive, Withheld } from "../../harness/core/outcomes.ts";
import { type Check, type Shown, scenario } from "../../harness/model/check.ts";
import {
  brokenEnvelopes,
  envelopeShape,
  envelopesOf,
  everyWay,
  otherEnvelopes,
} from "../../property/arbitraries/envelopes.ts";
import type { ValidityTally } from "../../property/arbitraries/requests.ts";
import { breaksAlone, validityOf } from "../../property/arbitraries/schemas.ts";
import { nearMisses, type RequestProperty, validRequests } from "../../property/nearMisses.ts";
import { judgedAs } from "../support/inProcess.ts";

const sampling = { seed: 5, numRuns: 400 };

test("documented requests are valid by both validators, their members in any order", () => {
  const generated = fc.sample(envelopesOf(baselineRequests), sampling);
  expect(generated.filter((one) => validityOf(one, envelopeShape) !== "valid")).toEqual([]);
  expect(new Set(generated.map((one) => Object.keys(one as object)[0]))).toEqual(
    new Set(["jsonrpc", "id", "method", "params"]),
  );
});

test("each other envelope differs from its positive control in exactly one member, and every way occurs", () => {
  const generated = fc.sample(otherEnvelopes(baselineRequests), sampling);
  const differing = ({ request, positiveControl }: (typeof generated)[number]): number =>
    [...new Set([...Object.keys(request as object), ...Object.keys(positiveControl as object)])].filter(
      (name) =>
        JSON.stringify((request as { readonly [member: string]: unknown })[name]) !==
        JSON.stringify((positiveControl as { readonly [member: string]: unknown })[name]),
    ).length;
  expect(generated.filter((one) => differing(one) !== 1)).toEqual([]);
  expect(new Set(generated.map(({ at, keyword }) => `${at} ${keyword}`))).toEqual(
    new Set(everyWay.map(({ at, keyword }) => `${at} ${keyword}`)),
  );
});

for (const id of ["EXT-JR-03", "EXT-JR-04", "EXT-JR-05", "EXT-JR-06"] as const)
  test(`requests for ${id} are invalid by both validators, by one keyword, beside a valid positive control`, () => {
    const generated = fc.sample(brokenEnvelopes(baselineRequests, id), sampling);
    expect(generated.filter(({ request }) => validityOf(request, envelopeShape) !== "invalid")).toEqual([]);
    expect(generated.filter(({ request, at, keyword }) => !breaksAlone(request, at, keyword, envelopeShape))).toEqual(
      [],
    );
    expect(generated.filter(({ positiveControl }) => validityOf(positiveControl, envelopeShape) !== "valid")).toEqual(
      [],
    );
  });

test("unknown method names, and ids that are neither text, number nor null, are unspecified", () => {
  const valid = { jsonrpc: "2.0", id: 1, method: "getIndexerHealth" };
  for (const method of ["GETINDEXERHEALTH", " getIndexerHealth", "getSlot", ""])
    expect(validityOf({ ...valid, method }, envelopeShape)).toBe("open");
  for (const id of [true, {}, []]) expect(validityOf({ ...valid, id }, envelopeShape)).toBe("open");
  expect(validityOf({ ...valid, id: null }, envelopeShape)).toBe("invalid");
});

/** Skips cases that can't be judged. @throws the last reason where none can */
function asCheck<Counterexample>(
  { id, feature, casesFor, judge }: RequestProperty<Counterexample>,
  numRuns: number,
  tally: ValidityTally = {},
): Check {
  return scenario(id, { feature, requests: [] }, async (context): Promise<readonly Shown[]> => {
    const cases = casesFor(context.target, tally);
    if (!cases) throw new Withheld("the target lacks sample data");
    const shown: Shown[] = [];
    let reason: unknown = new Withheld("no case was generated");
    for (const one of fc.sample(cases, { seed: 8, numRuns })) {
      try {
        shown.push(await judge(one, context));
      } catch (error) {
        if (!(error instanceof Withheld) && !(error instanceof Inconclusive)) throw error;
        reason = error;
      }
    }
    if (shown.length === 0) throw reason;
    return shown;
  });
}

/** The suite's properties with more cases, so that the tally of discarded ones is meaningful. */
const tallied = (numRuns: number, tally: ValidityTally): readonly Check[] => [
  ...nearMisses.map((property) => asCheck(property, numRuns, tally)),
  ...validRequests.map((property) => asCheck(property, numRuns)),
];

for (const [numRuns, tag] of [
  [8, null],
  [24, "@slow"],
] as const)
  test(`the honest platform serves ${numRuns} valid requests of each kind and refuses ${numRuns} near misses`, {
    tag: tag ?? [],
  }, async () => {
    const tally: ValidityTally = {};
    const { verdicts } = await judgedAs(tallied(numRuns, tally));
    expect(verdicts.filter(({ verdict }) => verdict !== "holds")).toEqual([]);
    expect(verdicts.length).toBeGreaterThanOrEqual(27);
    // The validators agree on all generated requests, and at most twice as many are discarded as judged.
    expect(tally.disputed).toBeUndefined();
    expect(tally["near miss"]).toBeGreaterThanOrEqual(nearMisses.length * numRuns);
    expect((tally.open ?? 0) + (tally.valid ?? 0) + (tally.accompanied ?? 0)).toBeLessThan(
      2 * nearMisses.length * numRuns,
    );
  });
