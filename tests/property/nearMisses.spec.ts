// Tests of near misses: valid requests are served, near misses refused, and mutants of either found
import { expect, test } from "@playwright/test";
import { platform } from "../support/choices.ts";
import { about, judgedAs, nameOf } from "../support/inProcess.ts";
import { planOf, type Trial } from "../support/probeSpecs.ts";
import { idsIn, requirementOf, variantNamed } from "../support/wallets.ts";

const properties: NonNullable<Trial["checks"]> = (check) => /^\w+(Refuses|Serves)_/.test(nameOf(check));

/** Mutants that refuse valid requests, accept invalid ones, or refuse them in an undocumented way. */
const missed = idsIn(`
  TA-PAR-01.positional TA-BAD-01.coerces TA-BAD-01.server-error TA-BAD-01.invalid-request NAP-PAR-01.nested-only
  NAP-BAD-01.internal NAP-BAD-01.empty-ok CB-PAR-01.positional CB-NULL-01.null-address-refused
  CB-NULL-01.null-hash-refused CB-BAD-01.internal CB-BAD-01.null-value CB-BAD-01.not-found-code BST-PAR-01.flat-only
  BST-PAR-01.missing-ok BST-LIM-01.limit-4 BST-LIM-02.accepts-6 BST-LIM-02.truncates BND-LIM-01.limit-4
  BND-LIM-01.min-2 BND-LIM-02.accepts-6 BND-LIM-02.truncates BND-REQ-01.missing-ok BND-REQ-02.string-ok
  BND-REQ-02.objects-ok BND-EMPTY-01.empty-ok BND-ENC-04.fallback WAL-BATCH-02.limit-99 WAL-BATCH-03.accepts-101
  WAL-BATCH-03.truncates WAL-BATCH-03.no-limit WAL-BATCH-04.domains-rejected
`);

/** Shrinking a hundred entries takes half a minute. */
const large = ["WAL-BATCH-02.limit-99", "WAL-BATCH-03.accepts-101"];
const quick = new Map(missed.filter((id) => !large.includes(id)).map((id) => [requirementOf(id), id]));

for (const id of missed) {
  // One of each requirement on a push.
  test(`${id} is found by the requirement that it names`, {
    tag: quick.get(requirementOf(id)) === id ? [] : "@slow",
  }, async () => {
    const named = requirementOf(id);
    const isAbout = about(named);
    // Laws may break further requirements.
    const { broken } = await judgedAs((check) => properties(check) && isAbout(check), variantNamed(id));
    expect(broken).toContain(named);
  });
}

/** Other choices of unspecified behaviour than the reference's, none of them a breach. */
const otherChoices: readonly (readonly [title: string, rules: Parameters<typeof platform>[0]])[] = [
  [
    "a lenient platform",
    {
      rpc: {
        envelope: {
          scalarParams: "bad params",
          version: "not looked at",
          fractionalIds: "refused",
          contextMembers: "slot and version",
          errorData: "the cause",
        },
        errorStatus: "by cause",
        choices: {
          tokenAccounts: {
            outOfRange: "brought into range",
            numericStrings: "numbers",
            badAddresses: "match nothing",
            badCursors: "lead nowhere",
            total: "of the page",
            burnt: "absent",
          },
          proofs: {
            noAddresses: "no proofs",
            duplicates: "proved once",
            existing: "proved by their own leaf",
            order: "by address",
            shortAddresses: "filled up",
          },
          balance: { bothGiven: "the address counts", bigBalances: "as doubles" },
        },
        bundles: {
          choices: {
            sends: {
              encodingNames: "in any case",
              emptyEncoding: "as absent",
              base64: "unpadded too",
              unnamedBase64: "read",
              unknownRegions: "ignored",
            },
            statuses: {
              flat: "taken too",
              duplicates: "told once",
              nonTexts: "null",
              failure: "not told of",
              members: "further ones",
            },
          },
        },
      },
      wallet: {
        choices: {
          badEntries: "as unknown",
          emptyBatch: "an empty list",
          duplicates: "told once",
          unknownEntries: "left out",
          noMoment: "now",
          successStatus: 203,
        },
      },
    },
  ],
  [
    "a strict platform",
    {
      rpc: {
        envelope: { keyJudged: "before the envelope", otherMembers: "refused" },
        choices: {
          tokenAccounts: {
            unknownMembers: "refused",
            unknownOptions: "refused",
            nulls: "refused",
            unknownOwners: "not found",
            severalCursors: "refused",
            pageAndCursor: "refused",
          },
          proofs: { duplicates: "refused" },
          balance: { bothGiven: "refused", unknownAccounts: "refused" },
        },
        bundles: {
          resent: "refused",
          choices: {
            sends: {
              undecodable: "server",
              misspelled: "invalid",
              nulls: "refused",
              unknownOptions: "refused",
              duplicates: "refused",
              routed: "before them",
              stringIds: "refused",
            },
            statuses: { emptyList: "refused", duplicates: "refused", malformed: "refused", others: "refused" },
          },
        },
      },
      wallet: {
        choices: {
          domains: "identity alone",
          domainCase: "exact",
          unknownQuery: "refused",
          otherMembers: "refused",
          planJudged: "behind it",
        },
      },
    },
  ],
  [
    "a platform that reads the hash alone and stores no more than it must",
    {
      rpc: {
        batches: "refused",
        tokenAccounts: { firstPage: 0, largestLimit: 10, unfiltered: "everything" },
        proofs: { most: 4 },
        balance: { neither: "nothing" },
        choices: {
          balance: { bothGiven: "the hash counts" },
          tokenAccounts: { cursorForm: "an address", replicas: "one behind", order: "by mint" },
        },
        bundles: { resent: "refused once it has landed", idForm: "base58" },
      },
    },
  ],
];

for (const [judged, scale, tag] of [
  ["as a vendor", "some", null],
  ["as a vendor", "many", "@slow"],
  ["as the reference", "many", "@slow"],
] as const)
  for (const [nth, [title, rules]] of otherChoices.entries()) {
    // The faithful platforms of tests/proof/ make other choices, too.
    test(`${title} breaks nothing by ${scale} cases, judged ${judged}`, {
      tag: nth > 0 ? "@slow" : (tag ?? []),
    }, async () => {
      const { verdicts, held } = await judgedAs(properties, platform(rules), judged, scale);
      expect(
        verdicts
          .filter(({ verdict }) => verdict === "broken" || verdict === "inconclusive")
          .map(({ id, reason }) => [id, reason]),
      ).toEqual([]);
      expect(held.length).toBeGreaterThan(judged === "as a vendor" ? 18 : 20);
    });
  }

test("without consent a vendor gets no bundle and no request that costs credits", () => {
  const plan = planOf({
    ...{ suite: "everything", checks: properties, observe: [] },
    target: (target) => ({ ...target, isReference: false, allow: ["sendBundle"] }),
  });
  expect(plan).toMatchObject({ credits: 0, sends: { calls: 0, payments: 0 } });
  // Two cases of each property, two requests each, and what is asked of bases, keys and the meter.
  expect(plan.requests).toBeLessThan(5 * plan.checks.length);
});
