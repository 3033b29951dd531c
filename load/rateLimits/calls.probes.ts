// What is left open about limits of JSON-RPC and wallet calls, and about how a refusal reads? (§7.3, §8)

import { everywhere, openHealth, said } from "../../contracts/jsonrpc/describeEnvelope.ts";
import { openly, seenAs } from "../../contracts/shared/describeCalls.ts";
import { health } from "../../contracts/shared/jsonRpcRequests.ts";
import { usage } from "../../contracts/shared/stimuli.ts";
import type { Json } from "../../harness/core/json.ts";
import { Withheld } from "../../harness/model/check.ts";
import { type Answered, headerNames } from "../../harness/model/fingerprint.ts";
import {
  beholding,
  experiment,
  type Probe,
  type ProbeBench,
  type Reading,
  readingOf,
  type Seen,
  watching,
} from "../../harness/model/probe.ts";
import { type Exchange, headerOf } from "../../harness/transport/exchange.ts";
import { errorFamilyOf, isRateRefusal, rpcErrorOf } from "../../harness/transport/jsonRpc.ts";
import { count } from "./samples.ts";
import { type Trial, times, tried } from "./trials.ts";

const owners = usage({ as: "owner" });

const answered = (all: readonly Exchange[]): readonly Answered[] =>
  all.filter((exchange): exchange is Answered => exchange.answer !== null);
const refusedIn = ({ all }: Pick<ProbeBench, "all">, surface: string): readonly Answered[] =>
  answered(all).filter((one) => one.stimulus.surface === surface && isRateRefusal(one));

const isOfRates = (name: string): boolean => /rate-?limit|retry-after/i.test(name);

/** Names, and what the limit is said to be; what is left changes by itself. */
function rateHeaders(one: Answered): Json {
  const named = headerNames(one.answer).filter(isOfRates);
  const stated = ["x-ratelimit-limit", "ratelimit-policy"].flatMap((name) => {
    const value = headerOf(one.answer, name);
    return value === undefined ? [] : [`${name}: ${value}`];
  });
  return named.length ? [...named, ...stated] : "none";
}

/** One of each way to write it. */
const formOf = (value: string | undefined): string =>
  value === undefined ? "none" : /^\d+$/.test(value) ? `${value} s` : "a date";

function retryAfter(bench: ProbeBench): Reading {
  const refusals = (["admin", "api", "rpc"] as const).flatMap((surface) =>
    refusedIn(bench, surface).filter(({ answer }) => answer.status === 429),
  );
  if (refusals.length === 0) throw new Withheld("nothing was refused with a 429 while we looked");
  const seen = new Map<string, Seen>();
  for (const one of refusals) {
    const tells = formOf(headerOf(one.answer, "retry-after"));
    seen.set(
      `${one.stimulus.surface} ${tells}`,
      seenAs(one.stimulus.surface, { ...one, stimulus: openly(one.stimulus) }, tells),
    );
  }
  return readingOf([...seen.values()]);
}

/** Code and status by family of methods. */
function families(bench: ProbeBench): Reading {
  const seen = new Map<string, Seen>();
  for (const one of refusedIn(bench, "rpc")) {
    const family = errorFamilyOf(one.stimulus.operation);
    if (family !== undefined) seen.set(`${family} ${said(one)}`, seenAs(family, one, said(one)));
  }
  if (seen.size === 0) throw new Withheld("no call was refused for its rate while we looked");
  return readingOf([...seen.values()]);
}

function wallets(bench: ProbeBench): Reading {
  const refusals = refusedIn(bench, "api");
  if (refusals.length === 0) throw new Withheld("no wallet request was refused for its rate while we looked");
  return readingOf(
    refusals
      .slice(0, 1)
      .map((one) => seenAs("refused for its rate", { ...one, stimulus: openly(one.stimulus) }, one.answer.status)),
  );
}

/** Both are exceeded by a few calls of a plan that allows fewer. */
const fewCalls = 3;

async function quotas({ project, atOnce }: ProbeBench): Promise<Reading> {
  const limits = {
    "a quota that is spent": { perSecond: 50, burst: 50, quota: fewCalls },
    "too many per second": { perSecond: fewCalls, burst: fewCalls },
  };
  const seen: Seen[] = [];
  for (const [name, general] of Object.entries(limits)) {
    const { asker } = await project({ plan: { general } });
    const stimuli = Array.from({ length: 2 * fewCalls }, (_, nth) => openly(health(undefined, { as: asker, id: nth })));
    const refused = (await atOnce(stimuli)).filter((one) => rpcErrorOf(one) !== null || one.answer.status === 429);
    const [first] = refused;
    seen.push(
      first ? seenAs(name, first, said(first)) : await Promise.reject(new Withheld(`${name}: nothing was refused`)),
    );
  }
  return readingOf(seen);
}

/** Calls per second, for so long each; no further than the first that refuses some. */
const ramp = [5, 10, 20, 50];
const stepLasts_s = 3;

const stepOf = (perSecond: number): ReturnType<typeof times> =>
  Array.from({ length: perSecond * stepLasts_s }, (_, nth) => times(1, openHealth(), (nth * 1_000) / perSecond)).flat();

async function generalLimit(bench: ProbeBench): Promise<Reading> {
  for (const perSecond of ramp) {
    const step: Trial = {
      name: `${perSecond} per second`,
      lasts_ms: stepLasts_s * 1_000,
      askers: () => Promise.resolve(["owner"]),
      requests: () => stepOf(perSecond),
    };
    const [struck = []] = (await tried(bench, `OBS-RATE-GEN ${perSecond}`, [step])).values();
    const [refused] = answered(struck.filter(({ outcome }) => outcome !== "served").map(({ exchange }) => exchange));
    if (refused)
      return readingOf([
        seenAs("the first rate that is refused", refused, {
          perSecond,
          refused: said(refused),
          headers: rateHeaders(refused),
        }),
      ]);
    const [last] = answered(struck.map(({ exchange }) => exchange)).slice(-1);
    if (perSecond === ramp.at(-1) && last)
      return readingOf([
        seenAs(
          "the first rate that is refused",
          last,
          `none up to ${perSecond} per second: ${count(struck, "served")} served`,
        ),
      ]);
  }
  throw new Withheld("nothing was answered");
}

const rampVolleys = [0, 1].flatMap((look) =>
  ramp.map((perSecond) => ({
    name: `OBS-RATE-GEN ${perSecond}, look ${look}`,
    calls: stepOf(perSecond).map(({ stimulus }) => stimulus.operation),
    seconds: 2 * stepLasts_s,
  })),
);

export const probes: readonly Probe[] = [
  beholding("OBS-RATE-RA", [], retryAfter, { part: ["usage", "wallet", "compression"] }),
  watching("OBS-RATE-HDR", [owners], (one) =>
    one.stimulus.operation === "getProjectUsage" && [200, 429].includes(one.answer.status)
      ? { case: String(one.answer.status), tells: rateHeaders(one) }
      : undefined,
  ),
  beholding("OBS-RATE-FAMILY", [], families, { part: everywhere.filter((part) => part !== "usage") }),
  beholding("OBS-RATE-WAL", [], wallets, { part: "wallet", isPaidFor: true }),
  experiment("OBS-RATE-QUOTA", [health()], quotas, { part: "compression", control: { reads: 4 * fewCalls } }),
  experiment("OBS-RATE-GEN", [openHealth()], generalLimit, {
    part: "compression",
    unless: ({ allow }) => (allow.includes("load") ? null : "off by default: the target doesn't allow `load`"),
    volleys: rampVolleys,
  }),
];
