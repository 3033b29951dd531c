// Experiments on cycles: what each does to a project, and which days and figures it demands of each read (§2.1)
import { expect, test } from "@playwright/test";
import { checks } from "../../contracts/usage/cycles.ts";
import type { Check } from "../../harness/model/check.ts";
import { holdTranscripts, type Row, transcriptOf } from "./transcripts.ts";

const cycles: readonly Row[] = [
  [
    "CYC-UTC-01",
    "owner, 4 reads",
    `
    make {"standsAt":"2025-04-14T23:59:30Z"}
    read: /creditCycle/start "2025-03-15"
    read time-zone=UTC-11 x-time-zone=UTC-11 x-timezone=UTC-11: /creditCycle/start "2025-03-15"
    moveClock 2025-04-15T00:00:30Z
    read: /creditCycle/start "2025-04-15"
    read time-zone=UTC-11 x-time-zone=UTC-11 x-timezone=UTC-11: /creditCycle/start "2025-04-15"
    `,
  ],
  [
    "CYC-ANCH-01",
    "owner, 6 reads",
    `
    make {"billingAnchor":"2024-07-01","createdOn":"2024-06-07","standsAt":"2025-05-31T12:00:00Z"}
    read: /creditCycle/start "2025-05-01"
    make {"billingAnchor":"2024-07-15","createdOn":"2024-06-07","standsAt":"2025-05-31T12:00:00Z"}
    read: /creditCycle/start "2025-05-15"
    make {"billingAnchor":"2024-07-28","createdOn":"2024-06-07","standsAt":"2025-05-31T12:00:00Z"}
    read: /creditCycle/start "2025-05-28"
    make {"billingAnchor":"2024-07-29","createdOn":"2024-06-07","standsAt":"2025-05-31T12:00:00Z"}
    read: /creditCycle/start "2025-05-29"
    make {"billingAnchor":"2024-07-30","createdOn":"2024-06-07","standsAt":"2025-05-31T12:00:00Z"}
    read: /creditCycle/start "2025-05-30"
    make {"billingAnchor":"2024-07-31","createdOn":"2024-06-07","standsAt":"2025-05-31T12:00:00Z"}
    read: /creditCycle/start "2025-05-31"
    `,
  ],
  [
    "CYC-ANCH-01",
    "owner, 2 reads",
    `
    make {"billingAnchor":"2024-06-30","standsAt":"2024-12-31T12:00:00Z"}
    read: /creditCycle/start "2024-12-30"
    moveClock 2025-01-01T12:00:00Z
    read: /creditCycle/start "2024-12-30"
    `,
  ],
  [
    "CYC-ANCH-01",
    "owner, 2 reads",
    `
    make {}
    read
    moveClock 2025-04-20T12:00:00Z
    read: /creditCycle/start 2000-02-01, the end of the previous cycle, or the day after
    `,
  ],
  [
    "CRD-SCOPE-01",
    "owner, 3 reads",
    `
    make {"prepaid":"5000"}
    consume rpc 4000 from regular
    consume das 300 from prepaid
    read: /creditsUsed 4300
    moveClock 2025-04-15T00:00:30Z
    read: /creditsUsed 0, /prepaidCreditsUsed 0, /credits/rpc 0, /credits/das 0, /creditsRemaining 1000000
    consume rpc 70 from regular
    moveClock 2025-05-02T12:00:00Z
    read: /creditsUsed 70, /credits/rpc 70, /creditsRemaining 999930
    `,
  ],
  [
    "CRD-SCOPE-02",
    "owner, 2 reads",
    `
    make {"invoicing":"yearly"}
    consume rpc 1 ×7
    stream streamGrpc 5000000
    deliverWebhooks 4
    read: /requests/rpc 7, /dataTransfer/streamGrpc 5000000, /requests/webhooks 4
    moveClock 2025-04-20T12:00:00Z
    read: /requests/rpc 0, /requests/webhooks 0, /dataTransfer/streamGrpc 0
    `,
  ],
  [
    "CRD-SCOPE-03",
    "owner, 1 reads",
    `
    make {"invoicing":"yearly"}
    consume rpc 900
    moveClock 2025-04-20T12:00:00Z
    consume rpc 25
    read: /creditsUsed 25, /credits/rpc 25
    `,
  ],
  [
    "ERR-ADM-500-02",
    "owner, 8 reads",
    `
    make {}
    read
    setBillingData false
    read: status 500
    setBillingData true
    read: holds
    `,
  ],
];

holdTranscripts("cycles", checks, cycles);

/** Of a cycle that ended on 14 April. */
const starts: readonly (readonly [start: string, demands: string])[] = [
  ["2025-04-13", "/creditCycle/start 2025-04-14, the end of the previous cycle, or the day after"],
  ["2025-04-14", "holds"],
  ["2025-04-15", "holds"],
  ["2025-04-16", "/creditCycle/start 2025-04-14, the end of the previous cycle, or the day after"],
];

for (const [start, demands] of starts)
  test(`CYC-ANCH-01: a cycle that begins on ${start} after one that ended on 14 April: ${demands}`, async () => {
    const following = checks.filter(({ ids }) => ids.includes("CYC-ANCH-01")).at(-1) as Check;
    const [before, after] = [{ "/creditCycle/end": "2025-04-14" }, { "/creditCycle/start": start }];
    expect((await transcriptOf(following, [{ change: before }, { change: after }])).at(-1)).toBe(`read: ${demands}`);
  });
