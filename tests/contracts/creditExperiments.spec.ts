// Experiments on credit figures: what each does to a project, and which figures it demands of each read (§2.1)
import { expect, test } from "@playwright/test";
import { checks as ofCredits } from "../../contracts/usage/credits.ts";
import { checks as ofRounding } from "../../contracts/usage/rounding.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import type { Check } from "../../harness/model/check.ts";
import type { HeldKey, Target } from "../../harness/targets/target.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import type { MadeRead } from "./madeUsage.ts";
import { holdTranscripts, type Row, transcriptOf } from "./transcripts.ts";

const credits: readonly Row[] = [
  ["shows CRD-REM-01 CRD-REM-03 CRD-SUM-01 CRD-REM-02", "owner", "ask owner"],
  ["shows CRD-USE-01", "paid", "ask paid"],
  ["shows CRD-LIM-01", "paid", "ask paid"],
  ["CRD-REM-04 CRD-SUM-02", "", ""],
  ["CRD-ROUND-04", "", ""],
  [
    "CRD-REM-02",
    "owner, 4 reads",
    `
    make {"plan":{"creditsLimit":1000}}
    consume rpc 999
    read: /creditsRemaining 1
    consume rpc 1
    read: /creditsRemaining 0
    consume rpc 1
    read: /creditsRemaining 0
    consume rpc 99
    read: /creditsRemaining 0
    `,
  ],
  [
    "CRD-REM-01 CRD-USE-01",
    "owner, 1 reads",
    `
    make {"prepaid":"100000"}
    consume rpc 219004 from regular
    consume das 40000 from prepaid
    read: /creditsRemaining 780996, /creditsUsed 259004, /prepaidCreditsUsed 40000
    `,
  ],
  [
    "CRD-USE-02",
    "owner, 1 reads",
    `
    make {"prepaid":"9000","standsAt":"2025-03-10T08:00:00Z"}
    consume rpc 700.5 from regular
    consume das 80.25 from prepaid
    moveClock 2025-03-20T12:10:00Z
    consume compression 120.75 ×3 from regular
    consume archival 33.5 from prepaid
    moveClock 2025-03-20T12:40:00Z
    ledger
    read:
      /creditsUsed 400.25 (±0.999), /prepaidCreditsUsed 33.5 (±0.999),
      /prepaidCreditsRemaining 8886.25 (±0.999), /creditsRemaining 999633.25 (±0.999),
      /creditsUsed 395.75 (±0.999)
    `,
  ],
  [
    "CRD-PRE-01",
    "owner, 2 reads, optional",
    `
    make {"plan":{"creditsLimit":1000},"prepaid":"5000"}
    consume rpc 1000 from regular
    read
    consume rpc 250 from prepaid
    read: /prepaidCreditsRemaining 1, /prepaidCreditsUsed 250
    `,
  ],
  [
    "CRD-PRE-01",
    "owner, 2 reads, optional",
    `
    make {"plan":{"creditsLimit":1000},"prepaid":"100"}
    consume rpc 1000 from regular
    consume rpc 60 from prepaid
    read
    consume rpc 400 from regular
    read: /prepaidCreditsRemaining 1, /prepaidCreditsUsed 0
    `,
  ],
  [
    "CRD-LIM-01",
    "owner, 2 reads",
    `
    make {"invoicing":"yearly","prepaid":"5000","plan":{"creditsLimit":120000}}
    read: /subscriptionDetails/creditsLimit 120000
    consume rpc 4321
    read: /subscriptionDetails/creditsLimit 120000
    `,
  ],
  [
    "CRD-MONO-01",
    "owner, 5 reads",
    `
    make {"standsAt":"2025-03-20T23:50:00Z"}
    consume rpc 40
    consume das 50
    read
    read: /creditsUsed at least -1, as read before
    consume rpc 10
    read: /creditsUsed at least -2, as read before
    moveClock 2025-03-21T00:10:00Z
    read: /creditsUsed at least -3, as read before
    read: /creditsUsed at least -4, as read before
    `,
  ],
  [
    "CRD-MONO-01",
    "owner #0, owner #1",
    `
    read owner
    ask owner of c1a2e3f4-5b6c-4d7e-8f90-a1b2c3d4e5f6
    read owner: /creditsUsed at least -1, as read before
    `,
  ],
];

