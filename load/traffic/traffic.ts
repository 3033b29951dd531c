// Traffic of a mix at set rates by k6, counted, with a sample of whole answers
import { Inconclusive } from "../../harness/core/outcomes.ts";
import type { StopBounds, Target } from "../../harness/target/target.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { render } from "../../harness/transport/rendering.ts";
import { WireFault } from "../../harness/transport/wireFault.ts";
import { firstOfEach } from "../k6/chance.ts";
import { cleaned, withDashboard } from "../k6/dashboard.ts";
import type { K6 } from "../k6/ensure.ts";
import { k6RequestOf, outcomeOf } from "../k6/generator.ts";
import type { TrafficOrders, TrafficPhase, TrafficRecord, TrafficShare, TrafficShown } from "../k6/orders.ts";
import { runK6 } from "../k6/process.ts";
import { type RemoteWrite, remoteWriteIn } from "../k6/remoteWrite.ts";
import { type Phase, requestsOf, secondsOf } from "../shapes/shapes.ts";
import { exchangeOf } from "./exchanges.ts";
import { type Mix, orderOf, type Share } from "./mix.ts";
import { stopsBy, usualStop } from "./stopping.ts";
import { Tally } from "./tally.ts";

export interface TrafficPlan {
  readonly phases: readonly Phase[];
  readonly shares: Mix["shares"];
  readonly seed: number;
  /** What k6 runs; it judges by the laws of one interface. */
  readonly script: URL;
  /** The share of answers that is judged; follows from the rate of each phase by default. */
  readonly judged?: number;
  readonly stop?: StopBounds;
}

export interface ShownExchange {
  readonly exchange: Exchange;
  /** What k6 found broken; null where k6 didn't judge it. */
  readonly broken: readonly string[] | null;
}

export type Traffic = Awaited<ReturnType<typeof drive>>;

export interface Options {
  readonly onProgress?: (tally: Tally) => void;
  /** Called at once when the load has to end early. */
  readonly onStopped?: (reason: string) => void;
  /** The number of the first whole exchange, awaited when k6 has ended; 1 by default. */
  readonly firstNumber?: number | Promise<number>;
  /** Nowhere by default. */
  readonly remoteWrite?: RemoteWrite;
}

/** Below this rate every answer is judged. */
const allBelow_perSecond = 500;
/** Answers judged per second above that rate: each takes some milliseconds of processor time inside k6. */
const judgedAbove_perSecond = 50;
/** Whole answers per load, besides those that broke a requirement. */
const shownOfAll = 120;
/** Whole answers that break one requirement. */
const mostShownOfOne = 3;

const deadline_ms = 10_000;
/** The most that starting and ending k6 takes. */
const slack_ms = 30_000;

/** @throws Inconclusive where k6 failed */
export async function drive(
  k6: K6,
  target: Target,
  plan: TrafficPlan,
  { onProgress = () => {}, onStopped = () => {}, firstNumber = 1, remoteWrite = remoteWriteIn({}) }: Options = {},
) {
  const orders = await ordersFor(target, plan);
  const tally = new Tally(
    plan.shares.map(({ operation }) => operation),
    plan.phases.length,
  );
  const wholeAnswers: TrafficShown[] = [];
  const isWanted = firstOfEach(mostShownOfOne);
  const addWhole = (shown: TrafficShown): void => {
    if (!shown.broken?.length || isWanted(shown.broken)) wholeAnswers.push(shown);
  };
  const stop = stopsBy(plan.stop ?? usualStop, onStopped);
  const timer = setInterval(() => onProgress(tally), 1_000);
  try {
    const { result: summary, page } = await withDashboard((settings) =>
      runK6(k6, {
        script: plan.script,
        orders,
        within_ms: secondsOf(plan.phases) * 1000 + 2 * deadline_ms + slack_ms,
        redact: (text) => remoteWrite.redact(target.redact(text)),
        settings: { ...settings, ...remoteWrite.settings },
        onLoss: (why) => void remoteWrite.failures.push(remoteWrite.redact(why)),
        stop: stop.signal,
        onRecord: (record, at_s) => {
          // What ends after that was given up.
          if (stop.signal.aborted) return;
          if (!Array.isArray(record)) addWhole(record as TrafficShown);
          else {
            tally.add(record as unknown as TrafficRecord);
            stop.add(record as unknown as TrafficRecord, at_s);
          }
        },
      }),
    );
    const first = await firstNumber;
    const shown = await Promise.all(wholeAnswers.map((one, nth) => shownOf(target, plan.shares, one, first + nth)));
    // Null also where secrets can't be removed.
    const dashboard = page === null ? null : cleaned(page, target.redact);
    return { tally, summary, shown, dashboard, stopped: stop.stopped() };
  } finally {
    clearInterval(timer);
  }
}

async function shownOf(
  target: Target,
  shares: readonly Share[],
  { share, sentAt_ms, latency_ms, broken, answer }: TrafficShown,
  number: number,
): Promise<ShownExchange> {
  const of = shares[share];
  if (!of) throw new Inconclusive(`k6 reported the unknown share ${share}`);
  const when = { number, sentAt_ms, latency_ms };
  return { broken, exchange: await exchangeOf(target, of.stimulus, outcomeOf(answer, target.redact), when) };
}

async function ordersFor(target: Target, { phases, shares, seed, judged }: TrafficPlan): Promise<TrafficOrders> {
  const shown = Math.min(1, shownOfAll / requestsOf(phases));
  let startAfter_s = 0;
  const timed = phases.map(({ seconds, perSecond }): TrafficPhase => {
    const phase = { startAfter_s, seconds, perSecond, judged: judged ?? judgedAt(perSecond), shown };
    startAfter_s += seconds;
    return phase;
  });
  return {
    shares: await Promise.all(shares.map((share) => trafficShareOf(target, share))),
    order: orderOf(shares),
    phases: timed,
    seed,
    deadline_ms,
    target: target.name,
  };
}

export const judgedAt = (perSecond: number): number =>
  perSecond < allBelow_perSecond ? 1 : judgedAbove_perSecond / perSecond;

async function trafficShareOf(target: Target, share: Share): Promise<TrafficShare> {
  const [unsent, never] = [new WireFault("other", "not sent"), { number: 0, sentAt_ms: 0, latency_ms: 0 }];
  const { stimulus, protocol, asker, isOwn, sent } = await exchangeOf(target, share.stimulus, unsent, never);
  return { request: k6RequestOf(render(target, share.stimulus)), exchange: { stimulus, protocol, asker, isOwn, sent } };
}
