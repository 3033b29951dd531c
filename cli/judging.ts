// Judges a target, by all or some requirements, and writes a run.
import { median } from "simple-statistics";
import { realClock } from "../harness/core/clock.ts";
import { CommandLineError, suggestion } from "../harness/core/commandLineError.ts";
import { defaultGeneration, type Generation } from "../harness/core/generation.ts";
import type { RequirementId } from "../harness/core/interface.ts";
import type { EngineOptions } from "../harness/engine/options.ts";
import { type PlannedRun, planRun } from "../harness/engine/sharding.ts";
import { lackOfGenerator } from "../harness/engine/timedSending.ts";
import { unlocksOf } from "../harness/engine/unlocks.ts";
import type { Verdict } from "../harness/model/verdict.ts";
import { type Spent, sumOf } from "../harness/target/budget.ts";
import type { Target } from "../harness/target/target.ts";
import { handshakeBy } from "../harness/transport/handshake.ts";
import { networkWire } from "../harness/transport/wire.ts";
import type { Performed } from "../load/traffic/load.ts";
import { areaOf } from "../reports/described.ts";
import { described } from "./described.ts";
import { commandOf, failsBy, type RunFlags, secondsNamed, seedNamed, shardNamed } from "./flags.ts";
import { caseNamed, folderToKeepIn, keepAll } from "./generated.ts";
import { generatorByK6 } from "./generator.ts";
import { costOf, planLines, secondsOfRun } from "./plan.ts";
import { progressOn } from "./progress.ts";
import { endOnSignals, finishRun, openRun, type Planned, type RunFolder, readersOf } from "./runFolder.ts";
import { checkedIds, suite, uncheckedIds } from "./suite.ts";
import { variableLines } from "./target.ts";
import { exitCodeUnderLoad, noteLoad, type PlannedLoad, smokeBeside, smokeFor, withLoad } from "./underLoad.ts";

/** So many show how far away a platform is. */
const enoughLatencies = 10;

/**
 * Judges a target by its flags, writes a run and sets the exit code.
 * @param scope what a command judges and observes of its own accord; by default what the flags name, or all
 */
export async function judge(
  target: Target,
  scope: Pick<EngineOptions, "only" | "observe">,
  flags: RunFlags & { readonly impliedFails: boolean },
): Promise<void> {
  const { impliedFails, strict: isStrict = target.strict } = flags;
  const [only, observe] = [scope.only ?? idsOf(flags.only), flags.observe === false ? [] : scope.observe];
  const [share, generation] = [shardNamed(flags), generationFor(target, flags)];
  const [keepsIn, readers] = [folderToKeepIn(flags.save), readersOf(flags, target)];
  const most_s = flags.for === undefined ? Number.POSITIVE_INFINITY : secondsNamed("--for", flags.for);
  const latencies: number[] = [];
  const { wire, close } = networkWire();
  const generator = generatorByK6(target.redact);
  const options: EngineOptions = {
    suite,
    target,
    wire,
    clock: realClock,
    handshake: handshakeBy(),
    generator,
    only,
    allFindings: flags.allFindings === true,
    failFast: flags.failFast === true,
    ...(observe && { observe }),
    most_s,
    generation,
    impliedFails,
    renamedFails: failsBy("--renamed", flags.renamed ?? "warn"),
    onEvent: (event) => {
      folder.note(event);
      progress.note(event, engine.spent.requests);
      if (event.event === "exchange" && latencies.push(event.exchange.latency_ms) === enoughLatencies)
        void estimate({ latency_ms: median(latencies) }).then(progress.expect);
    },
  };
  const run = await planRun(options, share);
  const { engine, unsplit } = run;
  const isWhole = only === null && !generation.replay && !flags.failFast && flags.for === undefined;
  const hasLoad = isWhole && share?.nth === share?.of;
  const load = hasLoad ? smokeFor(target, generation.seed, lackOfGenerator(generator)) : null;
  const estimate = async (measured: { readonly latency_ms?: number } = {}): Promise<number> =>
    Math.min(await secondsOfRun(run.target, engine.plan, { generation, load, ...measured }), most_s);
  const seconds = await estimate();
  const planned = await planLines(run.target, engine.plan, { ...run, generation, load, seconds });
  const progress = progressOn(process.stdout, { isQuiet: flags.json === true, seconds });
  if (flags.plan === true) {
    console.log([...planned, ...variableLines(target)].join("\n"));
    return close();
  }
  const folder = openRun(target, plannedOf(run, load), { ...optionsOf(flags), isStrict, shard: run.shard });
  const ignoreSignals = endOnSignals(folder, readers, described);
  try {
    progress.begin([...planned.slice(0, unsplit === null ? 1 : 2), ...variableLines(target)], engine.ids.length);
    const judging = engine.run();
    const firstNumber = judging.then(() => engine.spent.requests + 1);
    const onStopped = progress.stopping;
    const loading = load && smokeBeside({ plan: load.plan, target, wire, impliedFails, firstNumber, onStopped });
    const [verdicts, performed] = await Promise.all([judging, loading]);
    progress.end();
    if (performed) endUnderLoad(folder, verdicts, engine.spent, { ...performed, isStrict });
    else folder.end(verdicts, engine.spent);
    process.exitCode = await finishRun(folder, readers, described);
    if (keepsIn !== null) keepAll(verdicts, keepsIn);
  } finally {
    ignoreSignals();
    await close();
  }
}

