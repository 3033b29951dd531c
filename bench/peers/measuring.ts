// Measures the tools on the chosen platforms, several at once: what all of them do most is wait
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { judgedByAssay } from "./assay.ts";
import type { Result, Results, ToolName } from "./counting.ts";
import { documentAt } from "./document.ts";
import { type Coverage, judgedByDrift } from "./drift.ts";
import type { Tool } from "./installing.ts";
import type { Outcome, Place, Unable } from "./outcome.ts";
import { type ChosenPlatform, servedPlatform } from "./platforms.ts";
import { openPrism } from "./prism.ts";
import { judgedBySchemathesis } from "./schemathesis.ts";

export interface Measuring {
  readonly tools: { readonly [tool in ToolName]?: Tool };
  readonly platforms: readonly ChosenPlatform[];
  /** Of the platforms, which mostly wait. */
  readonly atOnce: number;
  readonly seed: number;
  /** An empty one. */
  readonly folder: string;
  /** Is told a line for each result. */
  readonly onResult: (line: string) => void;
}

/** Tools compute most when they start, and those that share a processor would be late with what they time. */
const apart_ms = 8_000;

/** What goes wrong in a tool, or in what calls it, is that tool's result on that platform. */
const caught = <T extends Outcome>(judging: Promise<T>): Promise<T | Unable> =>
  judging.catch((error: unknown) => ({ unable: String(error) }));

interface Measured {
  results: { [tool in ToolName]?: Result[] };
  coverage: Coverage | null;
}

export async function measured(
  measuring: Measuring,
): Promise<{ readonly results: Results; readonly coverage: Coverage | null }> {
  const { tools, platforms, atOnce, folder } = measuring;
  const so: Measured = { results: {}, coverage: null };
  const document = join(folder, "openapi.json");
  writeFileSync(document, JSON.stringify(documentAt("http://127.0.0.1")));
  const prism = tools.prism ? await openPrism(tools.prism.program, document) : null;
  const left = [...platforms.entries()];
  const next = async (nth: number): Promise<void> => {
    await setTimeout(nth * apart_ms);
    for (let one = left.shift(); one !== undefined; one = left.shift()) {
      const [number, platform] = one;
      if (tools.schemathesis) await bySchemathesis(platform, number, { ...measuring, so, document });
      if (tools.assay || tools.drift || prism) await byTraffic(platform, number, { ...measuring, so, document, prism });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, (_, nth) => next(nth)));
  const spent_s = (await prism?.close()) ?? null;
  const { prism: ofPrism = [], ...results } = so.results;
  // One process has judged all.
  const shared = ofPrism.map(({ platform, outcome }): Result => {
    const processorSeconds = spent_s === null ? null : spent_s / ofPrism.length;
    return { platform, outcome: "unable" in outcome ? outcome : { ...outcome, processorSeconds } };
  });
  return { results: { ...results, ...(prism && { prism: shared }) }, coverage: so.coverage };
}

interface Judging extends Measuring {
  readonly so: Measured;
  readonly document: string;
}

async function placeOf(platform: ChosenPlatform, name: string, { folder, seed }: Measuring): Promise<Place> {
  const own = join(folder, name);
  mkdirSync(own);
  return { served: await servedPlatform(platform), folder: own, seed };
}

function note(tool: ToolName, platform: ChosenPlatform, outcome: Outcome, { so, onResult }: Judging): void {
  const { name, kind, area, isDescribed } = platform;
  so.results[tool] ??= [];
  so.results[tool].push({ platform: { name, kind, area, isDescribed }, outcome });
  const result =
    "unable" in outcome ? `not judged, ${outcome.unable}` : `${Object.keys(outcome.findings).length} findings`;
  onResult(`${tool} on ${name}: ${result}`);
}

async function bySchemathesis(platform: ChosenPlatform, nth: number, judging: Judging): Promise<void> {
  const place = await placeOf(platform, `schemathesis-${nth}`, judging);
  const { program = "" } = judging.tools.schemathesis ?? {};
  const outcome = await caught(judgedBySchemathesis(program, place));
  await place.served.close();
  note("schemathesis", platform, outcome, judging);
}

/** Assay, and those that read what passed between it and the platform. */
async function byTraffic(
  platform: ChosenPlatform,
  nth: number,
  judging: Judging & { readonly prism: Awaited<ReturnType<typeof openPrism>> | null },
): Promise<void> {
  const { tools, prism, so, document } = judging;
  const place = await placeOf(platform, `assay-${nth}`, judging);
  const startedAt_ms = Date.now();
  const own = await caught(judgedByAssay(place));
  await place.served.close();
  const traffic = { startedAt_ms, seconds: (Date.now() - startedAt_ms) / 1000 };
  if (tools.assay) note("assay", platform, own, judging);
  const none = "unable" in own ? { unable: `Assay's run, whose traffic it needs, has no end: ${own.unable}` } : null;
  if (tools.drift) {
    const outcome = none ?? (await caught(judgedByDrift(tools.drift.program, document, place, traffic.seconds)));
    if ("coverage" in outcome && platform.kind === "baseline") so.coverage ??= outcome.coverage;
    note("drift", platform, outcome, judging);
  }
  if (prism) note("prism", platform, none ?? (await caught(prism.judged(place, traffic))), judging);
}
