// Laws of cycle dates: real days, in order, current, and as the plan requires (§2.1).
import { type Finding, held, must, onlyWarning } from "../../harness/core/finding.ts";
import { isObject, type Json } from "../../harness/core/json.ts";
import { type Law, type LawReading, lawScopes } from "../../harness/model/law.ts";
import { type Exchange, headerOf } from "../../harness/transport/exchange.ts";
import { type ProjectUsage, usageLaw } from "./document.laws.ts";

const credit = ["/creditCycle/start", "/creditCycle/end"] as const;
const billing = ["/subscriptionDetails/billingCycle/start", "/subscriptionDetails/billingCycle/end"] as const;
type Window = typeof credit | typeof billing;
const day_ms = 86_400_000;

/** Days since the epoch of a real, zero-padded calendar day; NaN for anything else. */
function dayNumber(value: Json | undefined): number {
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return Number.NaN;
  const time_ms = Date.parse(`${value}T00:00:00Z`);
  // Engines may roll 30 February over into March; the round trip shows it.
  return Number.isNaN(time_ms) || new Date(time_ms).toISOString().slice(0, 10) !== value
    ? Number.NaN
    : time_ms / day_ms;
}

/** What clocks may differ by: a front's Date, the clock that begins a cycle, and ours. */
const clockSkew_ms = 120_000;

/** A clock that shows an earlier time was never set. */
const oldest_ms = Date.parse("2020-01-01T00:00:00Z");

/**
 * The first and last day, UTC, on which the answer can have been made: by the server's clock if shown, else ours.
 * Recorders write what their clocks say, and answers out of a cache: null.
 */
function todayOf({ answer, exchange: { sentAt_ms, latency_ms, recordedAs } }: LawReading<ProjectUsage>) {
  // A missing one isn't a date.
  const shown_ms = Date.parse(String(headerOf(answer, "date")));
  if (recordedAs !== undefined && !(shown_ms >= oldest_ms)) return null;
  const [from_ms, until_ms] =
    shown_ms >= oldest_ms ? [shown_ms - latency_ms, shown_ms] : [sentAt_ms, sentAt_ms + latency_ms];
  const day = (time_ms: number): number => Math.floor(time_ms / day_ms);
  return { first: day(from_ms - clockSkew_ms), last: day(until_ms + clockSkew_ms) };
}

function holdsToday(reading: LawReading<ProjectUsage>, [start, end]: Window, slack_days: number): Finding | undefined {
  const days = todayOf(reading);
  const begins = dayNumber(reading.any(start));
  const ends = dayNumber(reading.any(end));
  if (!days || [begins, ends].some(Number.isNaN)) return undefined;
  const { first, last } = days;
  const today = new Date(last * day_ms).toISOString().slice(0, 10);
  const isBegun = begins - slack_days <= last;
  const [at, expected] = isBegun ? [end, `no earlier than today, ${today}`] : [start, `no later than today, ${today}`];
  return must(isBegun && first <= ends + slack_days, at, expected, reading.any(at));
}

const hasBilling = ({ any }: LawReading<ProjectUsage>): boolean => isObject(any("/subscriptionDetails/billingCycle"));

/** The first breach of any place; held only where all places can be read. */
const ofAll = (findings: readonly (Finding | undefined)[]): Finding | undefined =>
  findings.find((one) => one?.outcome === "broken") ?? (findings.includes(undefined) ? undefined : held);

function isReal({ any }: LawReading<ProjectUsage>, at: Window[number]): Finding | undefined {
  const value = any(at);
  if (typeof value !== "string") return undefined;
  return must(!Number.isNaN(dayNumber(value)), at, "a real calendar day, YYYY-MM-DD", value);
}

function inOrder({ any, text }: LawReading<ProjectUsage>, [start, end]: Window): Finding | undefined {
  const begins = dayNumber(any(start));
  const ends = dayNumber(any(end));
  return [begins, ends].some(Number.isNaN)
    ? undefined
    : must(begins <= ends, start, `no later than ${text(end)}`, any(start));
}

const cycles = usageLaw(
  {
    "CYC-DATE-01": (reading) =>
      ofAll([...credit, ...(hasBilling(reading) ? billing : [])].map((at) => isReal(reading, at))),
    "CYC-ORD-01": (reading) =>
      ofAll([credit, ...(hasBilling(reading) ? [billing] : [])].map((cycle) => inOrder(reading, cycle))),
    // Entailed with a day of slack, since clocks may differ; on the day itself implied (amendment 12).
    "CYC-NOW-01": (reading) => {
      const finding = holdsToday(reading, credit, 0);
      const isEntailed = holdsToday(reading, credit, 1)?.outcome === "broken";
      return !finding || isEntailed ? finding : onlyWarning(finding);
    },
    // Only creditCycle is documented in UTC, so the invoicing window has a day of slack on both sides.
    "CYC-BILL-05": (reading) => holdsToday(reading, billing, 1),
  },
  lawScopes.own,
);

/** The target file says which plans are free; a null never does. */
function freeWindow({ any, names, exchange }: LawReading<ProjectUsage>): Finding | undefined {
  names("/subscriptionDetails");
  const cycle = any("/subscriptionDetails/billingCycle");
  // Who parses it may write no members that are null.
  if (cycle === undefined && exchange.recordedAs === "json") return undefined;
  return must(cycle === null, "/subscriptionDetails/billingCycle", "null on a free plan", cycle);
}

function paidWindow(reading: LawReading<ProjectUsage>): Finding | undefined {
  const cycle = reading.any("/subscriptionDetails/billingCycle");
  return cycle === undefined
    ? undefined
    : must(hasBilling(reading), "/subscriptionDetails/billingCycle", "an object on a paid plan", cycle);
}

const onPlan =
  (plan: "free" | "paid") =>
  ({ asker, isOwn }: Exchange): boolean =>
    isOwn && asker?.project.plan === plan;

export const laws: readonly Law[] = [
  cycles,
  usageLaw({ "CYC-BILL-01": freeWindow }, onPlan("free")),
  usageLaw({ "CYC-BILL-02": paidWindow }, onPlan("paid")),
];
