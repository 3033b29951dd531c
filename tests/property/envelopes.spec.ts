// Tests of properties of JSON-RPC envelopes: breaches found, unspecified behaviour accepted
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { baselineRequests } from "../../contracts/jsonrpc/baselineRequests.ts";
import {
  brokenEnvelopes,
  envelopeShape,
  envelopesOf,
  everyWay,
  otherEnvelopes,
} from "../../property/arbitraries/envelopes.ts";
import { breaksAlone, standingOf } from "../../property/arbitraries/schemas.ts";
import { properties } from "../../property/envelopes.ts";
import type { Variant } from "../../reference/platform/mutant.ts";
import type { EnvelopeChoices } from "../../reference/platform/rpcChoices.ts";
import { type Judged, judgedAs } from "../support/inProcess.ts";
import type { Outcome } from "../support/probeSpecs.ts";
import { idsIn, requirementOf, variantNamed } from "../support/wallets.ts";

const sampling = { seed: 5, numRuns: 400 };
const accused = ({ broken, inconclusive }: Outcome) => [...broken, ...inconclusive];

test("documented requests are valid by both validators, their members in any order", () => {
  const generated = fc.sample(envelopesOf(baselineRequests), sampling);
  expect(generated.filter((one) => standingOf(one, envelopeShape) !== "valid")).toEqual([]);
  expect(new Set(generated.map((one) => Object.keys(one as object)[0]))).toEqual(
    new Set(["jsonrpc", "id", "method", "params"]),
  );
});

test("each other envelope differs from its twin in exactly one member, and every way occurs", () => {
  const generated = fc.sample(otherEnvelopes(baselineRequests), sampling);
  const differing = ({ request, twin }: (typeof generated)[number]): number =>
    [...new Set([...Object.keys(request as object), ...Object.keys(twin as object)])].filter(
      (name) =>
        JSON.stringify((request as { readonly [member: string]: unknown })[name]) !==
        JSON.stringify((twin as { readonly [member: string]: unknown })[name]),
    ).length;
  expect(generated.filter((one) => differing(one) !== 1)).toEqual([]);
  expect(new Set(generated.map(({ at, keyword }) => `${at} ${keyword}`))).toEqual(
    new Set(everyWay.map(({ at, keyword }) => `${at} ${keyword}`)),
  );
});

for (const id of ["EXT-JR-03", "EXT-JR-04", "EXT-JR-05", "EXT-JR-06"] as const)
  test(`requests for ${id} are invalid by both validators, by one keyword, beside a valid twin`, () => {
    const generated = fc.sample(brokenEnvelopes(baselineRequests, id), sampling);
    expect(generated.filter(({ request }) => standingOf(request, envelopeShape) !== "invalid")).toEqual([]);
    expect(generated.filter(({ request, at, keyword }) => !breaksAlone(request, at, keyword, envelopeShape))).toEqual(
      [],
    );
    expect(generated.filter(({ twin }) => standingOf(twin, envelopeShape) !== "valid")).toEqual([]);
  });

test("unknown method names, and ids that are neither text, number nor null, are unspecified", () => {
  const valid = { jsonrpc: "2.0", id: 1, method: "getIndexerHealth" };
  for (const method of ["GETINDEXERHEALTH", " getIndexerHealth", "getSlot", ""])
    expect(standingOf({ ...valid, method }, envelopeShape)).toBe("open");
  for (const id of [true, {}, []]) expect(standingOf({ ...valid, id }, envelopeShape)).toBe("open");
  expect(standingOf({ ...valid, id: null }, envelopeShape)).toBe("invalid");
});

/** Other choices of unspecified behaviour than the reference's, on two platforms: those of each go together. */
const platforms: readonly (readonly Partial<EnvelopeChoices>[])[] = [
  [
    { version: "not looked at" },
    { methodSpelling: "any case and white space" },
    { otherIds: "echoed", fractionalIds: "refused" },
    { keyJudged: "before the envelope", limitJudged: "last" },
    { duplicates: "refused", discover: "unknown", servedStatus: 202, notificationStatus: 200 },
  ],
  [
    { otherMembers: "refused" },
    { scalarParams: "bad params", errorData: "the cause" },
    { keyJudged: "after the method", requestId: "in every envelope" },
  ],
];

test("choices that go together change different rules, so that none takes another's place", () => {
  for (const choices of platforms) {
    const changed = choices.flatMap((one) => Object.keys(one));
    expect(changed).toEqual([...new Set(changed)]);
  }
});

for (const choices of platforms)
  for (const envelope of [Object.assign({}, ...choices) as Partial<EnvelopeChoices>, ...choices])
    for (const judged of ["as the reference", "as a vendor"] satisfies readonly Judged[]) {
      const isFirst = choices === platforms[0] && !choices.includes(envelope) && judged === "as a vendor";
      for (const scale of isFirst ? (["some", "many"] as const) : (["many"] as const))
        test(`${JSON.stringify(envelope)} breaks nothing by ${scale} cases, judged ${judged}`, {
          tag: scale === "some" ? [] : "@slow",
        }, async () => {
          const { verdicts, held } = await judgedAs(properties, { rules: { rpc: { envelope } } }, judged, scale);
          expect(held).toEqual(verdicts.map(({ id }) => id));
        });
    }

test("a null id with -32600 is no breach", async () => {
  const nulled: Variant = {
    id: "null with -32600",
    answer: (answer) => {
      const body = answer.body as { readonly error?: { readonly code?: number } } | null | undefined;
      return body?.error?.code === -32600 ? { ...answer, body: { ...(answer.body as object), id: null } } : answer;
    },
  };
  const outcome = await judgedAs(properties, nulled, "as the reference", "some");
  expect(accused(outcome)).toEqual([]);
  const hasCode = ({ answer }: (typeof outcome.exchanges)[number]): boolean => Boolean(answer?.text.includes("-32600"));
  expect(outcome.exchanges.filter(hasCode).length).toBeGreaterThan(10);
});

for (const id of idsIn(`
  RPC-ENV-09.rejects-string-id RPC-ENV-09.requires-meta RPC-ENV-05.code-string RPC-ENV-05.message-missing
  RPC-ENV-06.result-null EXT-JR-04.as-32602 EXT-JR-05.answers EXT-JR-06.null-as-notification
`))
  test(`${id} is found by the requirement that it names`, async () => {
    const about = properties.filter(({ ids }) => ids.includes(requirementOf(id)));
    expect(accused(await judgedAs(about, variantNamed(id)))).toContain(requirementOf(id));
  });
