// Judges a target, by all or some requirements, and writes a run.
import { median } from "simple-statistics";
import { realClock } from "../harness/core/clock.ts";
import { CommandLineError, suggestion } from "../harness/core/commandLineError.ts";
import { defaultGeneration, type Generation } from "../harness/core/generation.ts";
import type { RequirementId } from "../harness/core/interface.ts";
import { type Engine, openEngine } from "../harness/engine/engine.ts";
import type { EngineOptions } from "../harness/engine/options.ts";
import type { Plan } from "../harness/engine/plan.ts";
import type { Remedy } from "../harness/engine/remedies.ts";
import { unmetGenerator } from "../harness/engine/timedSending.ts";
import { exitCodeOf, type Verdict } from "../harness/model/verdict.ts";
import type { RunStart } from "../harness/record/journal.ts";
import type { Target } from "../harness/targets/target.ts";
import { handshakeBy } from "../harness/transport/handshake.ts";
import { networkWire } from "../harness/transport/wire.ts";
import { areaOf } from "../reports/described.ts";
import { verdictWord } from "../reports/headline.ts";
import { failsBy, type RunFlags, secondsNamed, seedNamed } from "./flags.ts";
import { printForPrograms } from "./forPrograms.ts";
import { caseNamed, folderToKeepIn, keepAll } from "./generated.ts";
import { generatorByK6, k6Line } from "./generator.ts";
import type { Invocation } from "./invocation.ts";
import { unlockLines, unlocksOf } from "./looking.ts";
import { costOfPlan, type PrintedPlan, planLines, plannedRun, secondsOfRun } from "./plan.ts";
import { progressOn } from "./progress.ts";
import { endOnSignals, finishRun, readersOf } from "./readers.ts";
import { callOf } from "./replayLine.ts";
import { openRun, type RunFolder, type RunFolderOptions } from "./runFolder.ts";
import { sampleToAdd } from "./snippets.ts";
import { type Judges, judgesOf } from "./suite.ts";
import { configLines, openingLines, unsetLines, unsetVariables, variableLines } from "./target.ts";
import type * as underLoad from "./underLoad.ts";
import type { PlannedLoad } from "./underLoad.ts";

/** This many answers show how far away a platform is. */
const enoughLatencies = 10;

type Judging = RunFlags & { readonly impliedFails: boolean };

/**
 * Judges a target by its flags, writes a run and sets the exit code.
 * @param scope what a command judges and observes of its own accord; by default what the flags name, or all
 */
export async function judgeTarget(
  invocation: Invocation,
  target: Target,
  scope: Pick<EngineOptions, "only" | "observe">,
  flags: Judging,
): Promise<void> {
  const judges = judgesOf(invocation.project);
  const keepsIn = folderToKeepIn(flags.save);
  const readers = await readersOf(invocation, flags, target);
  const most_s = flags.for === undefined ? Number.POSITIVE_INFINITY : secondsNamed("--for", flags.for);
  const { wire, close } = networkWire({ environment: invocation.env });
  const options = {
    ...chosenBy(invocation, scope, flags, judges),
    target,
    wire,
    most_s,
    suite: judges.suite,
    clock: realClock,
    handshake: handshakeBy(invocation.env),
    generator: generatorByK6(invocation, target.redact),
    generation: generationFor(target, flags, judges),
  };
  const engine = openEngine(options);
  const beside = await loadBeside(options, flags);
  const { generation } = options;
  const load = beside?.load ?? null;
  const estimate = async (measured: { readonly latency_ms?: number } = {}): Promise<number> =>
    Math.min(await secondsOfRun(target, engine.plan, { generation, load, ...measured }), most_s);
  const seconds = await estimate();
  const planned = await plannedRun(target, engine.plan, { generation, load, seconds });
  const [first = ""] = planLines(planned);
  const progress = progressOn(invocation, { isQuiet: flags.json === true, seconds });
  if (flags.plan === true) {
    showPlan(invocation, target, planned, unlocksOf(engine.plan, target), flags);
    return close();
  }
  const next = { unlocks: unlocksOf(engine.plan, target), samplesToAdd: samplesToAdd(engine.plan, target) };
  const start = { ids: engine.ids, plan: costOfPlan(engine.plan, load), ...next };
  const { uncheckedIds } = judges;
  const folder = openRun(target, { ...start, uncheckedIds }, optionsOf(invocation, flags, target));
  const verdict = keptVerdict(engine);
  const ignoreSignals = endOnSignals(invocation, folder, readers, verdict.keep);
  engine.events.on((event) => {
    if (verdict.isConcluded()) return;
    folder.note(event);
    progress.note(event, engine.spent.requests);
  });
  onceMeasured(engine, (latency_ms) => void estimate({ latency_ms }).then(progress.expect));
  try {
    const isStrict = flags.strict ?? target.strict;
    const { seen } = options.generator;
    const opening = [first, ...(seen ? [k6Line(seen)] : []), ...openingLines(invocation, target)];
    progress.begin(opening, engine.plan.tried, () => standingOf(engine, isStrict));
    const judging = verdict.reachedBy(engine.run());
    const verdicts = await judgedBy(invocation, { engine, folder, beside, progress, judging }, options, flags);
    invocation.exitCode = await finishRun(invocation, folder, readers);
    if (keepsIn !== null) keepAll(verdicts, keepsIn);
  } finally {
    ignoreSignals();
    await close();
  }
}

