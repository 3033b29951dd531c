// Waits and rates that answers state in their headers: Retry-After, X-RateLimit-* and the drafts of RateLimit.
import { type Answer, headerOf } from "./exchange.ts";

type Headed = Pick<Answer, "headers">;

/** Longer windows belong to quotas, which a pace doesn't keep. */
const longestWindow_s = 60;

/** The platform's time, as Unix time in ms: its clock may differ from ours. */
const itsNow_ms = (answer: Headed, now_ms: number): number => Date.parse(headerOf(answer, "date") ?? "") || now_ms;

/** Seconds, or a date (RFC 9110 §10.2.3); 0 where no wait is asked for. */
export function retryAfter_ms(answer: Headed, now_ms: number): number {
  const text = headerOf(answer, "retry-after")?.trim() ?? "";
  const asked_ms = text.endsWith("GMT") ? Date.parse(text) - itsNow_ms(answer, now_ms) : Number(text) * 1000;
  return asked_ms > 0 ? asked_ms : 0;
}

/** The first number of `X-RateLimit-Remaining`, `RateLimit-Remaining`, or `remaining=` in `RateLimit`. */
function numberOf(answer: Headed, kind: "remaining" | "reset"): number {
  const own = ["x-ratelimit-", "x-rate-limit-", "ratelimit-"].flatMap(
    (prefix) => headerOf(answer, prefix + kind) ?? [],
  );
  const member = new RegExp(`\\b${kind}=(\\d+)`).exec(headerOf(answer, "ratelimit") ?? "")?.[1];
  return Number.parseFloat(own[0] ?? member ?? "");
}

/** Until a reset that is given in seconds, or as Unix time in seconds or ms. */
function until_ms(reset: number, its_ms: number): number {
  if (reset > 1e12) return reset - its_ms;
  return reset > 1e9 ? reset * 1000 - its_ms : reset * 1000;
}

export interface Stated {
  /** How long to rest since nothing is left of a limit. */
  readonly rest_ms: number;
  /** The lowest rate, and its window; infinite where none is stated. */
  readonly perSecond: number;
  readonly window_s: number;
}

export function statedIn(answer: Headed, now_ms: number): Stated {
  const resets = (headerOf(answer, "ratelimit") ?? "").split(",").flatMap((item) => {
    const spent = /\br=0\b/.test(item) && /\bt=(\d+)/.exec(item)?.[1];
    return spent ? [Number(spent) * 1000] : [];
  });
  if (numberOf(answer, "remaining") === 0) resets.push(until_ms(numberOf(answer, "reset"), itsNow_ms(answer, now_ms)));
  const policies = ["ratelimit-policy", "ratelimit-limit", "x-ratelimit-limit"].flatMap(
    (name) => headerOf(answer, name)?.split(",") ?? [],
  );
  const rates = policies.flatMap((policy) => {
    const most = Number(/\bq=(\d+)/.exec(policy)?.[1] ?? Number.parseFloat(policy));
    const window_s = Number(/\bw=(\d+)/.exec(policy)?.[1]);
    return most > 0 && window_s > 0 && window_s <= longestWindow_s ? [{ perSecond: most / window_s, window_s }] : [];
  });
  const none = { perSecond: Number.POSITIVE_INFINITY, window_s: Number.POSITIVE_INFINITY };
  const lowest = rates.reduce((least, one) => (one.perSecond < least.perSecond ? one : least), none);
  return { rest_ms: Math.max(0, ...resets.filter((reset_ms) => reset_ms > 0)), ...lowest };
}
