// Sends a schedule with k6; inconclusive unless each request leaves on time
import { generatorFailed } from "../../harness/core/outcomes.ts";
import type { Redactor } from "../../harness/core/secret.ts";
import { coded } from "../../harness/transport/contentCoding.ts";
import type { HeaderList } from "../../harness/transport/exchange.ts";
import {
  durationOf_ms,
  type Generator,
  type TimedAnswer,
  type TimedWireRequest,
} from "../../harness/transport/timedRequests.ts";
import type { WireAnswer, WireRequest } from "../../harness/transport/wire.ts";
import { WireFault } from "../../harness/transport/wireFault.ts";
import type { K6 } from "./ensure.ts";
import type { K6Answer, K6Request, K6Summary, ScheduleOrders, ScheduleRecord } from "./orders.ts";
import { runK6 } from "./process.ts";

interface Options {
  readonly redact: Redactor;
  /** From sending to the last byte; 15 s by default. */
  readonly deadline_ms?: number;
}

/** A generator that sends later than this after the set time is saturated: half of what a burst may take. */
export const latest_ms = 90;

const usualDeadline_ms = 15_000;
/** k6 starts its virtual users one after another. */
const lead_ms = 250;
const leadPerConnection_ms = 4;
/** The most that starting and ending k6 takes. */
const slack_ms = 20_000;

export const k6Generator = (k6: K6, { redact, deadline_ms = usualDeadline_ms }: Options): Generator => ({
  name: `k6 ${k6.version}`,
  fire: async (timedRequests) => {
    if (timedRequests.length === 0) return [];
    const orders = ordersFor(timedRequests, deadline_ms);
    const records = new Map<number, ScheduleRecord>();
    const last_ms = durationOf_ms(timedRequests);
    const summary = await runK6(k6, {
      script: "schedule",
      orders,
      redact,
      within_ms: orders.lead_ms + last_ms + 2 * deadline_ms + slack_ms,
      onRecord: (record) => {
        const schedule = record as ScheduleRecord;
        records.set(schedule.nth, schedule);
      },
    });
    return timedAnswersOf(timedRequests, records, summary, redact);
  },
});

function ordersFor(timedRequests: readonly TimedWireRequest[], deadline_ms: number): ScheduleOrders {
  const connections = new Set(timedRequests.map(({ connection }) => connection)).size;
  return {
    timedRequests: timedRequests.map(({ request, ...timed }) => ({ ...timed, ...k6RequestOf(request) })),
    deadline_ms,
    lead_ms: lead_ms + leadPerConnection_ms * connections,
  };
}

/** @throws Inconclusive where k6 can't send the request unchanged */
export function k6RequestOf({ method, url, headers, body }: WireRequest): K6Request {
  const names = headers.map(([name]) => name.toLowerCase());
  const twice = names.find((name, nth) => names.indexOf(name) !== nth);
  if (twice !== undefined) throw generatorFailed(`k6 can't send the header ${twice} more than once`);
  const bytes = coded(headers, body);
  return {
    method,
    url,
    headers: Object.fromEntries(headers),
    body_base64: bytes === null ? null : Buffer.from(bytes).toString("base64"),
  };
}

/** One answer for each timed request. @throws Inconclusive where k6 dropped or lost a request, or sent one late */
export function timedAnswersOf(
  timedRequests: readonly TimedWireRequest[],
  records: ReadonlyMap<number, ScheduleRecord>,
  summary: K6Summary,
  redact: Redactor,
): readonly TimedAnswer[] {
  if (summary.droppedIterations > 0) throw generatorFailed(`k6 dropped ${summary.droppedIterations} of its iterations`);
  const reported = timedRequests.flatMap(({ at_ms }, nth) => {
    const record = records.get(nth);
    return record ? [{ ...record, at_ms }] : [];
  });
  if (reported.length < timedRequests.length)
    throw generatorFailed(`k6 reported ${reported.length} of ${timedRequests.length} requests`);
  const late_ms = Math.max(...reported.map(({ called_ms, at_ms }) => called_ms - at_ms));
  if (late_ms > latest_ms) {
    const late = `a request was sent ${Math.round(late_ms)} ms late, and at most ${latest_ms} ms are allowed`;
    throw generatorFailed(`the generator was saturated: ${late}`);
  }
  return reported.map(({ sent_ms, received_ms, answer }) => ({
    sent_ms,
    received_ms,
    outcome: wireOutcomeOf(answer, redact),
  }));
}

export const wireOutcomeOf = (answer: K6Answer, redact: Redactor): WireAnswer | WireFault =>
  answer.errorCode === 0
    ? {
        status: answer.status,
        headers: headersOf(answer),
        body: new Uint8Array(Buffer.from(answer.body_base64, "base64")),
      }
    : new WireFault(kindOf(answer), redact(`k6 ${answer.errorCode}: ${answer.error}`));

const headersOf = ({ headers }: K6Answer): HeaderList =>
  Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);

/** k6's error codes, by hundreds and then one by one (k6 documentation, "Error codes"). */
const kindOfHundred: { readonly [hundred: number]: WireFault["kind"] } = {
  11: "dns",
  12: "reset",
  13: "tls",
  16: "protocol",
  17: "encoding",
};
const kindOfCode: { readonly [code: number]: WireFault["kind"] } = {
  1050: "timeout",
  1110: "other",
  1111: "other",
  1210: "refused",
  1211: "timeout",
  1212: "refused",
};

function kindOf({ errorCode, error }: K6Answer): WireFault["kind"] {
  const known = kindOfCode[errorCode] ?? kindOfHundred[Math.floor(errorCode / 100)];
  if (known) return known;
  // All others share one code; only Go's message differs.
  if (/proxyconnect/i.test(error)) return "proxy";
  if (/malformed HTTP|bad header|invalid header/i.test(error)) return "protocol";
  // Go's message for a body that ended early; before the head it is EOF alone.
  if (/unexpected EOF/.test(error)) return "truncated";
  if (/EOF|connection reset|closed/.test(error)) return "reset";
  return "other";
}
