// Benchmark: generated cases per second for each property, and the time of all cases of a run

import { wholeSuite } from "../cli/suite.ts";
import { realClock } from "../harness/core/clock.ts";
import { defaultSeed, type Scale } from "../harness/core/generation.ts";
import { openEngine } from "../harness/engine/engine.ts";
import type { Check } from "../harness/model/check.ts";
import { shownVerdict } from "../harness/model/shown.ts";
import { networkWire } from "../harness/transport/wire.ts";
import { freshWorld, inProcess } from "../proof/inProcess.ts";
import { listen } from "../reference/http.ts";
import { createPlatform } from "../reference/platform.ts";
import type { Figure } from "./ratio.ts";

const generated = wholeSuite.checks.filter(({ needs }) => needs.generates !== undefined);
const nameOf = ({ needs }: Check): string => needs.generates?.property ?? "";
const casesOf = ({ needs }: Check, scale: Scale): number => needs.generates?.cases[scale] ?? 0;

/** Processor time, so that other processes don't count; nothing in this process waits. */
const processorSeconds = (): number => process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6;

/** Seconds of processor time on the honest platform. @throws Error where a case fails or can't be judged */
async function inThisProcess(check: Check, scale: Scale): Promise<number> {
  const began = processorSeconds();
  const verdicts = await openEngine({
    ...inProcess({ ...wholeSuite, checks: [check], probes: [] }),
    observe: [],
    generation: { seed: defaultSeed, scale },
  }).run();
  const other = verdicts.find(({ verdict }) => verdict !== "holds");
  if (other && casesOf(check, scale) > 0)
    throw new Error(`${nameOf(check)} is ${other.verdict}: ${shownVerdict(other).reason}`);
  return processorSeconds() - began;
}

/** Cases per second in this process, over hundreds of cases. */
export async function measurePace(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const check of generated) {
    // Warms up: code runs slower before it is compiled.
    await inThisProcess(check, "some");
    figures.push({
      name: nameOf(check),
      measured: casesOf(check, "many") / (await inThisProcess(check, "many")),
      unit: "cases per second",
    });
  }
  return figures;
}

/** All generated cases of `npm start` and no other checks, on a port and at its pace. */
export async function measureRun(): Promise<Figure> {
  const controlToken = "of this benchmark";
  const { world, targetAt } = freshWorld(controlToken);
  const { base, close } = await listen(createPlatform({ world, now_ms: Date.now, controlToken }), 0);
  const { wire, close: closeWire } = networkWire();
  try {
    const began_ms = performance.now();
    await openEngine({
      suite: { ...wholeSuite, checks: generated, probes: [] },
      target: targetAt(base),
      wire,
      clock: realClock,
      observe: [],
      generation: { seed: defaultSeed, scale: "some" },
    }).run();
    return { name: "the generated cases of a run, alone", measured: (performance.now() - began_ms) / 1000, unit: "s" };
  } finally {
    await closeWire();
    await close();
  }
}
