// The forecast of a run: its seconds are about those that the run takes, wherever the platform is.
import { expect, test } from "@playwright/test";
import { wholeSuite } from "../../cli/suite.ts";
import { type SteppedClock, steppedClock } from "../../harness/core/clock.ts";
import { secondsOf } from "../../harness/engine/forecast.ts";
import type { Target } from "../../harness/targets/target.ts";
import { type Between, outcomeOf } from "../support/probeSpecs.ts";
import { payingVendor } from "../support/vendorsInProcess.ts";

/** Each answer comes so much later than its request was sent. */
const after =
  (latency_ms: number, clock: () => SteppedClock): Between =>
  (wire) =>
  async (request, signal) => {
    const { sleep, during } = clock();
    await sleep(latency_ms / 2);
    const answer = await during(() => wire(request, signal));
    await sleep(latency_ms / 2);
    return answer;
  };

const asVendor = (target: Target): Target =>
  payingVendor({
    ...{ offers: target.offers, perSecond: 25, apiPerSecond: { admin: 4.9 }, quiet: true },
    allow: ["sendBundle", "paidProbes"],
  })(target);
const gate =
  (...offers: Target["offers"]) =>
  (target: Target): Target =>
    payingVendor({ offers, perSecond: 2, quiet: true })(target);

/**
 * There a request that tells callers apart falls among calls that are counted, so that these are measured once more,
 * which takes 12 s of 81.
 */
const measuredTwice = "a vendor 40 ms away";

for (const [title, target, latency_ms, observe, tag] of [
  ["the reference, nearby", (given: Target) => given, 1, undefined, "@slow"],
  ["the reference, 150 ms away", (given: Target) => given, 150, undefined, "@slow"],
  ["a vendor nearby", asVendor, 1, undefined, "@slow"],
  [measuredTwice, asVendor, 40, undefined, "@slow"],
  ["a vendor 150 ms away", asVendor, 150, undefined, "@slow"],
  [
    "a vendor of wallets at two requests a second, without what is only observed",
    gate("usage", "wallet"),
    40,
    [],
    null,
  ],
  [
    "a vendor at two requests a second, without what is only observed",
    gate("usage", "wallet", "tokenAccounts", "compression"),
    40,
    [],
    "@slow",
  ],
] as const)
  test(`the seconds of a run are foreseen within a fifth: ${title}`, { tag: tag ?? [] }, async () => {
    let clock = steppedClock(0);
    const judged: Target[] = [];
    const { engine, took_s } = await outcomeOf({
      suite: wholeSuite,
      target: (given) => {
        judged.push(target(given));
        return judged[0] ?? given;
      },
      ...(observe ? { observe } : {}),
      clockFrom: (start_ms) => {
        clock = steppedClock(start_ms);
        return clock;
      },
      between: after(latency_ms, () => clock),
    });
    const seconds = await Promise.all(
      judged.map((one) => secondsOf([...engine.plan.checks, ...engine.plan.probes], one, { latency_ms })),
    );
    const least_s = title === measuredTwice ? took_s - 12 : took_s;
    expect(seconds.map((one) => one > 0.8 * least_s && one < 1.2 * took_s)).toEqual([true]);
  });