/** What would be sent, and what the target file lacks. */
function showPlan(
  invocation: Invocation,
  target: Target,
  planned: PrintedPlan,
  unlocks: readonly Remedy[],
  { json }: Pick<Judging, "json">,
): void {
  if (json === true) {
    printForPrograms(invocation, { ...planned, unset: unsetVariables(invocation, target), unlocks });
    return;
  }
  const [first = "", ...others] = planLines(planned);
  const next = [...unsetLines(invocation, target), ...unlockLines(unlocks)];
  invocation.print([first, ...configLines(invocation), ...others, ...variableLines(target), ...next].join("\n"));
}

/** By pointer, what to write for each sample that is looked for. */
const samplesToAdd = ({ searches }: Plan, target: Target): NonNullable<RunStart["samplesToAdd"]> =>
  Object.fromEntries(searches.flatMap(({ at }) => at).map((at) => [at, sampleToAdd(at, target)]));

/** Tells once how far away the platform is. */
function onceMeasured({ events }: Pick<Engine, "events">, use: (latency_ms: number) => void): void {
  const latencies: number[] = [];
  events.on((event) => {
    if (event.event === "exchange" && latencies.push(event.exchange.latency_ms) === enoughLatencies)
      use(median(latencies));
  });
}

/** What the flags choose to judge and observe, and what counts as a failure. */
const chosenBy = (
  invocation: Invocation,
  scope: Pick<EngineOptions, "only" | "observe">,
  flags: Judging,
  judges: Judges,
) => {
  const observe = flags.observe === false ? [] : scope.observe;
  return {
    only: scope.only ?? idsOf(flags.only, invocation, judges),
    ...(observe && { observe }),
    allFindings: flags.allFindings === true,
    failFast: flags.failFast === true,
    impliedFails: flags.impliedFails,
    renamedFails: failsBy("--renamed", flags.renamed ?? "warn"),
    fixedFails: failsBy("--fixed", flags.fixed ?? "warn"),
  };
};

type LoadBeside = { readonly load: PlannedLoad } & Pick<typeof underLoad, "smokeBeside" | "endUnderLoad">;

type BesideOptions = Pick<Judges, "suite"> &
  Required<Pick<EngineOptions, "target" | "only" | "generation" | "generator">>;

/** The load beside a run that judges everything; what sends it is loaded only then. */
async function loadBeside(besideOptions: BesideOptions, flags: Judging): Promise<LoadBeside | null> {
  const { only, suite, target, generation, generator } = besideOptions;
  if (only !== null || generation.replay || flags.failFast || flags.for !== undefined) return null;
  const { smokeFor, smokeBeside, endUnderLoad } = await import("./underLoad.ts");
  const load = smokeFor(target, { suite, seed: generation.seed }, unmetGenerator(generator));
  return load && { load, smokeBeside, endUnderLoad };
}

interface Judged {
  readonly engine: Engine;
  readonly folder: RunFolder;
  readonly beside: LoadBeside | null;
  readonly progress: ReturnType<typeof progressOn>;
  readonly judging: Promise<readonly Verdict[]>;
}

