// Tests of properties of JSON-RPC envelopes: breaches found, unspecified behaviour accepted
import { expect, test } from "@playwright/test";
import { answers, envelope as envelopeOf } from "../support/choices.ts";
import { about, type Judged, judgedAs, named } from "../support/inProcess.ts";
import type { Outcome } from "../support/probeSpecs.ts";
import { idsIn, requirementOf, variantNamed } from "../support/wallets.ts";

/** Of envelopes. */
const properties = named(
  ...idsIn(`
    compressionRequestsTaken bundlesRequestsTaken tokenAccountsRequestsTaken requestsWithoutMethod
    requestsOfUnknownMethods requestsWithoutId requestsOfIdNull errorsWhole unknownMethodsEchoed
  `),
);
const accused = ({ broken, inconclusive }: Outcome) => [...broken, ...inconclusive];

/** Other choices of unspecified behaviour than the reference's, on two platforms: those of each go together. */
const platforms: readonly (readonly Parameters<typeof envelopeOf>[0][])[] = [
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
  for (const envelope of [Object.assign({}, ...choices) as Parameters<typeof envelopeOf>[0], ...choices])
    for (const judged of ["as the reference", "as a vendor"] satisfies readonly Judged[]) {
      const isFirst = choices === platforms[0] && !choices.includes(envelope) && judged === "as a vendor";
      for (const scale of isFirst ? (["some", "many"] as const) : (["many"] as const))
        test(`${JSON.stringify(envelope)} breaks nothing by ${scale} cases, judged ${judged}`, {
          tag: scale === "some" ? [] : "@slow",
        }, async () => {
          const { verdicts, held } = await judgedAs(properties, envelopeOf(envelope), judged, scale);
          expect(held).toEqual(verdicts.map(({ id }) => id));
          expect(held.length).toBeGreaterThan(5);
        });
    }

test("a null id with -32600 is no breach", async () => {
  const nulled = answers((answer) => {
    const body = answer.body as { readonly error?: { readonly code?: number } } | null | undefined;
    return body?.error?.code === -32600 ? { ...answer, body: { ...(answer.body as object), id: null } } : answer;
  });
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
    const isAbout = about(requirementOf(id));
    const outcome = await judgedAs((check) => properties(check) && isAbout(check), variantNamed(id));
    expect(accused(outcome)).toContain(requirementOf(id));
  });
