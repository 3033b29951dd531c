// Checks that cycles follow the anchor in UTC, and figures the cycle (§2.1).
import { equals, held, must } from "../../harness/core/finding.ts";
import type { Check, Shown } from "../../harness/model/check.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { controlOf } from "../shared/control.ts";
import { forFeature } from "../shared/forFeature.ts";
import { inTurn } from "../shared/inTurn.ts";
import { ownersUsage, usageRequest } from "../shared/requestSpecs.ts";
import { dayAt, numberIs, numbersAre, usageReaderOf, withProject } from "./usageReader.ts";

const { scenario } = forFeature("usage");

const startIs = (exchange: Exchange, day: string): Shown => ({
  exchange,
  finding: equals("/creditCycle/start", dayAt(exchange, "/creditCycle/start"), day),
});

const day_ms = 86_400_000;

/** Whether `end` is the cycle's last day or the next one's first is unspecified; gaps and overlaps are breaches. */
function followsOn(before: Exchange, after: Exchange): Shown {
  const end = dayAt(before, "/creditCycle/end");
  const start = dayAt(after, "/creditCycle/start");
  const days = (Date.parse(start) - Date.parse(end)) / day_ms;
  const expected = `${end}, the end of the previous cycle, or the day after`;
  return { exchange: after, finding: must(days === 0 || days === 1, "/creditCycle/start", expected, start) };
}

/** Headers in which a client may name its time zone; dates are UTC nevertheless. */
const farWest = ["time-zone", "x-time-zone", "x-timezone"].map((name) => [name, "UTC-11"] as const);

const unspent = { "/creditsUsed": 0, "/prepaidCreditsUsed": 0, "/credits/rpc": 0, "/credits/das": 0 };
const uncounted = { "/requests/rpc": 0, "/requests/webhooks": 0, "/dataTransfer/streamGrpc": 0 };

const nextCycle = "2025-04-20T12:00:00Z";

export const checks: readonly Check[] = [
  withProject("CYC-UTC-01", 4, { standsAt: "2025-04-14T23:59:30Z" }, async ({ project, read }) => {
    const before = [await read(), await read(farWest)];
    await project.moveClock("2025-04-15T00:00:30Z");
    const after = [await read(), await read(farWest)];
    return [
      ...before.map((exchange) => startIs(exchange, "2025-03-15")),
      ...after.map((exchange) => startIs(exchange, "2025-04-15")),
    ];
  }),

  scenario("CYC-ANCH-01", { requests: [ownersUsage], control: { reads: 6, of: controlOf.billing } }, (context) =>
    inTurn(["01", "15", "28", "29", "30", "31"], async (day) => {
      const wish = { billingAnchor: `2024-07-${day}`, createdOn: "2024-06-07", standsAt: "2025-05-31T12:00:00Z" };
      const { read } = await usageReaderOf(context, wish);
      return startIs(await read(), `2025-05-${day}`);
    }),
  ),

  withProject(
    "CYC-ANCH-01",
    2,
    { billingAnchor: "2024-06-30", standsAt: "2024-12-31T12:00:00Z" },
    async ({ project, read }) => {
      const lastOfYear = await read();
      await project.moveClock("2025-01-01T12:00:00Z");
      return [lastOfYear, await read()].map((exchange) => startIs(exchange, "2024-12-30"));
    },
  ),

  withProject("CYC-ANCH-01", 2, {}, async ({ project, read }) => {
    const before = await read();
    await project.moveClock(nextCycle);
    return [followsOn(before, await read())];
  }),

  withProject("CRD-SCOPE-01", 3, { prepaid: "5000" }, async ({ project, read }) => {
    await project.consume("rpc", "4000", { pool: "regular" });
    await project.consume("das", "300", { pool: "prepaid" });
    const used = numberIs(await read(), "/creditsUsed", 4300);
    await project.moveClock("2025-04-15T00:00:30Z");
    const begun = await read();
    await project.consume("rpc", "70", { pool: "regular" });
    await project.moveClock("2025-05-02T12:00:00Z");
    const later = { "/creditsUsed": 70, "/credits/rpc": 70, "/creditsRemaining": 999_930 };
    return [
      used,
      ...numbersAre(begun, { ...unspent, "/creditsRemaining": 1_000_000 }),
      ...numbersAre(await read(), later),
    ];
  }),

  withProject("CRD-SCOPE-02", 2, { invoicing: "yearly" }, async ({ project, read }) => {
    await project.consume("rpc", "1", { times: 7 });
    await project.stream("streamGrpc", 5_000_000);
    await project.deliverWebhooks(4);
    const before = await read();
    await project.moveClock(nextCycle);
    const counted = { "/requests/rpc": 7, "/dataTransfer/streamGrpc": 5_000_000, "/requests/webhooks": 4 };
    return [...numbersAre(before, counted), ...numbersAre(await read(), uncounted)];
  }),

  withProject("CRD-SCOPE-03", 1, { invoicing: "yearly" }, async ({ project, read }) => {
    await project.consume("rpc", "900");
    await project.moveClock(nextCycle);
    await project.consume("rpc", "25");
    return numbersAre(await read(), { "/creditsUsed": 25, "/credits/rpc": 25 });
  }),

  withProject("ERR-ADM-500-02", 8, {}, async ({ project, read }, { ask, fresh }) => {
    await read();
    await project.setBillingData(false);
    const lost = await ask(fresh(usageRequest({ as: project.asker })));
    await project.setBillingData(true);
    return [
      { exchange: lost, finding: equals("status", lost.answer?.status, 500) },
      { exchange: await read(), finding: held },
    ];
  }),
];
