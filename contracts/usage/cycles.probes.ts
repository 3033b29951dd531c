// Probes of cycle dates, lengths and rollover (§2.1).
import type { Json } from "../../harness/core/json.ts";
import type { AnsweredExchange } from "../../harness/model/fingerprint.ts";
import type { Probe, ProbeContext } from "../../harness/model/probe.ts";
import { asUndescribed, seenAs } from "../shared/describeCalls.ts";
import { forFeature } from "../shared/forFeature.ts";
import { everyDocument, inBuckets, onMadeProject } from "../shared/probeRequests.ts";
import { usageRequest } from "../shared/requestSpecs.ts";
import { figureAt, usageReaderOf, valueIn } from "./usageReader.ts";

const { observeEach } = forFeature("usage");

const credit = "/creditCycle";
const billing = "/subscriptionDetails/billingCycle";
const day_ms = 86_400_000;

/** First and last day, as days since the epoch; undefined where either is not a day. */
function windowAt(answered: AnsweredExchange, at: string): readonly [start: number, end: number] | undefined {
  const [start = Number.NaN, end = Number.NaN] = [valueIn(answered, `${at}/start`), valueIn(answered, `${at}/end`)].map(
    (day) => Date.parse(typeof day === "string" ? `${day}T00:00:00Z` : "") / day_ms,
  );
  return Number.isNaN(start + end) ? undefined : [start, end];
}

const dateOf = (day: number): Date => new Date(day * day_ms);
const dayOfMonth = (day: number): number => dateOf(day).getUTCDate();
const daysInMonth = (day: number): number =>
  new Date(Date.UTC(dateOf(day).getUTCFullYear(), dateOf(day).getUTCMonth() + 1, 0)).getUTCDate();

/** Whether `to` is one month after `from`, on the last day of a month too short for the day. */
const isMonthOn = (from: number, to: number): boolean => {
  const days = to - from;
  const wanted = Math.min(dayOfMonth(from), daysInMonth(to));
  return days >= 28 && days <= 31 && dayOfMonth(to) === wanted;
};

/** As above, or from the last day of a short month, which may stand for a later day. */
const mayBeMonthOn = (from: number, to: number): boolean =>
  isMonthOn(from, to) ||
  (to - from >= 28 && to - from <= 31 && dayOfMonth(from) === daysInMonth(from) && dayOfMonth(to) > dayOfMonth(from));

const endOf = (answered: AnsweredExchange): string | undefined => {
  const cycle = windowAt(answered, credit);
  if (!cycle) return undefined;
  const [start, end] = cycle;
  // It may stand for a later day that the month doesn't have.
  if (dayOfMonth(start) === daysInMonth(start)) return "undecidable: the cycle starts on the last day of a month";
  if (isMonthOn(start, end + 1)) return "the last day: the next cycle starts the day after";
  return isMonthOn(start, end)
    ? "the day on which the next cycle starts"
    : "undecidable: the cycle is not one month long";
};

const lengthOf = (answered: AnsweredExchange): string | undefined => {
  const cycle = windowAt(answered, credit);
  if (!cycle) return undefined;
  const [start, end] = cycle;
  return mayBeMonthOn(start, end + 1) || mayBeMonthOn(start, end) ? "a month" : `${end - start + 1} days`;
};

const billingOf = (answered: AnsweredExchange): string | undefined => {
  const cycle = windowAt(answered, credit);
  const invoice = windowAt(answered, billing);
  if (!cycle || !invoice || answered.asker?.project.plan !== "paid") return undefined;
  const atStart = invoice[0] - cycle[0];
  const atEnd = invoice[1] - cycle[1];
  if (atStart === 0 && atEnd === 0) return "equal";
  if (atStart !== atEnd) return "different lengths";
  return `${Math.abs(atStart)} ${Math.abs(atStart) === 1 ? "day" : "days"} ${atStart > 0 ? "later" : "earlier"}`;
};

