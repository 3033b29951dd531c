// What does judging cost a load, what does reading it, and does the generator keep up?
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeFromCompressedBase64 } from "hdr-histogram-js";
import { ensureK6, type K6 } from "../load/k6/ensure.ts";
import { suite } from "../load/suite.ts";
import { scaledTo } from "../load/traffic/mix.ts";
import { drive, type Traffic } from "../load/traffic/traffic.ts";
import { median, type Ratio } from "./ratio.ts";
import { type Replayed, replayed } from "./replayed.ts";

interface Wanted {
  readonly perSecond: number;
  readonly seconds: number;
  /** The default sample where it is left out. */
  readonly judged?: number;
}

/** @throws Error where anything was broken or failed: then something else than the generator was measured */
async function loaded(k6: K6, { target, shares }: Replayed, { perSecond, seconds, judged }: Wanted): Promise<Traffic> {
  const plan = {
    phases: [{ name: "steady", seconds, perSecond }],
    shares: scaledTo(shares, perSecond),
    seed: 1,
    script: suite.script,
    ...(judged === undefined ? {} : { judged }),
  };
  const traffic = await drive(k6, target, plan);
  const { requests, served } = traffic.tally.phases[0] ?? { requests: 0, served: 0 };
  if (requests === 0 || served < requests || traffic.tally.broken.size > 0)
    throw new Error(`${served} of ${requests} were served, ${traffic.tally.broken.size} requirements broken`);
  return traffic;
}

/** More than any generator on two cores can send. */
const tooMany_perSecond = 10_000;
/** Beyond what is served without judging. */
const beyond = 1.2;
const leastShare = 0.8;

interface Rounds {
  readonly rounds?: number;
  readonly seconds?: number;
}

const noK6 = (line: string): void => console.error(line);

/** At a rate just beyond what is reached without judging: there the sample is largest for what is left to it. */
export async function measureSampling({ rounds = 3, seconds = 10 }: Rounds = {}): Promise<Ratio> {
  const k6 = await ensureK6({ tell: noK6 });
  return replayed(async (platform) => {
    const reached = async (wanted: Omit<Wanted, "seconds">): Promise<number> =>
      (await loaded(k6, platform, { ...wanted, seconds })).tally.requests / seconds;
    const perSecond = Math.min(
      tooMany_perSecond,
      Math.ceil((await reached({ perSecond: tooMany_perSecond, judged: 0 })) * beyond),
    );
    const [none, some]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      none.push(await reached({ perSecond, judged: 0 }));
      some.push(await reached({ perSecond }));
    }
    return {
      name: `requests with the default sample judged, of those without judging (${Math.round(median(none))} a second where ${perSecond} were asked for)`,
      measured: median(some) / median(none),
      bound: { atLeast: leastShare },
    };
  });
}

/** What the interface's largest reader needs, with the platform on the same two cores. */
export async function measureDropped({ seconds = 30 }: Pick<Rounds, "seconds"> = {}): Promise<Ratio> {
  const perSecond = 1_000;
  const k6 = await ensureK6({ tell: noK6 });
  const { summary, tally } = await replayed((platform) => loaded(k6, platform, { perSecond, seconds }));
  const name = `dropped at ${perSecond} a second for ${seconds} s, of ${tally.requests + summary.droppedIterations}`;
  return { name, measured: summary.droppedIterations, bound: { atMost: 0 }, unit: "requests" };
}

/** A k6 that says all that it has to say when it has ended: nobody reads along. */
async function silently<Result>({ path, version }: K6, work: (k6: K6) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
  const [script, said] = [join(folder, "k6"), join(folder, "said")];
  writeFileSync(script, `#!/bin/sh\n'${path}' "$@" > '${said}'\ncode=$?\ncat '${said}'\nexit $code\n`);
  chmodSync(script, 0o755);
  try {
    return await work({ path: script, version });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const percentiles = [50, 99] as const;
/** Of latencies of half a millisecond: beyond that what is told of a platform would be ours. */
const mostDistorted = { 50: 1.25, 99: 2 } as const;

function latenciesOf({ tally }: Traffic): { readonly [percentile in (typeof percentiles)[number]]: number } {
  const [first, ...others] = tally.latencies().map(({ histogram }) => decodeFromCompressedBase64(histogram));
  if (!first) throw new Error("nothing was served");
  for (const other of others) first.add(other);
  return { 50: first.getValueAtPercentile(50), 99: first.getValueAtPercentile(99) };
}

/** Latencies while its stream is read, of those while it goes to a file; rounds take turns. */
export async function measureReading({ rounds = 3, seconds = 10 }: Rounds = {}): Promise<readonly Ratio[]> {
  const perSecond = 1_000;
  const k6 = await ensureK6({ tell: noK6 });
  return replayed(async (platform) => {
    const told = async (by: K6): Promise<ReturnType<typeof latenciesOf>> =>
      latenciesOf(await loaded(by, platform, { perSecond, seconds }));
    const [read, unread]: [ReturnType<typeof latenciesOf>[], ReturnType<typeof latenciesOf>[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      unread.push(await silently(k6, told));
      read.push(await told(k6));
    }
    return percentiles.map((percentile): Ratio => {
      const of = (all: typeof read): number => median(all.map((one) => one[percentile]));
      return {
        name: `p${percentile} at ${perSecond} a second while k6's stream is read, of p${percentile} while nobody reads (${of(unread) / 1000} ms)`,
        measured: of(read) / of(unread),
        bound: { atMost: mostDistorted[percentile] },
      };
    });
  });
}
