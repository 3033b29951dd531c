// k6 script that sends each request of a schedule at its time, over separate connections
import exec from "k6/execution";
import http from "k6/http";
import type { K6Answer, K6TimedRequest, ScheduleOrders, ScheduleRecord } from "./orders.ts";
import { answerOf, bodyOf, paramsOf } from "./sending.ts";

export { handleSummary } from "./summary.ts";

declare const orders: ScheduleOrders;

const connections = [...new Set(orders.timedRequests.map(({ connection }) => connection))];
const last_ms = Math.max(0, ...orders.timedRequests.map(({ at_ms }) => at_ms));

/** Each virtual user has its own connection: one user per connection of the schedule. */
export const options = {
  scenarios: {
    sendSchedule: {
      executor: "per-vu-iterations",
      vus: connections.length,
      iterations: 1,
      maxDuration: `${Math.ceil(orders.lead_ms + last_ms + 2 * orders.deadline_ms)}ms`,
      gracefulStop: "0s",
    },
  },
};

/** When the schedule starts, for all users. */
export const setup = (): number => Date.now() + orders.lead_ms;

const waiting: { readonly timer: ReturnType<typeof setTimeout>; readonly wake: () => void }[] = [];

const at = (time_ms: number): Promise<void> =>
  new Promise((wake) => void waiting.push({ timer: setTimeout(wake, Math.max(0, time_ms - Date.now())), wake }));

/** Connections of one user that are refused in a row: nobody listens any more, and the rest isn't sent. */
const enoughRefused = 3;
const refusedCode = 1212;
let refused = 0;

/** k6 ends a user only after all its timers. */
function giveUp(): void {
  for (const { timer, wake } of waiting.splice(0)) {
    clearTimeout(timer);
    wake();
  }
}

/** Its code stands for all that k6 doesn't number. */
const unsent: K6Answer = {
  status: 0,
  headers: {},
  body_base64: "",
  errorCode: 1000,
  error: "connections were refused before it was due",
};

async function send(timedRequest: K6TimedRequest, nth: number, start_ms: number): Promise<ScheduleRecord> {
  const body = bodyOf(timedRequest);
  const params = paramsOf(timedRequest, "schedule", orders.deadline_ms);
  const { at_ms } = timedRequest;
  await at(start_ms + at_ms);
  if (refused >= enoughRefused) return { nth, called_ms: at_ms, sent_ms: at_ms, received_ms: at_ms, answer: unsent };
  const called_ms = Date.now() - start_ms;
  const response = await http.asyncRequest(timedRequest.method, timedRequest.url, body, params);
  // The clock counts whole milliseconds: the true time is up to one later.
  const received_ms = Date.now() + 1 - start_ms;
  const answer = answerOf(response);
  refused = answer.errorCode === refusedCode ? refused + 1 : 0;
  if (refused >= enoughRefused) giveUp();
  return { nth, called_ms, sent_ms: called_ms + response.timings.blocked, received_ms, answer };
}

export default async function sendSchedule(start_ms: number): Promise<void> {
  const own = connections[exec.vu.idInTest - 1];
  const records = await Promise.all(
    orders.timedRequests.flatMap((timedRequest, nth) =>
      timedRequest.connection === own ? [send(timedRequest, nth, start_ms)] : [],
    ),
  );
  // Afterwards, since writing takes time.
  for (const record of records) console.log(JSON.stringify(record));
}
