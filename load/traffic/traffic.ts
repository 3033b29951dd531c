// Traffic of a mix at set rates by k6, counted, with a sample of whole answers

import { generatorFailed } from "../../harness/core/outcomes.ts";
import type { Target } from "../../harness/targets/target.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { render } from "../../harness/transport/rendering.ts";
import { WireFault } from "../../harness/transport/wireFault.ts";
import { cleaned, withDashboard } from "../k6/dashboard.ts";
import type { K6 } from "../k6/ensure.ts";
import { k6RequestOf, wireOutcomeOf } from "../k6/generator.ts";
import { markedTarget } from "../k6/keys.ts";
import type { K6Summary, TrafficLog, TrafficOrders, TrafficShare, TrafficShown } from "../k6/orders.ts";
import { runK6, type Segment, segmentsOf } from "../k6/process.ts";
import { type RemoteWrite, remoteWriteIn } from "../k6/remoteWrite.ts";
import { type Phase, requestsInPhases, secondsOfPhases } from "../shapes/shapes.ts";
import { exchangeOfCall } from "./exchanges.ts";
import type { StopBounds } from "./loadProfile.ts";
import { type Mix, type MixShare, orderOf } from "./mix.ts";
import { endOf, firstShown, firstShownOfEach, type LoadPart, PartReader } from "./parts.ts";
import { stopsBy, usualStop } from "./stopping.ts";
import { TrafficTally } from "./tally.ts";

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
  /** Set where it holds no key any more, and isn't quite what k6 judged. */
  readonly isRedacted?: true;
}

export interface TrafficOptions {
  /** Receives every second what all generators have counted, and what each has sent so far. */
  readonly onProgress?: (soFar: { readonly tally: TrafficTally; readonly parts: () => readonly LoadPart[] }) => void;
  /** Receives whole answers as they come: the first that break each requirement, and the sample. */
  readonly onShown?: (shown: TrafficShown, share: MixShare) => void;
  /** Called at once when the load has to end early. */
  readonly onStopped?: (reason: string) => void;
  /** Ends the load early; its reason says who did. */
  readonly ending?: AbortSignal;
  /** Nowhere by default. */
  readonly remoteWrite?: RemoteWrite;
}

/** Below this rate every answer is judged. */
const allBelow_perSecond = 500;
/** Answers judged per second above that rate: each takes some milliseconds of processor time inside k6. */
const judgedAbove_perSecond = 50;
/** Whole answers per load, besides those that broke a requirement. */
const shownOfAll = 120;
const deadline_ms = 10_000;
/** The most that starting and ending k6 takes. */
const slack_ms = 30_000;

/** From ordering so many generators on this machine to their common start: each makes its virtual users before. */
const leadOf_ms = (of: number): number => 5_000 + 2_000 * of;

/** Which parts of a load this machine sends, and when. */
export interface TrafficSending {
  readonly segments: readonly Segment[];
  /** In Unix time; null to begin at once. */
  readonly startAt_ms: number | null;
  /** As in TrafficOrders. */
  readonly kept?: object | null;
}

/** A load in so many parts, all on this machine. */
export const allHere = (of: number): TrafficSending => ({
  segments: segmentsOf(of),
  startAt_ms: of === 1 ? null : Date.now() + leadOf_ms(of),
});

/** Sends parts of a load, all of which end early where their answers together say so. */
export async function sendTraffic(
  k6: K6,
  target: Target,
  plan: TrafficPlan,
  { segments, startAt_ms, kept = null }: TrafficSending,
  options: TrafficOptions = {},
): Promise<readonly LoadPart[]> {
  const { onProgress = () => {}, onShown = () => {}, onStopped = () => {}, remoteWrite = remoteWriteIn({}) } = options;
  const { phases, shares, script } = plan;
  const [{ of } = { of: 1 }] = segments;
  const orders = await ordersFor(target, plan, { of, startAt_ms, kept });
  const waiting_ms = startAt_ms === null ? 0 : Math.max(0, startAt_ms - Date.now());
  const stop = stopsBy(plan.stop ?? usualStop, onStopped);
  const end = (): void => stop.end(String(options.ending?.reason));
  if (options.ending?.aborted) end();
  options.ending?.addEventListener("abort", end);
  const operations = shares.map(({ operation }) => operation);
  const readers = segments.map((segment) => new PartReader(segment, operations, phases));
  const tally = new TrafficTally(operations, phases);
  const isWanted = firstShownOfEach();
  const unended = {
    startAt_ms,
    summary: null,
    stopped: null,
    failure: "it was killed, or is still running",
    page: null,
  };
  const timer = setInterval(
    () => onProgress({ tally, parts: () => readers.map((reader) => reader.part(unended)) }),
    1_000,
  );
  const sent = async (reader: PartReader): Promise<LoadPart> => {
    const job = {
      script,
      orders,
      stop: stop.signal,
      ...(of === 1 ? {} : { segment: reader.segment }),
      within_ms: waiting_ms + secondsOfPhases(phases) * 1000 + 2 * deadline_ms + slack_ms,
      redact: (text: string) => remoteWrite.redact(target.redact(text)),
      onLoss: (why: string) => void remoteWrite.failures.push(remoteWrite.redact(why)),
      onRecord: (record: unknown, at_s: number) => {
        // What ends after that was given up.
        if (stop.signal.aborted) return;
        const logged = record as TrafficLog;
        const count = reader.add(logged);
        if (count) {
          tally.add(count);
          stop.add(count, at_s);
        } else if ("answer" in logged && isWanted(logged)) onShown(logged, shareOf(shares, logged));
      },
    };
    const { result, page } = await withDashboard((settings) =>
      endOf(() => runK6(k6, { ...job, settings: { ...settings, ...remoteWrite.settings } })),
    );
    const stopped = stop.stopped();
    // Of a load that is ended, k6 may be gone before it has counted.
    const failure = stopped ? null : result.failure;
    return reader.part({ startAt_ms, ...result, failure, stopped, page: page && cleaned(page, target.redact) });
  };
  try {
    return await Promise.all(readers.map(sent));
  } finally {
    clearInterval(timer);
    options.ending?.removeEventListener("abort", end);
  }
}

