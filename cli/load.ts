// assay load: sends requests to a target at set rates by k6, judges the answers, and writes a report.

import { Command, Option } from "commander";
import { CommandLineError, suggestion } from "../harness/core/commandLineError.ts";
import { defaultSeed } from "../harness/core/generation.ts";
import type { OperationId } from "../harness/core/interface.ts";
import { Inconclusive } from "../harness/core/outcomes.ts";
import { nothingSpent, type Spent, totalSpent } from "../harness/targets/budget.ts";
import type { Target } from "../harness/targets/target.ts";
import { networkWire, type Wire } from "../harness/transport/wire.ts";
import type { K6 } from "../load/k6/ensure.ts";
import { type RemoteWrite, remoteWriteIn } from "../load/k6/remoteWrite.ts";
import { type Shape, secondsOfPhases, shapes } from "../load/shapes/shapes.ts";
import { rateRequirements } from "../load/suite.ts";
import type { LoadListener } from "../load/traffic/live.ts";
import type { Performed } from "../load/traffic/load.ts";
import { type LoadSuite, perSecondOf } from "../load/traffic/mix.ts";
import { type LoadPlan, planLoad } from "../load/traffic/plan.ts";
import { type FoundSamples, planSamples, type SamplePlan } from "../load/traffic/samples.ts";
import { counted, toTenths } from "../reports/numbers.ts";
import { explainedCreditsText, samplesLines } from "../reports/sentences.ts";
import {
  envOption,
  impliedFailsBy,
  type LoadFlags,
  mostParts,
  mutantOption,
  refuseUnused,
  secondsNamed,
  seedNamed,
  writesRun,
} from "./flags.ts";
import { k6Line, k6OrCommandLineError } from "./generator.ts";
import type { Invocation } from "./invocation.ts";
import type { LiveLoad } from "./liveLoad.ts";
import { loadK8s, refuseBesideK8s } from "./loadK8s.ts";
import { mergeCommand } from "./loadMerge.ts";
import { loadPart, partNamed } from "./loadPart.ts";
import { loadProgressOn } from "./progress.ts";
import { callOf } from "./replayLine.ts";
import { judgeOnly } from "./run.ts";
import { judgesOf } from "./suite.ts";
import { onTarget, openingLines } from "./target.ts";
import { judgedAsRun, noteLoss, performed, reported } from "./underLoad.ts";

/** No shape, but the suite's requirements on rates. */
const limits = "limits";

const listed = [
  ...shapes.map(({ name, summary, usualSeconds }) => `  ${name.padEnd(8)} ${summary}; ${usualSeconds} s`),
  `  ${limits.padEnd(8)} only the requirements on rates over time, and how limits count`,
];

export const loadCommand = (invocation: Invocation): Command =>
  writesRun(
    new Command("load")
      .enablePositionalOptions()
      .description("Judge answers while k6 sends requests at set rates.")
      .usage("[options] <shape>")
      // Without one, all are listed.
      .argument("[shape]")
      .option("--target <file>", "target file (default: the reference platform)")
      .option(...envOption)
      .option("--duration <time>", "duration, such as 90s, 10m or 1h")
      .option("--rate <number>", "requests per second, within what is allowed")
      .option("--parts <number>", "number of k6 processes, here or with --k8s <folder>")
      .option("--part <share>", "send one part (2/3) at --start <time>, for load merge")
      .addOption(new Option("--start <time>").hideHelp())
      .addOption(new Option("--k8s <folder>").hideHelp())
      .option("--seed <number>", "judge another sample of the answers", String(defaultSeed)),
  )
    .option("--plan", "print what would be sent; send nothing")
    .option("--implied <fail|warn>", "breaches of implied requirements", "warn")
    .option(...mutantOption)
    .addHelpText(
      "after",
      `\nShapes:\n${listed.join("\n")}\n\nExample:\n  npx assay load smoke --target acme.yaml --duration ` +
        `60s --rate 5`,
    )
    .action((name: string | undefined, flags: LoadFlags) => load(invocation, name, flags))
    .addCommand(mergeCommand(invocation), { hidden: true });

