// Probes of cycle dates, lengths and rollover (§2.1).
import type { Json } from "../../harness/core/json.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import { type Answered, fingerprintOf } from "../../harness/model/fingerprint.ts";
import { type Probe, type ProbeContext, readingOf, type Sight } from "../../harness/model/probe.ts";
import type { MadeProject } from "../../harness/transport/control.ts";
import { figureAt, valueIn } from "../shared/figures.ts";
import { forFeature } from "../shared/forFeature.ts";
import { documentOf, everyDocument, ownersUsage } from "../shared/probeRequests.ts";
import { usage } from "../shared/stimuli.ts";

const { experiment, observeEach } = forFeature("usage");

const credit = "/creditCycle";
const billing = "/subscriptionDetails/billingCycle";
const day_ms = 86_400_000;

/** First and last day, as days since the epoch; undefined where either is not a day. */
function windowAt(answered: Answered, at: string): readonly [start: number, end: number] | undefined {
  const [start, end] = [valueIn(answered, `${at}/start`), valueIn(answered, `${at}/end`)].map(
    (day) => Date.parse(typeof day === "string" ? `${day}T00:00:00Z` : "") / day_ms,
  );
  return start === undefined || end === undefined || Number.isNaN(start + end) ? undefined : [start, end];
}

const dayOfMonth = (day: number): number => new Date(day * day_ms).getUTCDate();
const daysInMonth = (day: number): number =>
  new Date(Date.UTC(new Date(day * day_ms).getUTCFullYear(), new Date(day * day_ms).getUTCMonth() + 1, 0)).getUTCDate();

/** Whether `to` is one month after `from`, on the last day of a month too short for the day. */
const isMonthOn = (from: number, to: number): boolean => {
  const [days, wanted] = [to - from, Math.min(dayOfMonth(from), daysInMonth(to))];
  return days >= 28 && days <= 31 && dayOfMonth(to) === wanted;
};

/** As above, or from the last day of a short month, which may stand for a later day. */
const mayBeMonthOn = (from: number, to: number): boolean =>
  isMonthOn(from, to) ||
  (to - from >= 28 && to - from <= 31 && dayOfMonth(from) === daysInMonth(from) && dayOfMonth(to) > dayOfMonth(from));

const sight =
  (summary: (answered: Answered) => string | undefined): Sight =>
  (answered) => {
    const project = documentOf(answered);
    const bucket = project === undefined ? undefined : summary(answered);
    return project === undefined || bucket === undefined ? undefined : { case: project, bucket, summary: bucket };
  };

