// k6 asks a mix at set rates, and judges what comes back by all laws.

import { b64decode } from "k6/encoding";
import exec from "k6/execution";
import http from "k6/http";
import { laws } from "../../contracts/generated/laws.ts";
import { type Answer, type Exchange, suspicion } from "../../harness/exchange.ts";
import { parseJson } from "../../harness/json.ts";
import { type LoadOutcome, loadOutcomes } from "../../harness/load.ts";
import { isRateRefusal, isServed } from "../../harness/rpc.ts";
import { chanceOf } from "./chance.ts";
import type { K6Answer, TrafficOrders, TrafficRecord, TrafficShown } from "./orders.ts";
import { answerOf, bodyOf, paramsOf } from "./sending.ts";

export { handleSummary } from "./summary.ts";

declare const orders: TrafficOrders;

/** Virtual users that wait for answers: k6 makes more where answers are slow, up to a bound that memory allows. */
const usersFor = (perSecond: number): { readonly preAllocatedVUs: number; readonly maxVUs: number } => {
  const preAllocatedVUs = Math.min(150, Math.max(20, Math.ceil(perSecond / 4)));
  return { preAllocatedVUs, maxVUs: 2 * preAllocatedVUs };
};

export const options = {
  scenarios: Object.fromEntries(
    orders.phases.map(({ startAfter_s, seconds, perSecond }, nth) => [
      String(nth),
      {
        executor: "constant-arrival-rate",
        startTime: `${Math.round(startAfter_s * 1000)}ms`,
        duration: `${Math.round(seconds * 1000)}ms`,
        // k6 takes whole numbers only.
        rate: Math.max(1, Math.round(perSecond * 60)),
        timeUnit: "60s",
        gracefulStop: `${orders.deadline_ms}ms`,
        ...usersFor(perSecond),
      },
    ]),
  ),
};

/** This virtual user has handed back enough answers that break the same. */
const mostShownOfOne = 2;
const shownOf = new Map<string, number>();

const bodies = orders.shares.map(({ request }) => bodyOf(request));

export default function traffic(): void {
  const phase = Number(exec.scenario.name);
  const nth = exec.scenario.iterationInTest;
  const share = orders.order[nth % orders.order.length] ?? 0;
  const of = orders.shares[share];
  const at = orders.phases[phase];
  if (!of || !at) throw new Error(`no share ${share} or no phase ${phase}`);
  const sentAt_ms = Date.now();
  const response = http.request(of.request.method, of.request.url, bodies[share] ?? null, paramsOf(of.request, of.exchange.stimulus.operation ?? "", orders.deadline_ms));
  const latency_ms = response.timings.duration;
  const answer = answerOf(response);
  const isJudged = chanceOf(orders.seed, nth) < at.judged;
  const exchange: Exchange = { ...of.exchange, number: nth, answer: readAs(answer, isJudged), fault: null, sentAt_ms, latency_ms };
  const outcome = answer.errorCode === 0 ? outcomeOf(exchange) : "failed";
  const broken = isJudged && outcome !== "failed" ? brokenBy(exchange) : null;
  const record: TrafficRecord = [phase, share, loadOutcomes.indexOf(outcome), Math.round(latency_ms * 1000), broken ? 1 : 0, broken ?? []];
  console.log(JSON.stringify(record));
  if (chanceOf(orders.seed + 1, nth) >= at.shown && !isNew(broken ?? [])) return;
  const shown: TrafficShown = { share, sentAt_ms, latency_ms, broken, answer };
  console.log(JSON.stringify(shown));
}

/** Exact numbers and what stands twice are looked for only where laws will ask. */
function readAs({ status, headers, body_base64: body, errorCode }: K6Answer, isJudged: boolean): Answer | null {
  if (errorCode !== 0) return null;
  const list = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const { text, invalidUtf8 } = decoded(new Uint8Array(b64decode(body)));
  return { status, headers: list, text, json: isJudged ? parseJson(text) : roughly(text), hasBom: text.startsWith("\ufeff"), invalidUtf8 };
}

function roughly(text: string): Answer["json"] {
  try {
    return { value: JSON.parse(text) as NonNullable<Answer["json"]>["value"], literals: new Map(), duplicates: [] };
  } catch {
    return null;
  }
}

function decoded(bytes: Uint8Array): { readonly text: string; readonly invalidUtf8: boolean } {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes), invalidUtf8: false };
  } catch {
    return { text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), invalidUtf8: true };
  }
}

function outcomeOf(exchange: Exchange): LoadOutcome {
  if (isRateRefusal(exchange)) return "limited";
  if (suspicion(exchange) !== null) return "failed";
  return isServed(exchange) ? "served" : "refused";
}

function brokenBy(exchange: Exchange): readonly string[] {
  const broken = new Set<string>();
  for (const law of laws) for (const [id, { outcome }] of law.judge(exchange)) if (outcome === "broken") broken.add(id);
  return [...broken].sort();
}

/** Whether any of these was handed back less often than is enough. */
function isNew(broken: readonly string[]): boolean {
  const fresh = broken.filter((id) => (shownOf.get(id) ?? 0) < mostShownOfOne);
  for (const id of fresh) shownOf.set(id, (shownOf.get(id) ?? 0) + 1);
  return fresh.length > 0;
}