async function load(invocation: Invocation, name: string | undefined, flags: LoadFlags): Promise<void> {
  const impliedFails = impliedFailsBy(flags);
  if (name === limits) return loadLimits(invocation, flags);
  const shape = shapeNamed(name);
  if (flags.plan === true) refuseUnused(flags, ["json"], "with --plan of a load, which is text. Leave it out.");
  const { k8s: folder } = flags;
  if (folder !== undefined) refuseBesideK8s(flags);
  const order = partNamed(flags);
  const parts = partsNamed(flags);
  const rates = { ...durationNamed(flags.duration), ...rateNamed(flags.rate) };
  const { suite } = judgesOf(invocation.project);
  const wanted = { suite, seed: seedNamed(flags.seed), machines: order?.of ?? 1, ...rates };
  const isPlan = flags.plan === true;
  await onTarget(invocation, { ...flags, plan: isPlan || folder !== undefined }, async (target) => {
    // Parts may be sent from machines that would find other samples: they use those of the target file.
    const fromFile = (): LoadPlan => planLoad(target, shape, wanted);
    if (folder !== undefined) invocation.print(await loadK8s(suite, target, fromFile(), { ...flags, folder, parts }));
    else if (order && isPlan)
      invocation.print([...planLines(target, fromFile()), ...openingLines(invocation, target)].join("\n"));
    else if (order) await loadPart(invocation, target, fromFile(), { ...flags, ...order });
    else await loadWhole(invocation, target, { ...flags, shape, wanted, impliedFails, of: parts });
  });
}

interface WholeLoad extends LoadFlags {
  readonly shape: Shape;
  readonly wanted: Parameters<typeof planLoad>[2] & { readonly suite: LoadSuite };
  readonly impliedFails: boolean;
  /** How many generators send it. */
  readonly of: number;
}

/** Sends a load from this machine, or prints its plan: with samples that are found and made, as a run's are. */
async function loadWhole(invocation: Invocation, target: Target, flags: WholeLoad): Promise<void> {
  const { shape, wanted } = flags;
  const { wire, close } = networkWire({ environment: invocation.env });
  try {
    const samplePlan = planSamples(target, { ...wanted, wire });
    const hoped = planLoad(
      samplePlan?.hoped ?? target,
      shape,
      samplePlan ? { ...wanted, before: samplePlan.most } : wanted,
    );
    if (flags.plan === true)
      invocation.print([...planLines(target, hoped, samplePlan), ...openingLines(invocation, target)].join("\n"));
    else {
      const k6 = await k6OrCommandLineError(invocation);
      const remoteWrite = remoteWriteIn(invocation.env);
      await loadBy(invocation, target, { ...flags, hoped, samplePlan, k6, wire, remoteWrite });
    }
  } finally {
    await close();
  }
}

function loadLimits(invocation: Invocation, flags: LoadFlags): Promise<void> {
  const why = "on limits, whose experiments are fixed and sent by one generator. Leave it out.";
  refuseUnused(flags, ["duration", "rate", "parts", "part", "start", "k8s"], why);
  return judgeOnly(invocation, { only: rateRequirements, observe: ["OBS-RATE-ALGO", "OBS-RATE-SCOPE"] }, flags);
}

function shapeNamed(name: string | undefined): Shape {
  const shape = shapes.find((one) => one.name === name);
  if (shape) return shape;
  const known = [...shapes.map((one): string => one.name), limits];
  const problem =
    name === undefined ? "A load needs a shape" : `There is no load shape ${name}${suggestion(name, known)}`;
  throw new CommandLineError(`${problem}. Name one, as in \`npx assay load smoke\`:\n${listed.join("\n")}`);
}

const durationNamed = (text: string | undefined): { readonly seconds?: number } =>
  text === undefined ? {} : { seconds: secondsNamed("--duration", text) };

const most_perSecond = 10_000;

function rateNamed(text: string | undefined): { readonly perSecond?: number } {
  if (text === undefined) return {};
  const perSecond = Number(text);
  if (text.trim() !== "" && perSecond >= 0.1 && perSecond <= most_perSecond) return { perSecond };
  throw new CommandLineError(`--rate is "${text}". Name requests per second, from 0.1 to ${most_perSecond}.`);
}

function partsNamed({ parts = "1" }: LoadFlags): number {
  if (/^\d{1,2}$/.test(parts) && Number(parts) >= 1 && Number(parts) <= mostParts) return Number(parts);
  throw new CommandLineError(
    `--parts is "${parts}". Name how many k6 processes send the load, from 1 to ${mostParts}.`,
  );
}