/** How the run would end now, e.g. `passed`; null as long as checks are left. */
const standingOf = ({ isObserving, ids, verdict }: Engine, isStrict: boolean): string | null =>
  isObserving ? verdictWord(exitCodeOf(ids.map(verdict), true, isStrict)).toLowerCase() : null;

/** The verdicts of a run, which Ctrl-C keeps as they are once it only observes. */
function keptVerdict(engine: Pick<Engine, "isObserving" | "stopObserving">) {
  let isKept = false;
  let isConcluded = false;
  let stop = (): void => {};
  const stopped = new Promise<void>((done) => {
    stop = done;
  });
  const conclude = async (): Promise<readonly Verdict[]> => {
    const verdicts = await engine.stopObserving();
    isConcluded = true;
    return verdicts;
  };
  return {
    /** Whether it is kept; a second signal cuts the run short. */
    keep: (): boolean => {
      const keeps = !isKept && engine.isObserving;
      if (keeps) stop();
      isKept ||= keeps;
      return keeps;
    },
    /** Nothing that comes later is part of the run. */
    isConcluded: (): boolean => isConcluded,
    reachedBy: (running: Promise<readonly Verdict[]>): Promise<readonly Verdict[]> =>
      Promise.race([running, stopped.then(conclude)]),
  };
}

/** Judges everything, and ends the run in its journal. */
async function judgedBy(
  invocation: Invocation,
  { engine, folder, beside, progress, judging }: Judged,
  options: BesideOptions & Pick<EngineOptions, "wire">,
  { impliedFails, strict }: Judging,
): Promise<readonly Verdict[]> {
  const { suite, target, wire } = options;
  const firstNumber = judging.then(() => engine.spent.requests + 1);
  const onStopped = progress.stopping;
  const loading = beside?.smokeBeside(invocation, {
    plan: beside.load.plan,
    suite,
    target,
    wire,
    impliedFails,
    firstNumber,
    onStopped,
  });
  const [verdicts, performed] = await Promise.all([judging, loading]);
  progress.end();
  const { spent } = engine;
  const isStrict = strict ?? target.strict;
  if (beside && performed) beside.endUnderLoad(invocation, folder, { verdicts, spent }, { ...performed, isStrict });
  else folder.end(verdicts, spent);
  return verdicts;
}

const optionsOf = ({ program }: Invocation, flags: RunFlags, target: Target): RunFolderOptions => ({
  call: callOf(program, ["run"], flags),
  targetFile: flags.target,
  out: flags.out,
  isStrict: flags.strict ?? target.strict,
  intermittentFails: failsBy("--intermittent", flags.intermittent ?? "warn"),
});

const generationFor = (target: Target, { seed, path }: RunFlags, { suite }: Judges): Generation => ({
  ...defaultGeneration(target),
  seed: seedNamed(seed),
  ...(path === undefined ? {} : { replay: caseNamed(path, suite) }),
});

/** The requirements that ids, areas and patterns name. @throws CommandLineError where one names none */
function idsOf(
  text: string | undefined,
  { project }: Invocation,
  { checkedIds }: Judges,
): readonly RequirementId[] | null {
  if (text === undefined) return null;
  const known = project.described.tables.requirements.map(({ id }) => id);
  const areas = [...new Set(known.map(areaOf))];
  const ids = text.split(",").flatMap((part) => {
    const word = part.trim();
    const name = areas.includes(word.toUpperCase()) ? `${word}-*` : word;
    const pattern = new RegExp(`^${name.split("*").map(escaped).join(".*")}$`, "i");
    const named = known.filter((id) => pattern.test(id));
    const checked = named.filter((id) => checkedIds.has(id));
    if (named.length === 0)
      throw new CommandLineError(
        `--only names ${word || "nothing"}${suggestion(word, [...known, ...areas])}, which isn't a requirement. Ids ` +
          `look like CYC-PRES-01, areas like CYC; \`npx assay requirements\` lists them all.`,
      );
    if (checked.length === 0)
      throw new CommandLineError(`--only names ${word}, which no check of this version covers. Leave it out.`);
    return checked;
  });
  return [...new Set(ids)];
}

const escaped = (text: string): string => text.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&");
