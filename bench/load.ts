// Benchmarks of load: what judging and reading answers cost, and what k6 drops
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeFromCompressedBase64 } from "hdr-histogram-js";
import { median } from "simple-statistics";
import { ensureK6, type K6 } from "../load/k6/ensure.ts";
import { loadSuite } from "../load/suite.ts";
import { scaledTo } from "../load/traffic/mix.ts";
import { drive, type Traffic } from "../load/traffic/traffic.ts";
import type { Ratio } from "./ratio.ts";
import { type Replayed, replayed } from "./replayPlatform.ts";

interface Wanted {
  readonly perSecond: number;
  readonly seconds: number;
  /** The share of answers that is judged; the default sample where it is left out. */
  readonly judged?: number;
}

/** @throws Error where a request failed or broke a requirement, since that isn't what is measured */
async function load(k6: K6, { target, shares }: Replayed, { perSecond, seconds, judged }: Wanted): Promise<Traffic> {
  const plan = {
    phases: [{ name: "steady", seconds, perSecond }],
    shares: scaledTo(shares, perSecond),
    seed: 1,
    script: loadSuite.script,
    ...(judged === undefined ? {} : { judged }),
  };
  const traffic = await drive(k6, target, plan);
  const { requests, served } = traffic.tally.phases[0] ?? { requests: 0, served: 0 };
  if (requests === 0 || served < requests || traffic.tally.broken.size > 0)
    throw new Error(`${served} of ${requests} were served, ${traffic.tally.broken.size} requirements broken`);
  return traffic;
}

/** More than a generator on two cores can send. */
const tooMany_perSecond = 10_000;
/** Relative to the rate that is reached without judging. */
const excess = 1.2;
const leastShare = 0.8;

interface Rounds {
  readonly rounds?: number;
  readonly seconds?: number;
}

const toStderr = (line: string): void => console.error(line);

/** At a rate just above the reachable one, where judging costs the most requests. */
export async function measureSampling({ rounds = 3, seconds = 10 }: Rounds = {}): Promise<Ratio> {
  const k6 = await ensureK6({ onProgress: toStderr });
  return replayed(async (platform) => {
    const reached = async (wanted: Omit<Wanted, "seconds">): Promise<number> =>
      (await load(k6, platform, { ...wanted, seconds })).tally.requests / seconds;
    const perSecond = Math.min(
      tooMany_perSecond,
      Math.ceil((await reached({ perSecond: tooMany_perSecond, judged: 0 })) * excess),
    );
    const none: number[] = [];
    const some: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      none.push(await reached({ perSecond, judged: 0 }));
      some.push(await reached({ perSecond }));
    }
    const rates = `${Math.round(median(none))} a second at a rate of ${perSecond}`;
    return {
      name: `requests with the default sample judged, relative to those without judging (${rates})`,
      measured: median(some) / median(none),
      bound: { atLeast: leastShare },
    };
  });
}

/** At the highest rate that anybody needs, with the platform on the same two cores. */
export async function measureDropped({ seconds = 30 }: Pick<Rounds, "seconds"> = {}): Promise<Ratio> {
  const perSecond = 1_000;
  const k6 = await ensureK6({ onProgress: toStderr });
  const { summary, tally } = await replayed((platform) => load(k6, platform, { perSecond, seconds }));
  const name = `dropped at ${perSecond} a second for ${seconds} s, of ${tally.requests + summary.droppedIterations}`;
  return { name, measured: summary.droppedIterations, bound: { atMost: 0 }, unit: "requests" };
}

/** Runs `work` with a k6 whose output goes to a file and is read only when it has ended. */
async function unread<Result>({ path, version }: K6, work: (k6: K6) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
  const script = join(folder, "k6");
  const output = join(folder, "output");
  writeFileSync(script, `#!/bin/sh\n'${path}' "$@" > '${output}'\ncode=$?\ncat '${output}'\nexit $code\n`, {
    mode: 0o755,
  });
  try {
    return await work({ path: script, version });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const percentiles = [50, 99] as const;
/** For latencies of half a millisecond: a larger ratio would distort reported latencies. */
const mostDistorted = { 50: 1.25, 99: 2 } as const;

function latenciesOf({ tally }: Traffic): { readonly [percentile in (typeof percentiles)[number]]: number } {
  const [first, ...others] = tally.latencies().map(({ histogram }) => decodeFromCompressedBase64(histogram));
  if (!first) throw new Error("nothing was served");
  for (const other of others) first.add(other);
  return { 50: first.getValueAtPercentile(50), 99: first.getValueAtPercentile(99) };
}

/** Latencies while k6's output is read, relative to those while it goes to a file; rounds alternate. */
export async function measureReading({ rounds = 3, seconds = 10 }: Rounds = {}): Promise<readonly Ratio[]> {
  const perSecond = 1_000;
  const k6 = await ensureK6({ onProgress: toStderr });
  return replayed(async (platform) => {
    const latencies = async (by: K6): Promise<ReturnType<typeof latenciesOf>> =>
      latenciesOf(await load(by, platform, { perSecond, seconds }));
    const whileRead: ReturnType<typeof latenciesOf>[] = [];
    const whileUnread: ReturnType<typeof latenciesOf>[] = [];
    for (let round = 0; round < rounds; round += 1) {
      whileUnread.push(await unread(k6, latencies));
      whileRead.push(await latencies(k6));
    }
    return percentiles.map((percentile): Ratio => {
      const of = (all: typeof whileRead): number => median(all.map((one) => one[percentile]));
      const unread_ms = of(whileUnread) / 1000;
      return {
        name: `p${percentile} at ${perSecond} a second while k6's output is read, relative to unread (${unread_ms} ms)`,
        measured: of(whileRead) / of(whileUnread),
        bound: { atMost: mostDistorted[percentile] },
      };
    });
  });
}