const plannedOf = ({ engine, whole, target }: PlannedRun, load: PlannedLoad | null): Planned => ({
  ids: engine.ids,
  uncheckedIds,
  plan: costOf(engine.plan, load),
  unlocks: unlocksOf(whole, target),
});

const optionsOf = (flags: RunFlags): Parameters<typeof openRun>[2] => ({
  command: commandOf("run", flags),
  targetFile: flags.target,
  out: flags.out,
  intermittentFails: failsBy("--intermittent", flags.intermittent ?? "warn"),
});

const generationFor = (target: Target, { seed, path }: RunFlags): Generation => ({
  ...defaultGeneration(target),
  seed: seedNamed(seed),
  ...(path === undefined ? {} : { replay: caseNamed(path, suite) }),
});

function endUnderLoad(
  folder: RunFolder,
  before: readonly Verdict[],
  spent: Spent,
  load: Performed & { readonly isStrict: boolean },
): void {
  const verdicts = withLoad(before, load.verdicts);
  const all = sumOf([spent, load.spent]);
  const changed = verdicts.filter((verdict) => !before.includes(verdict));
  noteLoad(folder, changed, { ...load, spent: all });
  folder.end(verdicts, all, exitCodeUnderLoad(verdicts, load.report, load.isStrict));
}

/** The requirements that ids, areas and patterns name. @throws CommandLineError where one names none */
function idsOf(text: string | undefined): readonly RequirementId[] | null {
  if (text === undefined) return null;
  const known = described.tables.requirements.map(({ id }) => id);
  const areas = [...new Set(known.map(areaOf))];
  const ids = text.split(",").flatMap((part) => {
    const word = part.trim();
    const name = areas.includes(word.toUpperCase()) ? `${word}-*` : word;
    const pattern = new RegExp(`^${name.split("*").map(escaped).join(".*")}$`, "i");
    const named = known.filter((id) => pattern.test(id));
    const checked = named.filter((id) => checkedIds.has(id));
    if (named.length === 0)
      throw new CommandLineError(
        `--only names ${word || "nothing"}${suggestion(word, [...known, ...areas])}, which is no requirement. Ids ` +
          `look like CYC-PRES-01, areas like CYC; \`npx assay requirements\` lists them all.`,
      );
    if (checked.length === 0)
      throw new CommandLineError(`--only names ${word}, which no check of this version covers. Leave it out.`);
    return checked;
  });
  return [...new Set(ids)];
}

const escaped = (text: string): string => text.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&");