/**
 * What parts of one load have counted together: the same whatever parts its iterations are in.
 * @param shown whole exchanges, where they are known already
 * @param first the number of the first of them, where they aren't
 */
export async function sendTogether(
  target: Target,
  { phases, shares }: Pick<TrafficPlan, "phases" | "shares">,
  parts: readonly LoadPart[],
  { shown, first = 1 }: { readonly shown?: readonly ShownExchange[]; readonly first?: number } = {},
) {
  const counted = parts.filter(({ nth }, at) => parts.findIndex((one) => one.nth === nth) === at);
  const [{ of, failure } = { of: 1, failure: "no generator was started" }] = counted;
  const operations = shares.map(({ operation }) => operation);
  const tally = new TrafficTally(operations, phases);
  for (const { counts } of counted) tally.addAll(counts);
  const whole = firstShown(counted.flatMap(({ shown }) => shown));
  const stops = counted.flatMap(({ stopped }) => stopped ?? []);
  const [stop] = stops;
  return {
    tally,
    summary: sumOf(counted.flatMap(({ summary }) => summary ?? [])),
    shown:
      shown ??
      (await Promise.all(whole.map((one, nth) => shownExchangeOf(target, shareOf(shares, one), one, first + nth)))),
    /** Why the only generator failed; null where it didn't. */
    failure: of === 1 ? failure : null,
    stopped:
      stop && stops.length === of ? { ...stop, after_s: Math.max(...stops.map(({ after_s }) => after_s)) } : null,
  };
}

export type Traffic = Awaited<ReturnType<typeof sendTogether>>;

const sumOf = (summaries: readonly K6Summary[]): K6Summary => {
  const all = (of: keyof K6Summary): number => summaries.reduce((total, summary) => total + summary[of], 0);
  return { iterations: all("iterations"), droppedIterations: all("droppedIterations"), requests: all("requests") };
};

/** A load by one generator. @throws Inconclusive where that failed */
export async function drive(k6: K6, target: Target, plan: TrafficPlan, options: TrafficOptions = {}): Promise<Traffic> {
  const parts = await sendTraffic(k6, target, plan, allHere(1), options);
  for (const { failure } of parts) if (failure !== null) throw generatorFailed(failure);
  return sendTogether(target, plan, parts);
}

function shareOf(shares: readonly MixShare[], { share }: Pick<TrafficShown, "share">): MixShare {
  const of = shares[share];
  if (!of) throw generatorFailed(`k6 reported the unknown share ${share}`);
  return of;
}

/** A whole answer as an exchange of that number. */
export async function shownExchangeOf(
  target: Target,
  { requestSpec }: Pick<MixShare, "requestSpec">,
  trafficShown: TrafficShown,
  number: number,
): Promise<ShownExchange> {
  const { sentAt_ms, latency_ms, broken, answer, isRedacted } = trafficShown;
  const when = { number, sentAt_ms, latency_ms };
  const exchange = await exchangeOfCall(target, requestSpec, wireOutcomeOf(answer, target.redact), when);
  return { broken, exchange, ...(isRedacted ? { isRedacted } : {}) };
}

export async function ordersFor(
  target: Target,
  { phases, shares, seed, judged }: TrafficPlan,
  { of, startAt_ms, kept }: Pick<TrafficOrders, "of" | "startAt_ms" | "kept">,
): Promise<TrafficOrders> {
  const shown = Math.min(1, shownOfAll / requestsInPhases(phases));
  const timed = phases.map(({ seconds, perSecond }, nth) => ({
    startAfter_s: secondsOfPhases(phases.slice(0, nth)),
    seconds,
    perSecond,
    judged: judged ?? judgedAt(perSecond),
    shown,
  }));
  return {
    shares: await Promise.all(shares.map((share) => trafficShareOf(target, share))),
    order: orderOf(shares),
    phases: timed,
    seed,
    deadline_ms,
    target: target.name,
    keys: Object.fromEntries([
      ...[...target.baseKeys.values()].map((secret) => [secret.role, { value: secret.open() }] as const),
      ...[...target.keys].map(([role, { secret }]) => [role, { value: secret.open() }] as const),
    ]),
    of,
    startAt_ms,
    kept,
  };
}

export const judgedAt = (perSecond: number): number =>
  perSecond < allBelow_perSecond ? 1 : judgedAbove_perSecond / perSecond;

async function trafficShareOf(target: Target, share: MixShare): Promise<TrafficShare> {
  const unsent = new WireFault("other", "not sent");
  const never = { number: 0, sentAt_ms: 0, latency_ms: 0 };
  const { requestSpec, protocol, asker, isOwn, sent } = await exchangeOfCall(target, share.requestSpec, unsent, never);
  return {
    request: k6RequestOf(render(markedTarget(target), share.requestSpec)),
    exchange: { requestSpec, protocol, asker, isOwn, sent },
  };
}