const rounding: readonly Row[] = [
  [
    "CRD-ROUND-01",
    "owner, 1 reads",
    `
    make {}
    consume rpc 0.3 ×10
    consume das 0.6 ×10
    consume archival 0.7 ×3
    moveClock 2025-03-20T12:00:00Z
    consume compression 0.4
    moveClock 2025-03-21T12:00:00Z
    consume compression 0.4
    moveClock 2025-03-22T12:00:00Z
    consume compression 0.4
    moveClock 2025-03-23T12:00:00Z
    consume compression 0.4
    moveClock 2025-03-24T12:00:00Z
    consume compression 0.4
    read:
      /credits/rpc 3 (±0.5), /credits/das 6 (±0.5), /credits/archival 2.1 (±0.5),
      /credits/compression 2 (±0.5), /creditsUsed 13.1 (±0.999)
    `,
  ],
  [
    "CRD-ROUND-02",
    "owner, 1 reads",
    `
    make {}
    consume rpc 2.9
    consume das 2.1
    consume other 2.5
    read:
      /credits/rpc 2.9 (±0.5), /credits/das 2.1 (±0.5), /credits/other 2.5 (±0.5), /creditsUsed 7.5 (±0.999)
    `,
  ],
  [
    "CRD-ROUND-02",
    "owner, 1 reads",
    `
    make {"billingAnchor":"2023-06-15","standsAt":"2024-02-29T12:00:00Z"}
    consume rpc 0.4999 from regular
    consume enhancedApi 1.4999 from regular
    consume walletApi 2.4999 from regular
    consume das 3.4999 from regular
    consume webhooks 4.4999 from regular
    consume streamGrpc 5.4999 from regular
    consume streamWebsocket 6.4999 from regular
    consume preConfirmations 7.4999 from regular
    consume archival 8.4999 from regular
    consume compression 9.4999 from regular
    consume other 10.4999 from regular
    read:
      /credits/rpc 0.4999 (±0.5), /credits/enhancedApi 1.4999 (±0.5), /credits/walletApi 2.4999 (±0.5),
      /credits/das 3.4999 (±0.5), /credits/webhooks 4.4999 (±0.5), /credits/streamGrpc 5.4999 (±0.5),
      /credits/streamWebsocket 6.4999 (±0.5), /credits/preConfirmations 7.4999 (±0.5),
      /credits/archival 8.4999 (±0.5), /credits/compression 9.4999 (±0.5), /credits/other 10.4999 (±0.5)
    `,
  ],
  [
    "CRD-USE-02",
    "owner, 1 reads",
    `
    make {"billingAnchor":"2023-06-15","standsAt":"2024-02-29T12:00:00Z"}
    consume rpc 0.4999 from regular
    consume enhancedApi 1.4999 from regular
    consume walletApi 2.4999 from regular
    consume das 3.4999 from regular
    consume webhooks 4.4999 from regular
    consume streamGrpc 5.4999 from regular
    consume streamWebsocket 6.4999 from regular
    consume preConfirmations 7.4999 from regular
    consume archival 8.4999 from regular
    consume compression 9.4999 from regular
    consume other 10.4999 from regular
    read: /creditsUsed 60.4989 (±0.999)
    `,
  ],
  [
    "CRD-ROUND-03",
    "owner, 6 reads",
    `
    make {}
    consume rpc 0.4
    read
    consume rpc 0.4
    read
    consume rpc 0.4
    read
    consume rpc 0.4
    read
    consume rpc 0.4
    read
    read: /credits/rpc 2 (±0.5)
    `,
  ],
];

holdTranscripts("credits", ofCredits, credits);
holdTranscripts("rounding", ofRounding, rounding);

const prepaid = (remaining: number, used: number): MadeRead => ({
  change: { "/prepaidCreditsRemaining": remaining, "/prepaidCreditsUsed": used },
});

/** Of 5000 prepaid credits, in two reads around 250 more that were used. */
const moves: readonly (readonly [what: string, after: MadeRead, demands: string])[] = [
  ["moved from remaining to used", prepaid(4750, 250), "holds, holds"],
  ["not taken from remaining", prepaid(5000, 250), "/prepaidCreditsRemaining -250, holds"],
  ["taken twice", prepaid(4500, 250), "/prepaidCreditsRemaining -250, holds"],
  ["neither taken nor counted", prepaid(5000, 0), "holds, /prepaidCreditsUsed 250"],
  ["one less", prepaid(4751, 249), "holds, /prepaidCreditsUsed 250"],
];

for (const [what, after, demands] of moves)
  test(`CRD-PRE-01: prepaid credits ${what}`, async () => {
    const [moving] = ofCredits.filter(({ ids }) => ids.includes("CRD-PRE-01"));
    expect((await transcriptOf(moving as Check, [prepaid(5000, 0), after])).at(-1)).toBe(`read: ${demands}`);
  });

test("CRD-MONO-01 isn't judged by reads of the owner's usage that aren't served", async () => {
  const [, comparing] = ofCredits.filter(({ ids }) => ids.includes("CRD-MONO-01"));
  const lastOf = (...statuses: readonly number[]): Promise<unknown> =>
    transcriptOf(
      comparing as Check,
      statuses.map((status) => ({ status, change: {} })),
    ).then(
      (lines) => lines.at(-1),
      (error: unknown) => error,
    );
  expect(await lastOf(200, 403, 200)).toBe("read owner: holds");
  for (const statuses of [
    [503, 403, 200],
    [200, 403, 503],
    [503, 403, 503],
  ])
    expect(await lastOf(...statuses)).toEqual(new Withheld("the owner's usage isn't served"));
});

/** What a target with these keys lacks for the first check of a requirement. */
const lackOf = (id: RequirementId, keys: readonly (readonly [role: string, key: Partial<HeldKey>])[] = []) =>
  ofCredits
    .find(({ ids, shows }) => [...ids, ...shows].includes(id))
    ?.needs.unless?.({ keys: new Map(keys) } as unknown as Target);

test("CRD-LIM-01 needs the limit of the paid project, which the target may give", () => {
  const project = { id: "made", plan: "paid", admin: "enabled" } as const;
  const lack = (creditsLimit?: number) =>
    lackOf("CRD-LIM-01", [
      ["paid", { projectName: "main", project: { ...project, ...(creditsLimit !== undefined && { creditsLimit }) } }],
    ]);
  expect([lack(1000), lack(0)]).toEqual([null, null]);
  const detail = "the target gives no creditsLimit of the paid project";
  expect([lack(), lackOf("CRD-LIM-01")]).toEqual([
    { kind: "otherNeed", detail, remedy: [{ at: "/projects/main/creditsLimit" }] },
    { kind: "otherNeed", detail },
  ]);
});

test("what no answer shows is verified by self-tests", () => {
  const noInterface = "no test: no billing interface is in scope";
  expect(lackOf("CRD-REM-04")).toEqual({ kind: "aboutAssay", test: "tests/proof/mutants.spec.ts" });
  expect(lackOf("CRD-ROUND-04")).toEqual({ kind: "aboutAssay", test: noInterface });
});
