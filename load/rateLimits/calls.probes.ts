// Probes of limits on JSON-RPC and wallet calls, and of how refusals read (§7.3, §8)

import { onRpc, unjudgedHealth } from "../../contracts/jsonrpc/probeRequests.ts";
import { asUndescribed, seenAs } from "../../contracts/shared/describeCalls.ts";
import { describeEnvelope } from "../../contracts/shared/describeEnvelope.ts";
import { health } from "../../contracts/shared/jsonRpcRequests.ts";
import { usageRequest } from "../../contracts/shared/requestSpecs.ts";
import type { Json } from "../../harness/core/json.ts";
import { notSeen } from "../../harness/core/outcomes.ts";
import { noConsent } from "../../harness/core/reason.ts";
import { type AnsweredExchange, headerNames, isAnswered } from "../../harness/model/fingerprint.ts";
import {
  experiment,
  observeAll,
  observeEach,
  type Probe,
  type ProbeContext,
  type Seen,
} from "../../harness/model/probe.ts";
import { isRateRefusal, rpcErrorOf } from "../../harness/transport/answers.ts";
import { headerOf } from "../../harness/transport/exchange.ts";
import { countOutcomes } from "./samples.ts";
import { plannedTrials, type Trial, trialOfRequests, tryTrials } from "./trials.ts";

const owners = usageRequest({ as: "owner" });

const refusedIn = ({ all }: Pick<ProbeContext, "all">, api: string): readonly AnsweredExchange[] =>
  all.filter(isAnswered).filter((one) => one.requestSpec.api === api && isRateRefusal(one));

const isOfRates = (name: string): boolean => /rate-?limit|retry-after/i.test(name);

/** Header names and the stated limit, without the remaining count, which changes from request to request. */
function rateHeaders(refusal: AnsweredExchange): Json {
  const named = headerNames(refusal.answer).filter(isOfRates);
  const stated = ["x-ratelimit-limit", "ratelimit-policy"].flatMap((name) => {
    const value = headerOf(refusal.answer, name);
    return value === undefined ? [] : [`${name}: ${value}`];
  });
  return named.length ? [...named, ...stated] : "none";
}

/** Retry-After is a number of seconds or a date. */
const formOf = (value: string | undefined): string =>
  value === undefined ? "none" : /^\d+$/.test(value) ? `${value} s` : "a date";

function retryAfter(context: ProbeContext): readonly Seen[] {
  const refusals = (["admin", "api", "rpc"] as const).flatMap((api) =>
    refusedIn(context, api).filter(({ answer }) => answer.status === 429),
  );
  if (refusals.length === 0) throw notSeen("no request was refused with a 429");
  const seen = new Map<string, Seen>();
  for (const refusal of refusals) {
    const { api } = refusal.requestSpec;
    const summary = formOf(headerOf(refusal.answer, "retry-after"));
    seen.set(
      `${api} ${summary}`,
      seenAs(api, { ...refusal, requestSpec: asUndescribed(refusal.requestSpec) }, summary),
    );
  }
  return [...seen.values()];
}

function refusalsByTable(context: ProbeContext): readonly Seen[] {
  const seen = new Map<string, Seen>();
  for (const refusal of refusedIn(context, "rpc")) {
    const { errorTable } = refusal.protocol;
    if (errorTable !== null)
      seen.set(`${errorTable} ${describeEnvelope(refusal)}`, seenAs(errorTable, refusal, describeEnvelope(refusal)));
  }
  if (seen.size === 0) throw notSeen("no call was refused for its rate");
  return [...seen.values()];
}

function wallets(context: ProbeContext): readonly Seen[] {
  const [one] = refusedIn(context, "api");
  if (!one) throw notSeen("no wallet request was refused for its rate");
  return [seenAs("refused for its rate", { ...one, requestSpec: asUndescribed(one.requestSpec) }, one.answer.status)];
}

/** A plan that allows so few calls is exceeded by twice as many. */
const fewCalls = 3;

async function quotas({ project, atOnce }: ProbeContext): Promise<readonly Seen[]> {
  const limits = {
    "a quota that is spent": { perSecond: 50, burst: 50, quota: fewCalls },
    "too many per second": { perSecond: fewCalls, burst: fewCalls },
  };
  const seen: Seen[] = [];
  for (const [name, general] of Object.entries(limits)) {
    const { asker } = await project({ plan: { general } });
    const requestSpecs = Array.from({ length: 2 * fewCalls }, (_, nth) =>
      asUndescribed(health(undefined, { as: asker, id: nth })),
    );
    const refused = (await atOnce(requestSpecs)).find((one) => rpcErrorOf(one) !== null || one.answer.status === 429);
    if (!refused) throw notSeen(`${name}: nothing was refused`);
    seen.push(seenAs(name, refused, describeEnvelope(refused)));
  }
  return seen;
}

/** Calls per second, each rate for `stepLasts_s`; the ramp ends at the first rate that is refused. */
const ramp = [5, 10, 20, 50];
const stepLasts_s = 3;

const rampId = (perSecond: number): string => `OBS-RATE-GEN ${perSecond}`;

const stepOf = (perSecond: number): Trial => ({
  name: `${perSecond} per second`,
  lasts_ms: stepLasts_s * 1_000,
  askers: () => Promise.resolve(["owner"]),
  requests: () =>
    Array.from({ length: perSecond * stepLasts_s }, (_, nth) =>
      trialOfRequests(1, unjudgedHealth(), (nth * 1_000) / perSecond),
    ).flat(),
});

async function generalLimit(context: ProbeContext): Promise<readonly Seen[]> {
  for (const perSecond of ramp) {
    const [samples = []] = (await tryTrials(context, rampId(perSecond), [stepOf(perSecond)])).values();
    const unserved = samples.filter(({ outcome }) => outcome !== "served");
    const refused = unserved.map(({ exchange }) => exchange).find(isAnswered);
    const seenBy = (answered: AnsweredExchange, summary: Json): readonly Seen[] => [
      seenAs("the first rate that is refused", answered, summary),
    ];
    if (refused)
      return seenBy(refused, { perSecond, refused: describeEnvelope(refused), headers: rateHeaders(refused) });
    const last = samples.map(({ exchange }) => exchange).findLast(isAnswered);
    if (perSecond === ramp.at(-1) && last)
      return seenBy(last, `none up to ${perSecond} per second: ${countOutcomes(samples, "served")} served`);
  }
  throw notSeen("nothing was answered");
}

export const probes: readonly Probe[] = [
  observeAll(["usage", "wallet", "compression"], "OBS-RATE-RA", [], retryAfter),
  observeEach("usage", "OBS-RATE-HDR", [owners], (answered) =>
    answered.requestSpec.operation === "getProjectUsage" && [200, 429].includes(answered.answer.status)
      ? { case: String(answered.answer.status), summary: rateHeaders(answered) }
      : undefined,
  ),
  observeAll(onRpc, "OBS-RATE-FAMILY", [], refusalsByTable),
  observeAll("wallet", "OBS-RATE-WAL", [], wallets, { isPaidFor: true }),
  experiment("compression", "OBS-RATE-QUOTA", [health()], quotas, { control: { reads: 4 * fewCalls } }),
  experiment("compression", "OBS-RATE-GEN", [unjudgedHealth()], generalLimit, {
    unless: ({ allow }) => (allow.includes("load") ? null : noConsent("load")),
    asksOnce: true,
    schedules: ramp.map((perSecond) => plannedTrials(rampId(perSecond), [stepOf(perSecond)])),
  }),
];