function planLines(target: Target, loadPlan: LoadPlan, samplePlan: SamplePlan | null = null): string[] {
  const { shape, mix, phases, cost, seed } = loadPlan;
  const steps = phases
    .map(({ name, seconds, perSecond }) => `${name} ${toTenths(perSecond)}/s for ${toTenths(seconds)} s`)
    .join(", ");
  const bases = [...new Set(Object.values(target.bases))].join(", ");
  const isHoped = (operation: OperationId): boolean => samplePlan?.operations.includes(operation) ?? false;
  return [
    [
      `assay load ${shape.name}`,
      `${target.name} (${bases})`,
      steps,
      `about ${counted(cost.requests, "request")}, ${explainedCreditsText(cost)}`,
      `seed ${seed}`,
    ].join(" · "),
    ...(samplePlan ? samplePlanLines(samplePlan) : []),
    ...mix.shares.map(
      ({ operation, perSecond }) =>
        `  ${operation.padEnd(28)} ${toTenths((perSecond / perSecondOf(mix)) * 100)} % of requests` +
        (isHoped(operation) ? ", if served" : ""),
    ),
    ...mix.left.map(({ operation, reason }) => `  ${operation.padEnd(28)} not loaded: ${reason}`),
  ];
}

/** What comes before a load that lacks samples. */
const samplePlanLines = ({ made, sought, operations, most }: SamplePlan): readonly string[] => [
  `first, at most ${counted(most.requests, "request")} that ${sought.length > 0 ? "look for samples and " : ""}try ` +
    `${counted(operations.length, "operation")} with samples that the target file doesn't give`,
  ...samplesLines(made, sought),
];

interface LoadOrder extends WholeLoad {
  readonly k6: K6;
  readonly wire: Wire;
  readonly remoteWrite: RemoteWrite;
  readonly samplePlan: SamplePlan | null;
  /** As if all samples were found. */
  readonly hoped: LoadPlan;
}

/** Judges and reports a load as a run. */
async function loadBy(invocation: Invocation, target: Target, order: LoadOrder): Promise<void> {
  const { hoped, samplePlan, k6 } = order;
  const call = callOf(invocation.program, ["load", hoped.shape.name], order);
  await judgedAsRun(invocation, target, hoped, { ...order, call }, async (live) => {
    if (samplePlan && order.json !== true) invocation.print(samplePlanLines(samplePlan).join("\n"));
    const generator = `k6 ${k6.version}`;
    const unsought = { target, notes: [], leftOut: new Map() };
    const found = await untilEnded(samplePlan?.find() ?? Promise.resolve(unsought), live.ending);
    const sent = found ? sentWith(invocation, found, live, order) : Promise.reject(endedBefore(live.ending, hoped));
    const done = await reported(hoped, generator, sent);
    return {
      ...done,
      spent: totalSpent([samplePlan?.spent() ?? nothingSpent, done.spent]),
      samples: found?.notes ?? [],
    };
  });
}

const endedBefore = ({ reason }: AbortSignal, { phases }: LoadPlan): Inconclusive =>
  new Inconclusive({ kind: "loadEnded", by: String(reason), after_s: 0, of_s: secondsOfPhases(phases) });

/** What work gives; null where it is ended before. */
const untilEnded = <Result>(work: Promise<Result>, ending: AbortSignal): Promise<Result | null> =>
  Promise.race([work, new Promise<null>((resolve) => ending.addEventListener("abort", () => resolve(null)))]);

/** Sends a load with the samples found. @throws Inconclusive where it isn't allowed, as it was if all were found */
async function sentWith(
  invocation: Invocation,
  found: FoundSamples,
  { listener, ending }: LiveLoad,
  order: LoadOrder,
): Promise<Performed> {
  const { target } = found;
  const { samplePlan, hoped, wanted, k6, wire, remoteWrite, impliedFails, of: parts } = order;
  const { suite } = wanted;
  const isQuiet = order.json === true;
  const plan = samplePlan ? replanned(found, samplePlan.spent(), order) : hoped;
  if (!isQuiet)
    invocation.print([planLines(target, plan)[0], k6Line(k6), ...openingLines(invocation, target)].join("\n"));
  const progress = loadProgressOn(invocation, { isQuiet, seconds: secondsOfPhases(plan.phases) });
  const { onProgress, onStopped, end } = progress;
  const sought = samplePlan?.spent() ?? nothingSpent;
  const counting: LoadListener = {
    ...progress.printing(listener),
    report: (report, spent) => listener.report(report, totalSpent([sought, spent])),
  };
  const hooks = { listener: counting, ending, onProgress, onStopped, remoteWrite };
  const done = await performed({ k6, target, plan, suite, wire, impliedFails, parts, ...hooks });
  end();
  noteLoss(invocation, remoteWrite);
  return done;
}

function replanned({ target, leftOut }: FoundSamples, spent: Spent, { shape, wanted }: LoadOrder): LoadPlan {
  try {
    return planLoad(target, shape, { ...wanted, before: spent, leftOut });
  } catch (error) {
    if (error instanceof CommandLineError) throw new Inconclusive(error.message);
    throw error;
  }
}
