// The forecast of a run: its jobs by the same scheduler and at the same pace, in virtual time.
import { type Clock, steppedClock } from "../core/clock.ts";
import { defaultGeneration, type Generation } from "../core/generation.ts";
import { type RequestSpec, requestKey } from "../core/requestSpec.ts";
import type { Check, Needs } from "../model/check.ts";
import type { Probe } from "../model/probe.ts";
import type { Target } from "../targets/target.ts";
import { RequestLimiter } from "../transport/requestLimiter.ts";
import { afterBurst_ms } from "../transport/transport.ts";
import { type Planned, runPlanned } from "./jobs.ts";
import { generatedBy, observedBy, readsMeter } from "./planCost.ts";
import { canIsolate } from "./projects.ts";

export interface ForecastOptions {
  readonly generation?: Generation;
  /** From a request to its answer; that of a platform nearby by default. */
  readonly latency_ms?: number;
}

/** Of the most that checks may send: they send again only after an unclear answer. */
const shareOfSends = 0.4;
/** How much longer figures are read than calls took, until they stand still. */
const stillFor = 0.5;

const inTurn = async <Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> => {
  for (const item of items) await work(item);
};

/** Sends at the pace of a run. */
function senderTo(target: Target, clock: Clock, latency_ms: number) {
  const limiter = new RequestLimiter(target, clock);
  const done = new Map<string, Promise<void>>();
  const once = (name: string, work: () => Promise<void>): Promise<void> => {
    const known = done.get(name) ?? work();
    done.set(name, known);
    return known;
  };
  const send = async (requestSpec: RequestSpec): Promise<void> => {
    await limiter.acquire(requestSpec, false);
    await clock.sleep(latency_ms);
  };
  const ask = (requestSpec: RequestSpec): Promise<void> => once(requestKey(requestSpec), () => send(requestSpec));
  const atOnce = async ([first]: readonly RequestSpec[]): Promise<void> => {
    if (!first) return;
    await limiter.acquire(first, true);
    await clock.sleep(latency_ms);
    limiter.pause(first, clock.now_ms() + afterBurst_ms);
  };
  return { once, send, ask, atOnce };
}

/** Seconds that it takes where every request is answered and charges show at once. */
export async function secondsOf(
  all: readonly Planned[],
  target: Target,
  { generation: { scale } = defaultGeneration(target), latency_ms = 2 }: ForecastOptions = {},
): Promise<number> {
  const clock = steppedClock(0);
  const { once, send, ask, atOnce } = senderTo(target, clock, latency_ms);
  const { limits } = target.interface;
  const isRead = readsMeter(target);
  /** Probes of charges name only their calls. */
  const anyRead = all.flatMap((one) => ("check" in one ? one.check.needs.requests.filter(isRead) : [])).slice(0, 1);
  /** Of calls that can't be undone. */
  const sendPace = Math.min(
    target.perSecond,
    ...limits.flatMap((one) => ("operation" in one ? [one.perSecond - 1] : [])),
  );
  const sending = (calls: number) => clock.sleep(shareOfSends * calls * Math.max(1000 / sendPace, latency_ms));
  const needed = async ({ schedules = [], sends }: Needs, repeats: number): Promise<void> => {
    await inTurn(schedules, ({ name, seconds }) => once(`schedule ${name}`, () => clock.sleep(1000 * seconds)));
    await inTurn(sends?.shared ?? [], ({ name, calls }) => once(`sends ${name}`, () => sending(calls)));
    await sending(repeats * (sends?.calls ?? 0));
  };
  const readOften = (window: string, read: RequestSpec, times: number): Promise<void> =>
    once(`${window} reads ${requestKey(read)}`, () =>
      inTurn(
        Array.from({ length: times }, () => read),
        send,
      ),
    );
  const check = async ({ needs, when }: Check): Promise<void> => {
    const { settles, requests } = needs;
    if (when === "last" && !needs.schedules) return atOnce(requests);
    const began_ms = clock.now_ms();
    await inTurn(requests, (one) =>
      settles ? once(`${settles.window} ${requestKey(one)}`, () => send(one)) : ask(one),
    );
    await inTurn(generatedBy(needs, scale), send);
    await needed(needs, 1);
    if (!settles) return;
    await inTurn(requests.filter(isRead), (read) => readOften(settles.window, read, settles.rounds - 1));
    await clock.sleep(stillFor * (clock.now_ms() - began_ms));
  };
  const observe = async (probe: Probe): Promise<void> => {
    const repeats = probe.asksOnce ? 1 : 2;
    await inTurn(observedBy(probe, target), ask);
    await needed(probe.needs, repeats);
    const { window, rounds } = probe.needs.settles ?? { window: "", rounds: 0 };
    // Isolated projects have paces of their own; each is read before, after, and until it stands still.
    if (probe.when === "isolated" && canIsolate(target)) await clock.sleep(3 * rounds * repeats * latency_ms);
    else await inTurn(anyRead, (read) => readOften(window, read, rounds * repeats));
  };
  const execute = (planned: Planned): Promise<void> =>
    "check" in planned ? check(planned.check) : observe(planned.probe);
  const planned = all.filter(({ unmetNeed }) => unmetNeed === null);
  await runPlanned(planned, target, { execute, isRefused: () => false });
  return clock.now_ms() / 1000;
}
