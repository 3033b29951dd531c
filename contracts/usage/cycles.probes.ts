// What is left open about cycle dates, lengths and rollover? (§2.1)

import type { Json } from "../../harness/core/json.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import { type Answered, fingerprintOf } from "../../harness/model/fingerprint.ts";
import { type Probe, type ProbeContext, readingOf, type Sight } from "../../harness/model/probe.ts";
import { figureAt, valueIn } from "../shared/figures.ts";
import { forFeature } from "../shared/forFeature.ts";
import { documentOf, everyDocument, owners } from "../shared/probeRequests.ts";
import { usage } from "../shared/stimuli.ts";

const { experiment, observeEach } = forFeature("usage");

const credit = "/creditCycle";
const billing = "/subscriptionDetails/billingCycle";
const day_ms = 86_400_000;

/** First and last day, as days since the epoch; undefined where one is no day. */
function windowAt(answered: Answered, at: string): readonly [start: number, end: number] | undefined {
  const [start, end] = [valueIn(answered, `${at}/start`), valueIn(answered, `${at}/end`)].map(
    (day) => Date.parse(typeof day === "string" ? `${day}T00:00:00Z` : "") / day_ms,
  );
  return start === undefined || end === undefined || Number.isNaN(start + end) ? undefined : [start, end];
}

const dayOfMonth = (day: number): number => new Date(day * day_ms).getUTCDate();
const daysInMonth = (day: number): number =>
  new Date(Date.UTC(new Date(day * day_ms).getUTCFullYear(), new Date(day * day_ms).getUTCMonth() + 1, 0)).getUTCDate();

/** A month on from a day; months too short for it end it on their last day. */
const isMonthOn = (from: number, to: number): boolean => {
  const [months, wanted] = [to - from, Math.min(dayOfMonth(from), daysInMonth(to))];
  return months >= 28 && months <= 31 && dayOfMonth(to) === wanted;
};

/** As above, or from the last day of a short month, where the day of the month has been cut off. */
const mayBeMonthOn = (from: number, to: number): boolean =>
  isMonthOn(from, to) ||
  (to - from >= 28 && to - from <= 31 && dayOfMonth(from) === daysInMonth(from) && dayOfMonth(to) > dayOfMonth(from));

const sight =
  (summary: (answered: Answered) => Json | undefined): Sight =>
  (answered) => {
    const project = documentOf(answered);
    const told = project === undefined ? undefined : summary(answered);
    return project === undefined || told === undefined
      ? undefined
      : { case: project, bucket: typeof told === "string" ? told : null, summary: told };
  };

const endOf = (answered: Answered): Json | undefined => {
  const cycle = windowAt(answered, credit);
  if (!cycle) return undefined;
  const [start, end] = cycle;
  // After a short month the day on which cycles start can't be seen.
  if (dayOfMonth(start) === daysInMonth(start)) return "can't be told from a cycle that starts on a month's last day";
  if (isMonthOn(start, end + 1)) return "the last day: the next cycle starts the day after";
  return isMonthOn(start, end)
    ? "the day on which the next cycle starts"
    : "can't be told from a cycle that is no month";
};

const lengthOf = (answered: Answered): Json | undefined => {
  const cycle = windowAt(answered, credit);
  if (!cycle) return undefined;
  const [start, end] = cycle;
  return mayBeMonthOn(start, end + 1) || mayBeMonthOn(start, end) ? "a month" : `${end - start + 1} days`;
};

const billingOf = (answered: Answered): Json | undefined => {
  const [cycle, invoice] = [windowAt(answered, credit), windowAt(answered, billing)];
  if (!cycle || !invoice || answered.asker?.project.plan !== "paid") return undefined;
  const [atStart, atEnd] = [invoice[0] - cycle[0], invoice[1] - cycle[1]];
  if (atStart === 0 && atEnd === 0) return "equal";
  if (atStart !== atEnd) return "of another length";
  return `${Math.abs(atStart)} ${Math.abs(atStart) === 1 ? "day" : "days"} ${atStart > 0 ? "later" : "earlier"}`;
};

const window = (answered: Answered, at: string): string =>
  ["start", "end"]
    .map((edge) => valueIn(answered, `${at}/${edge}`))
    .map((day) => (typeof day === "string" ? day : "no day"))
    .join(" to ");
const figure = (answered: Answered, at: string): string => figureAt(answered, at)?.toFixed() ?? "no number";

/** The usage of a made project, read anew each time. */
const reader = (
  ask: (stimulus: ReturnType<typeof usage>) => Promise<Answered>,
  asker: Parameters<typeof usage>[0]["as"],
) => {
  let again = 0;
  return async (): Promise<Answered> => {
    again += 1;
    const answered = await ask(usage({ as: asker, again }));
    if (answered.answer.status !== 200)
      throw new Withheld(`a made project's usage was answered ${answered.answer.status}`);
    return answered;
  };
};

interface Rollover {
  readonly before: Answered;
  readonly after: Answered;
}

/** A project with prepaid credits, half a minute before and after the end of its cycle, UTC. */
async function rollover({ project, ask }: ProbeContext): Promise<Rollover> {
  const made = await project({ billingAnchor: "2024-06-15", standsAt: "2025-04-14T23:59:30Z", prepaid: "5000" });
  await made.consume("rpc", "40");
  await made.consume("das", "300", { pool: "prepaid" });
  const read = reader(ask, made.asker);
  const before = await read();
  await made.moveClock("2025-04-15T00:00:30Z");
  return { before, after: await read() };
}

const atRollover = (id: Probe["id"], name: string, summary: (before: Answered, after: Answered) => Json): Probe =>
  experiment(
    id,
    [owners],
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
      ? "billingCycle has not turned"
      : "billingCycle has turned at midnight UTC",
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
    [owners],
    async ({ project, ask }) => {
      const made = await project({ billingAnchor: "2024-07-31", standsAt: "2025-02-10T12:00:00Z" });
      const read = reader(ask, made.asker);
      const february = await read();
      await made.moveClock("2025-04-10T12:00:00Z");
      const april = await read();
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
    [owners],
    async ({ project, ask }) => {
      const made = await project({ plan: { creditsLimit: 1000 }, standsAt: "2025-03-20T12:00:00Z" });
      await made.consume("rpc", "300");
      await made.changePlan({ name: "larger", kind: "paid", creditsLimit: 5000 });
      // The target's word on the made project is of its first plan, so no law may judge this answer.
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
