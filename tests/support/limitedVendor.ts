// Vendors with a low general limit, judged in virtual time in which requests of several limit scopes overlap.
import { contractSuite } from "../../contracts/suite.ts";
import { type SteppedClock, steppedClock } from "../../harness/core/clock.ts";
import { openEngine } from "../../harness/engine/engine.ts";

import type { Target } from "../../harness/targets/target.ts";
import { isRateRefusal } from "../../harness/transport/answers.ts";
import type { Wire, WireAnswer, WireRequest } from "../../harness/transport/wire.ts";
import { inProcess } from "../../proof/inProcess.ts";
import type { OfTarget, Outcome, Trial } from "./probeSpecs.ts";
import { answered, enveloped } from "./vendorsInProcess.ts";

export interface GeneralLimit {
  readonly perSecond: number;
  /** What is counted together. */
  readonly per: "project" | "api" | "key" | "address";
  /** A bucket of one token, windows at set times, or a log that counts what it refuses. */
  readonly by: "bucket" | "windows" | "log";
  readonly headers?: "Retry-After" | "X-RateLimit" | "RateLimit";
  /** One way, of which requests arrive unevenly. */
  readonly latency_ms?: number;
}

const apiOf = ({ url }: WireRequest): string => {
  const { pathname } = new URL(url);
  return pathname.startsWith("/v1/wallet") ? "api" : pathname.startsWith("/v0/admin") ? "admin" : "rpc";
};
const keyOf = ({ url, headers }: WireRequest): string | null =>
  new URL(url).searchParams.get("api-key") ?? headers.find(([name]) => name.toLowerCase() === "x-api-key")?.[1] ?? null;

/** Whether it is one call with a number, rather than a batch or what isn't JSON. */
function isCall(body: string): boolean {
  try {
    return typeof (JSON.parse(body) as { readonly id?: unknown }).id === "number";
  } catch {
    return false;
  }
}

/** How a request beyond the limit is answered. */
function refusal(request: WireRequest, headers: WireAnswer["headers"]): WireAnswer {
  const { body = "" } = request;
  const bare =
    apiOf(request) === "api" || !isCall(body)
      ? answered(429, { statusCode: 429, message: "ThrottlerException: Too Many Requests", error: "Too Many Requests" })
      : enveloped(request, {
          error: body.includes("getTokenAccounts")
            ? { code: -32029, message: "Rate limit exceeded. Please try again later." }
            : { code: -32005, message: "Too many requests" },
        });
  return { ...bare, headers: [...bare.headers, ...headers] };
}

/** One way, uneven, but the same in each run; in ms. */
const latencyOf = (nth: number, usual_ms = 20): number => usual_ms * (0.5 + ((nth * 7) % 10) / 10);

/** Whether a request is within a limit, and when the next would be, in ms. */
interface Admission {
  readonly isIn: boolean;
  readonly wait_ms: number;
}

function limiterBy({ perSecond, by }: GeneralLimit) {
  const states = new Map<string, { at_ms: number[]; tokens: number; seen_ms: number }>();
  return (name: string, now_ms: number): Admission => {
    const state = states.get(name) ?? { at_ms: [], tokens: 1, seen_ms: now_ms };
    states.set(name, state);
    if (by === "bucket") {
      state.tokens = Math.min(1, state.tokens + ((now_ms - state.seen_ms) * perSecond) / 1000);
      state.seen_ms = now_ms;
      const isIn = state.tokens > 1 - 1e-6;
      if (isIn) state.tokens -= 1;
      return { isIn, wait_ms: (Math.max(0, 1 - state.tokens) * 1000) / perSecond };
    }
    const from_ms = by === "windows" ? Math.floor(now_ms / 1000) * 1000 : now_ms - 999.999;
    state.at_ms = state.at_ms.filter((at_ms) => at_ms >= from_ms);
    const isIn = state.at_ms.length < perSecond;
    if (isIn || by === "log") state.at_ms.push(now_ms);
    return { isIn, wait_ms: by === "windows" ? from_ms + 1000 - now_ms : 1000 };
  };
}

function headersOf({ perSecond, headers }: GeneralLimit, { isIn, wait_ms }: Admission): WireAnswer["headers"] {
  const wait_s = String(Math.ceil(wait_ms / 1000));
  const left = isIn && wait_ms === 0 ? "1" : "0";
  if (headers === "Retry-After") return isIn ? [] : [["retry-after", wait_s]];
  if (headers === "X-RateLimit")
    return [
      ["x-ratelimit-limit", String(perSecond)],
      ["x-ratelimit-remaining", left],
      ["x-ratelimit-reset", wait_s],
    ];
  if (headers === "RateLimit")
    return [
      ["ratelimit-policy", `"default";q=${perSecond};w=1`],
      ["ratelimit", `"default";r=${left};t=${wait_s}`],
    ];
  return [];
}

/** A trial on such a vendor: the limit governs all but usage and sendBundle, which have limits of their own. */
export function limited(
  limit: GeneralLimit,
  asVendor: (target: Target) => Target,
): { readonly [Of in "between" | "clockFrom" | "target"]-?: NonNullable<Trial[Of]> } {
  let [clock, target]: [SteppedClock | undefined, Target | undefined] = [undefined, undefined];
  const projectOf = (key: string): string | undefined =>
    [...(target?.keys.values() ?? [])].find(({ secret }) => secret.open() === key)?.projectName;
  const admission = limiterBy(limit);
  let arrived = 0;
  return {
    clockFrom: (start_ms) => (clock = steppedClock(start_ms)),
    target: (honest) => (target = asVendor(honest)),
    between: (wire) => async (request, signal) => {
      if (!clock) throw new Error("no clock");
      const { during, now_ms, sleep } = clock;
      await sleep(latencyOf((arrived += 1), limit.latency_ms));
      const key = keyOf(request) ?? "";
      const project = projectOf(key);
      const isApart = apiOf(request) === "admin" || request.body?.includes('"sendBundle"');
      if (isApart || !project) return during(() => wire(request, signal));
      const scopes = { project, api: `${project} ${apiOf(request)}`, key, address: "all" };
      const admitted = admission(scopes[limit.per], now_ms());
      const headers = headersOf(limit, admitted);
      if (!admitted.isIn) return refusal(request, headers);
      const answer = await during(() => wire(request, signal));
      return { ...answer, headers: [...answer.headers, ...headers] };
    },
  };
}

export const rateRefusalsIn = (exchanges: Outcome["exchanges"]): Outcome["exchanges"] =>
  exchanges.filter(isRateRefusal);

/** Two runs on the same projects, the second one later; what each found. */
export async function twoAtOnce(apart_ms: number, asVendor: OfTarget) {
  let clock: SteppedClock | undefined;
  const options = inProcess(contractSuite, undefined, { clockFrom: (start_ms) => (clock = steppedClock(start_ms)) });
  const { during, sleep } = clock ?? steppedClock(0);
  const target = asVendor(options.target);
  let sent = 0;
  const wire: Wire = async (request, signal) => {
    await sleep(latencyOf((sent += 1)));
    return during(() => options.wire(request, signal));
  };
  const run = async (after_ms: number) => {
    await sleep(after_ms);
    const used: string[] = [];
    const engine = openEngine({ ...options, target, wire, observe: [] });
    engine.events.on((event) => {
      if (event.event === "usedByOthers") used.push(...event.projects);
    });
    const verdicts = await engine.run();
    return { used, broken: verdicts.filter(({ verdict }) => verdict === "broken").map(({ id }) => id) };
  };
  return Promise.all([run(0), run(apart_ms)]);
}