const endOf = (answered: Answered): string | undefined => {
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

const lengthOf = (answered: Answered): string | undefined => {
  const cycle = windowAt(answered, credit);
  if (!cycle) return undefined;
  const [start, end] = cycle;
  return mayBeMonthOn(start, end + 1) || mayBeMonthOn(start, end) ? "a month" : `${end - start + 1} days`;
};

const billingOf = (answered: Answered): string | undefined => {
  const [cycle, invoice] = [windowAt(answered, credit), windowAt(answered, billing)];
  if (!cycle || !invoice || answered.asker?.project.plan !== "paid") return undefined;
  const [atStart, atEnd] = [invoice[0] - cycle[0], invoice[1] - cycle[1]];
  if (atStart === 0 && atEnd === 0) return "equal";
  if (atStart !== atEnd) return "different lengths";
  return `${Math.abs(atStart)} ${Math.abs(atStart) === 1 ? "day" : "days"} ${atStart > 0 ? "later" : "earlier"}`;
};

const window = (answered: Answered, at: string): string =>
  ["start", "end"]
    .map((edge) => valueIn(answered, `${at}/${edge}`))
    .map((day) => (typeof day === "string" ? day : "not a day"))
    .join(" to ");
const figure = (answered: Answered, at: string): string => figureAt(answered, at)?.toFixed() ?? "not a number";

/** A new read of the usage of a made project. */
async function read({ ask, fresh }: ProbeContext, { asker }: MadeProject): Promise<Answered> {
  const answered = await ask(fresh(usage({ as: asker })));
  if (answered.answer.status !== 200)
    throw new Withheld(`masked: the usage of a made project returned ${answered.answer.status}`);
  return answered;
}

interface Rollover {
  readonly before: Answered;
  readonly after: Answered;
}

/** A project with prepaid credits, half a minute before and after the end of its cycle, UTC. */
async function rollover(context: ProbeContext): Promise<Rollover> {
  const made = await context.project({
    billingAnchor: "2024-06-15",
    standsAt: "2025-04-14T23:59:30Z",
    prepaid: "5000",
  });
  await made.consume("rpc", "40");
  await made.consume("das", "300", { pool: "prepaid" });
  const before = await read(context, made);
  await made.moveClock("2025-04-15T00:00:30Z");
  return { before, after: await read(context, made) };
}

const atRollover = (id: Probe["id"], name: string, summary: (before: Answered, after: Answered) => Json): Probe =>
  experiment(
    id,
    [ownersUsage],
    async (context) => {
      const { before, after } = await context.once(`rollover ${context.pass}`, () => rollover(context));
      return readingOf([{ fingerprint: fingerprintOf(after, { case: name }), summary: summary(before, after) }]);
    },
    { control: { reads: 4 } },
  );

const ofRollover: readonly Probe[] = [
  atRollover("OBS-CYC-ROLL", "half a minute after the last day", (before, after) => ({
    window: `${window(before, credit)}, then ${window(after, credit)}`,
    creditsUsed: `${figure(before, "/creditsUsed")}, then ${figure(after, "/creditsUsed")}`,
  })),
  atRollover("OBS-CYC-BILLTZ", "half a minute after midnight UTC", (before, after) =>
    window(before, billing) === window(after, billing)
      ? "billingCycle has not rolled over"
      : "billingCycle has rolled over at midnight UTC",
  ),
  atRollover("OBS-CRD-PREROLL", "prepaid credits after the last day", (before, after) => {
    const [had, has] = [figure(before, "/prepaidCreditsRemaining"), figure(after, "/prepaidCreditsRemaining")];
    return had === has ? "carried over" : `${had} before, ${has} after`;
  }),
];

export const probes: readonly Probe[] = [
  observeEach("OBS-CYC-END", everyDocument, sight(endOf)),
  observeEach("OBS-CYC-LENGTH", everyDocument, sight(lengthOf)),
  observeEach("OBS-CYC-BILL", [usage({ as: "paid" }), usage({ as: "other" })], sight(billingOf), {
    informs: ["CYC-BILL-03"],
  }),
  experiment(
    "OBS-CYC-SHORT",
    [ownersUsage],
    async (context) => {
      const made = await context.project({ billingAnchor: "2024-07-31", standsAt: "2025-02-10T12:00:00Z" });
      const february = await read(context, made);
      await made.moveClock("2025-04-10T12:00:00Z");
      const april = await read(context, made);
      const seen = [
        ["anchored on the 31st, on 10 February", february],
        ["anchored on the 31st, on 10 April", april],
      ] as const;
      return readingOf(
        seen.map(([name, answered]) => ({
          fingerprint: fingerprintOf(answered, { case: name }),
          summary: window(answered, credit),
        })),
      );
    },
    { control: { reads: 4 } },
  ),
  ...ofRollover,
  experiment(
    "OBS-CYC-PLANCHG",
    [ownersUsage],
    async ({ project, ask }) => {
      const made = await project({ plan: { creditsLimit: 1000 }, standsAt: "2025-03-20T12:00:00Z" });
      await made.consume("rpc", "300");
      await made.changePlan({ name: "larger", kind: "paid", creditsLimit: 5000 });
      // The target describes the made project by its first plan, so that no law may judge this answer.
      const answered = await ask({ ...usage({ as: made.asker }), operation: null });
      const figures = ["/subscriptionDetails/creditsLimit", "/creditsUsed", "/creditsRemaining"].map(
        (at) => `${at.split("/").at(-1)} ${JSON.stringify(valueIn(answered, at))}`,
      );
      return readingOf([
        {
          fingerprint: fingerprintOf(answered, { case: "1000 credits, 300 used, then a plan of 5000" }),
          summary: [window(answered, credit), ...figures].join(", "),
        },
      ]);
    },
    { control: { reads: 2 } },
  ),
];
