// k6 script that sends a mix at set rates and judges the answers by all laws
import { sleep } from "k6";
import exec from "k6/execution";
import http, { type RefinedResponse } from "k6/http";
import { parseJson } from "../../harness/core/json.ts";
import type { Redactor } from "../../harness/core/secret.ts";
import { brokenIdsOf, concerns, type Law } from "../../harness/model/law.ts";
import { loadOutcomes } from "../../harness/record/load.ts";
import { classOf } from "../../harness/transport/answers.ts";
import { type Answer, type Exchange, mediaTypeOf, textIn } from "../../harness/transport/exchange.ts";
import { chanceOf, firstOfEach } from "./chance.ts";
import { redactorFor, withKeys } from "./keys.ts";
import type { TrafficLog, TrafficOrders } from "./orders.ts";
import { answerOf, bodyBytes, bodyOf, faultCodeOf, paramsOf, redactedAnswer, timeoutCode } from "./sending.ts";

declare const orders: TrafficOrders;

/** Empty where a variable isn't set, which `setup` refuses: k6 also reads the script where no key is needed. */
const keys = new Map(
  Object.entries(orders.keys).map(([role, { value, variable = "" }]) => [role, value ?? __ENV[variable] ?? ""]),
);
const requests = orders.shares.map(({ request }) => withKeys(request, keys));
/** Made when first needed: each virtual user has its own, and making it takes long. */
let redact: Redactor | undefined;

/** k6 takes whole numbers only, hence rates per hour; rounded down, so that no more is sent than was planned. */
const perHour = (perSecond: number): number => Math.max(1, Math.floor(perSecond * 3600));

/** Virtual users (some 2 MB each): enough for a pause of an eighth of a second; k6 adds more where answers are slow. */
const highest_perSecond = Math.max(...orders.phases.map(({ perSecond }) => perSecond));
const ownVUs = Math.min(125, Math.max(50, Math.ceil(highest_perSecond / orders.of / 2)));
/** As k6 divides them by generators. Only of a multiple each generator gets every iteration of its own in turn. */
const preAllocatedVUs = ownVUs * orders.of;

/** How long the load takes. */
const length_s = orders.phases.reduce((total, { seconds }) => total + seconds, 0);

/** How long before the start of all generators one may be begun. */
const longestWait = "25h";

export const options = {
  // Neither addresses nor texts of errors, which hold some: outputs send tags on.
  systemTags: ["name", "method", "status", "error_code", "expected_response"],
  tags: { target: orders.target },
  setupTimeout: longestWait,
  scenarios: {
    // One scenario for all phases: each scenario has virtual users of its own.
    traffic: {
      executor: "ramping-arrival-rate",
      startRate: perHour(orders.phases[0]?.perSecond ?? 1),
      timeUnit: "3600s",
      stages: orders.phases.flatMap(({ perSecond, seconds }) => [
        { target: perHour(perSecond), duration: "0s" },
        { target: perHour(perSecond), duration: `${Math.round(seconds * 1000)}ms` },
      ]),
      gracefulStop: `${orders.deadline_ms}ms`,
      preAllocatedVUs,
      maxVUs: 2 * preAllocatedVUs,
    },
    // One in each generator.
    ...(orders.of > 1
      ? { pulse: { exec: "pulse", executor: "per-vu-iterations", vus: orders.of, maxDuration: `${length_s + 60}s` } }
      : {}),
  },
};

const log = (logged: TrafficLog): void => console.log(JSON.stringify(logged));

const tick_ms = 100;

/** Notices that the whole process stalled, which makes the platform look slow to all requests in flight. */
export function pulse(): void {
  const began_ms = Date.now();
  let last_ms = began_ms;
  let stoodStill_ms = 0;
  while (last_ms - began_ms < length_s * 1000) {
    sleep(tick_ms / 1000);
    const now_ms = Date.now();
    stoodStill_ms = Math.max(stoodStill_ms, now_ms - last_ms - tick_ms);
    last_ms = now_ms;
  }
  log({ stoodStill_ms });
}

/** Waits for the start of all generators. Where a key is missing, the log says of which part. */
export function setup(): void {
  if (orders.startAt_ms !== null) sleep(Math.max(0, orders.startAt_ms - Date.now()) / 1000);
  log({ segment: exec.test.options.executionSegment ?? null, beganAt_ms: Date.now(), kept: orders.kept });
  for (const [role, { variable }] of Object.entries(orders.keys))
    if (!keys.get(role)) throw new Error(`the variable ${variable} isn't set`);
}