const window = (answered: AnsweredExchange, at: string): string =>
  ["start", "end"]
    .map((edge) => valueIn(answered, `${at}/${edge}`))
    .map((day) => (typeof day === "string" ? day : "not a day"))
    .join(" to ");
const shown = (answered: AnsweredExchange, at: string): string => figureAt(answered, at)?.toFixed() ?? "not a number";

/** A project with prepaid credits, half a minute before and after the end of its cycle, UTC. */
async function rollover(context: ProbeContext): Promise<readonly [before: AnsweredExchange, after: AnsweredExchange]> {
  const wish = { billingAnchor: "2024-06-15", standsAt: "2025-04-14T23:59:30Z", prepaid: "5000" };
  const { project, read } = await usageReaderOf(context, wish);
  await project.consume("rpc", "40");
  await project.consume("das", "300", { pool: "prepaid" });
  const before = await read();
  await project.moveClock("2025-04-15T00:00:30Z");
  return [before, await read()];
}

const atRollover = (
  id: Probe["id"],
  name: string,
  summary: (before: AnsweredExchange, after: AnsweredExchange) => Json,
): Probe =>
  onMadeProject(id, 4, async (context) => {
    const [before, after] = await context.once(`rollover ${context.repeat}`, () => rollover(context));
    return [seenAs(name, after, summary(before, after))];
  });

export const probes: readonly Probe[] = [
  atRollover("OBS-CYC-ROLL", "half a minute after the last day", (before, after) => ({
    window: `${window(before, credit)}, then ${window(after, credit)}`,
    creditsUsed: `${shown(before, "/creditsUsed")}, then ${shown(after, "/creditsUsed")}`,
  })),
  atRollover("OBS-CYC-BILLTZ", "half a minute after midnight UTC", (before, after) =>
    window(before, billing) === window(after, billing)
      ? "billingCycle has not rolled over"
      : "billingCycle has rolled over at midnight UTC",
  ),
  atRollover("OBS-CRD-PREROLL", "prepaid credits after the last day", (before, after) => {
    const [had, has] = [before, after].map((answered) => shown(answered, "/prepaidCreditsRemaining"));
    return had === has ? "carried over" : `${had} before, ${has} after`;
  }),
  observeEach("OBS-CYC-END", everyDocument, inBuckets(endOf)),
  observeEach("OBS-CYC-LENGTH", everyDocument, inBuckets(lengthOf)),
  observeEach("OBS-CYC-BILL", [usageRequest({ as: "paid" }), usageRequest({ as: "other" })], inBuckets(billingOf), {
    informs: ["CYC-BILL-03"],
  }),
  onMadeProject("OBS-CYC-SHORT", 4, async (context) => {
    const wish = { billingAnchor: "2024-07-31", standsAt: "2025-02-10T12:00:00Z" };
    const { project, read } = await usageReaderOf(context, wish);
    const february = await read();
    await project.moveClock("2025-04-10T12:00:00Z");
    const april = await read();
    return [
      seenAs("anchored on the 31st, on 10 February", february, window(february, credit)),
      seenAs("anchored on the 31st, on 10 April", april, window(april, credit)),
    ];
  }),
  onMadeProject("OBS-CYC-PLANCHG", 2, async ({ project, ask }) => {
    const made = await project({ plan: { creditsLimit: 1000 }, standsAt: "2025-03-20T12:00:00Z" });
    await made.consume("rpc", "300");
    await made.changePlan({ name: "larger", kind: "paid", creditsLimit: 5000 });
    // The target describes the test project by its first plan, so that no law may judge this answer.
    const answered = await ask(asUndescribed(usageRequest({ as: made.asker })));
    const figures = ["/subscriptionDetails/creditsLimit", "/creditsUsed", "/creditsRemaining"].map(
      (at) => `${at.split("/").at(-1)} ${JSON.stringify(valueIn(answered, at))}`,
    );
    const summary = [window(answered, credit), ...figures].join(", ");
    return [seenAs("1000 credits, 300 used, then a plan of 5000", answered, summary)];
  }),
];
