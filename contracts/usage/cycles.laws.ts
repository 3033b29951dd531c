// Laws of cycle dates: real days, in order, current, and as the plan requires (§2.1).
import { type Finding, must, onlyWarning } from "../../harness/core/finding.ts";
import { type Law, NotThere, type Reading, where } from "../../harness/model/law.ts";
import { type Exchange, headerOf } from "../../harness/transport/exchange.ts";
import { type ProjectUsage, usageLaw } from "./document.laws.ts";

const credit = ["/creditCycle/start", "/creditCycle/end"] as const;
const billing = ["/subscriptionDetails/billingCycle/start", "/subscriptionDetails/billingCycle/end"] as const;
type Window = typeof credit | typeof billing;
const day_ms = 86_400_000;

/** Days since the epoch of a real, zero-padded calendar day; NaN for anything else. */
function dayNumber(text: string): number {
  const time_ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Engines may roll 30 February over into March; the round trip shows it.
  return Number.isNaN(time_ms) || new Date(time_ms).toISOString().slice(0, 10) !== text ? Number.NaN : time_ms / day_ms;
}

function realDay({ text }: Reading<ProjectUsage>, at: Window[number]): number {
  const day = dayNumber(text(at));
  if (Number.isNaN(day)) throw new NotThere(at);
  return day;
}

/** What clocks may differ by: a front's Date, the clock that begins a cycle, and ours. */
const clockSkew_ms = 120_000;

/** A clock that shows an earlier time was never set. */
const oldest_ms = Date.parse("2020-01-01T00:00:00Z");

/** The first and last day, UTC, on which the answer can have been made: by the server's clock if shown, else ours. */
function todayOf({ answer, sentAt_ms, latency_ms }: Exchange): readonly [first: number, last: number] {
  const shown_ms = answer ? Date.parse(headerOf(answer, "date") ?? "") : Number.NaN;
  const [from_ms, until_ms] =
    shown_ms >= oldest_ms ? [shown_ms - latency_ms, shown_ms] : [sentAt_ms, sentAt_ms + latency_ms];
  return [Math.floor((from_ms - clockSkew_ms) / day_ms), Math.floor((until_ms + clockSkew_ms) / day_ms)];
}

function inOrder(reading: Reading<ProjectUsage>, [start, end]: Window): Finding {
  const isInOrder = realDay(reading, start) <= realDay(reading, end);
  return must(isInOrder, start, `no later than ${reading.text(end)}`, reading.text(start));
}

function holdsToday(reading: Reading<ProjectUsage>, [start, end]: Window, slack_days: number): Finding {
  const [first, last] = todayOf(reading.exchange);
  const today = new Date(last * day_ms).toISOString().slice(0, 10);
  const begun = realDay(reading, start) - slack_days <= last;
  const isNow = begun && first <= realDay(reading, end) + slack_days;
  const at = begun ? end : start;
  return must(isNow, at, `${begun ? "no earlier" : "no later"} than today, ${today}`, reading.text(at));
}

const hasBilling = ({ any }: Reading<ProjectUsage>): boolean =>
  typeof any("/subscriptionDetails/billingCycle") === "object" && any("/subscriptionDetails/billingCycle") !== null;

/** The first breach of any place; held only where all places can be read. */
function each<Place>(places: readonly Place[], judge: (place: Place) => Finding): Finding | undefined {
  let isUnreadable = false;
  let finding: Finding | undefined;
  for (const place of places) {
    try {
      finding = judge(place);
    } catch (error) {
      if (!(error instanceof NotThere)) throw error;
      isUnreadable = true;
    }
    if (finding?.outcome === "broken") return finding;
  }
  return isUnreadable ? undefined : finding;
}

const cycles = usageLaw(
  {
    "CYC-DATE-01": (reading) =>
      each([...credit, ...(hasBilling(reading) ? billing : [])], (at) =>
        must(!Number.isNaN(dayNumber(reading.text(at))), at, "a real calendar day, YYYY-MM-DD", reading.text(at)),
      ),
    "CYC-ORD-01": (reading) =>
      each([credit, ...(hasBilling(reading) ? [billing] : [])], (cycle) => inOrder(reading, cycle)),
    // Entailed with a day of slack, since clocks may differ; on the day itself implied (amendment 12).
    "CYC-NOW-01": (reading) => {
      const isEntailed = holdsToday(reading, credit, 1).outcome === "broken";
      const finding = holdsToday(reading, credit, 0);
      return isEntailed ? finding : onlyWarning(finding);
    },
    // Only creditCycle is documented in UTC, so the invoicing window has a day of slack on both sides.
    "CYC-BILL-05": (reading) => (hasBilling(reading) ? holdsToday(reading, billing, 1) : undefined),
  },
  where.own,
);

/** The target file says which plans are free; a null never does. */
function freeWindow({ any, names }: Reading<ProjectUsage>): Finding {
  names("/subscriptionDetails");
  const cycle = any("/subscriptionDetails/billingCycle");
  return must(cycle === null, "/subscriptionDetails/billingCycle", "null on a free plan", cycle);
}

function paidWindow(reading: Reading<ProjectUsage>): Finding | undefined {
  reading.names("/subscriptionDetails");
  const cycle = reading.any("/subscriptionDetails/billingCycle");
  const isObject = hasBilling(reading) && !Array.isArray(cycle);
  return cycle === undefined
    ? undefined
    : must(isObject, "/subscriptionDetails/billingCycle", "an object on a paid plan", cycle);
}

export const laws: readonly Law[] = [
  cycles,
  usageLaw({ "CYC-BILL-01": freeWindow }, where.plan("free")),
  usageLaw({ "CYC-BILL-02": paidWindow }, where.plan("paid")),
];