function phaseAt(elapsed_s: number): number {
  const next = orders.phases.findIndex(({ startAfter_s }) => startAfter_s > elapsed_s);
  return next < 0 ? orders.phases.length - 1 : Math.max(0, next - 1);
}

/** Whether a virtual user returns another answer that breaks one of these requirements. */
const isWanted = firstOfEach(2);

/** The laws that concern each share: calling the others takes longer than these. */
const lawsByShare = (laws: readonly Law[]): readonly (readonly Law[])[] =>
  orders.shares.map(({ exchange: { requestSpec, protocol } }) =>
    laws.filter((law) => requestSpec.operation !== null && concerns(law, requestSpec.operation, protocol)),
  );

const bodies = requests.map(bodyOf);

/** One request of the mix; its answer is judged by these laws. */
export function trafficJudgedBy(laws: readonly Law[]): () => void {
  const lawsOf = lawsByShare(laws);
  return () => askNext(lawsOf);
}

/** Short of processor time, k6 wakes up late from a short sleep, too, and what was slow isn't the platform's fault. */
function isStarved(sentAt_ms: number): boolean {
  const before_ms = Date.now();
  if (before_ms - sentAt_ms < 250) return false;
  sleep(0.01);
  return Date.now() - before_ms > 100;
}

function askNext(lawsOf: readonly (readonly Law[])[]): void {
  const sentAt_ms = Date.now();
  const elapsed_s = Math.max(0, (sentAt_ms - exec.scenario.startTime) / 1000);
  const phase = phaseAt(elapsed_s);
  const nth = exec.scenario.iterationInTest;
  const share = orders.order[nth % orders.order.length] ?? 0;
  const of = orders.shares[share];
  const request = requests[share];
  const at = orders.phases[phase];
  if (!of || !request || !at) throw new Error(`no share ${share} or no phase ${phase}`);
  const response = http.request(
    request.method,
    request.url,
    bodies[share] ?? null,
    paramsOf(request, of.exchange.requestSpec.operation ?? "", orders.deadline_ms),
  );
  const latency_ms = response.timings.duration;
  const isJudged = chanceOf(orders.seed, nth) < at.judged;
  const { protocol } = of.exchange;
  const isByStatus = !isJudged && protocol.kind === "http";
  const faultCode = faultCodeOf(response);
  const answer = faultCode === 0 ? readAs(response, isJudged, isByStatus) : null;
  const as = { ...of.exchange, protocol: isByStatus ? { ...protocol, forms: null } : protocol };
  const exchange: Exchange = { ...as, number: nth, answer, fault: null, sentAt_ms, latency_ms };
  const outcome = answer ? classOf(exchange) : faultCode === timeoutCode ? "timeout" : "failed";
  const broken =
    isJudged && answer && outcome !== "failed" ? [...brokenIdsOf(exchange, lawsOf[share] ?? [])].sort() : null;
  log([
    nth,
    phase,
    share,
    loadOutcomes.indexOf(outcome),
    Math.round(latency_ms * 1000),
    broken ? 1 : 0,
    broken ?? [],
    // A server error is one at any pace.
    (answer === null || outcome !== "failed") && isStarved(sentAt_ms) ? 1 : 0,
    Math.floor(elapsed_s),
  ]);
  if (chanceOf(orders.seed + 1, nth) >= at.shown && !isWanted(broken ?? [])) return;
  const given = answerOf(response);
  const kept = orders.kept ? redactedAnswer(given, (redact ??= redactorFor(keys))) : given;
  const redacted = kept === given ? {} : ({ isRedacted: true } as const);
  log({ nth, share, sentAt_ms, latency_ms, broken, answer: kept, ...redacted });
}

/** Exact numbers and duplicate members are found only for laws; JSON that counts by its status isn't read. */
function readAs(response: RefinedResponse<"binary">, isJudged: boolean, isByStatus: boolean): Answer {
  const headers = Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const head = { status: response.status, headers };
  if (isByStatus && mediaTypeOf(head) === "application/json")
    return { ...head, text: "{}", json: roughly("{}"), hasBom: false, invalidUtf8: false };
  const read = textIn(new Uint8Array(bodyBytes(response)));
  return { ...head, ...read, json: isJudged ? parseJson(read.text) : roughly(read.text) };
}

function roughly(text: string): Answer["json"] {
  try {
    return { value: JSON.parse(text) as NonNullable<Answer["json"]>["value"], literals: new Map(), duplicates: [] };
  } catch {
    return null;
  }
}
