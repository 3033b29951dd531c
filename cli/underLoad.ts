// A load in a run: alone, or beside everything else that is judged.
import { control as projectControl } from "../contracts/shared/control.ts";
import { realClock } from "../harness/core/clock.ts";
import { Inconclusive } from "../harness/core/outcomes.ts";
import type { UnmetNeed } from "../harness/core/reason.ts";
import { KeyHider } from "../harness/core/secret.ts";
import type { SampleNote } from "../harness/model/sampleFinder.ts";
import { shownVerdict } from "../harness/model/shown.ts";
import { exitCodeOf, type Verdict, verdictTogether } from "../harness/model/verdict.ts";
import { type JournalLine, readJournal } from "../harness/record/journal.ts";
import type { LoadReport } from "../harness/record/load.ts";
import { runOf } from "../harness/record/run.ts";
import { nothingSpent, type Spent, totalSpent } from "../harness/targets/budget.ts";
import { keyOf, type Target } from "../harness/targets/target.ts";
import { makeProject } from "../harness/transport/control.ts";
import { transportTo } from "../harness/transport/transport.ts";
import type { Wire } from "../harness/transport/wire.ts";
import { NoK6 } from "../load/k6/ensure.ts";
import type { RemoteWrite } from "../load/k6/remoteWrite.ts";
import { smoke } from "../load/shapes/shapes.ts";
import { type Performance, type Performed, perform } from "../load/traffic/load.ts";
import { type LoadPlan, planLoad } from "../load/traffic/plan.ts";
import { doubtedFor, emptyReport } from "../load/traffic/report.ts";
import { closingLines, paintFor } from "../reports/document/terminal.ts";
import { counted } from "../reports/numbers.ts";
import { runDocument } from "../reports/run/terminal.ts";
import { inert } from "../reports/text.ts";
import type { JudgingFlags } from "./flags.ts";
import { k6For } from "./generator.ts";
import type { Invocation } from "./invocation.ts";
import { type LiveLoad, liveLoadIn } from "./liveLoad.ts";
import { finishRun, readersOf } from "./readers.ts";
import { attached, openRun, type RunFolder, type RunFolderOptions } from "./runFolder.ts";
import { judgesOf } from "./suite.ts";
import { noRoomIn } from "./writeText.ts";

/** @param why it is inconclusive, or withheld for lack of a generator */
const withoutRequests = (plan: LoadPlan, generator: string, why: Partial<LoadReport>): Performed => ({
  report: { ...emptyReport(plan, generator), ...why },
  verdicts: [],
  exchanges: [],
  spent: nothingSpent,
  pages: [],
});

/** A load, reported even where it is inconclusive. */
export const performed = (performance: Performance): Promise<Performed> =>
  reported(performance.plan, `k6 ${performance.k6.version}`, perform(performance));

export async function reported(plan: LoadPlan, generator: string, load: Promise<Performed>): Promise<Performed> {
  try {
    return await load;
  } catch (error) {
    if (!(error instanceof Inconclusive)) throw error;
    return withoutRequests(plan, generator, doubtedFor(error.reason));
  }
}

/** The load beside a run. */
export interface PlannedLoad {
  readonly plan: LoadPlan;
  /** Why it can't be performed; null where it can. */
  readonly lacks: UnmetNeed | null;
}

/** Smoke runs beside complete runs of the reference. On a vendor, or with a budget, load takes its own command. */
export const smokeFor = (
  target: Target,
  order: Pick<Performance, "suite"> & { readonly seed: number },
  lacks: UnmetNeed | null,
): PlannedLoad | null =>
  target.isReference && Object.keys(target.budget).length === 0
    ? { plan: planLoad(target, smoke, order), lacks }
    : null;

interface Beside extends Pick<Performance, "plan" | "target" | "wire" | "suite" | "impliedFails" | "onStopped"> {
  /** The number of its first exchange, known once everything else is judged. */
  readonly firstNumber: Promise<number>;
}

/** Smoke beside everything else; where it can't be performed, the report has the reason and other verdicts stand. */
export async function smokeBeside(invocation: Invocation, beside: Beside): Promise<Performed> {
  const done = await smokeOn(invocation, beside);
  return { ...done, report: { ...done.report, after: (await beside.firstNumber) - 1 } };
}

async function smokeOn(invocation: Invocation, { plan, ...rest }: Beside): Promise<Performed> {
  try {
    const target = await isolated(rest.target, rest.wire);
    return await performed({ ...rest, target, k6: await k6For(invocation), plan });
  } catch (error) {
    if (error instanceof NoK6) return withoutRequests(plan, "k6", { withheld: error.message });
    // No project could be made for it.
    if (error instanceof Inconclusive) return withoutRequests(plan, "k6", doubtedFor(error.reason));
    throw error;
  }
}

/** The target with an isolated project for its owner, so that the load's usage isn't counted with anything else's. */
async function isolated(target: Target, wire: Wire): Promise<Target> {
  const { control, redact } = target;
  if (!control) return target;
  const keys = new Map(target.keys);
  const made = new KeyHider();
  const { order } = transportTo(target, wire, realClock);
  const wish = projectControl.wishLike(keyOf(target, "paid")?.project);
  await makeProject(projectControl, control, order, wish, (key) => {
    keys.set("paid", key);
    made.add(key.secret);
    return "paid";
  });
  return { ...target, keys, redact: (text) => made.hide(redact(text)) };
}

/** A requirement that breaks under load is broken, even if it passed before. */
export function withLoad(before: readonly Verdict[], under: readonly Verdict[]): readonly Verdict[] {
  const verdicts = new Map(before.map((verdict) => [verdict.id, verdict]));
  for (const verdict of under.filter(({ breaches }) => breaches.length > 0)) {
    const own = verdicts.get(verdict.id);
    verdicts.set(verdict.id, own ? verdictTogether(own, verdict) : verdict);
  }
  return [...verdicts.values()];
}

/** @param verdicts to be recorded */
export function noteLoad(
  invocation: Invocation,
  folder: Pick<RunFolder, "path" | "journal">,
  verdicts: readonly Verdict[],
  { report, exchanges, spent, pages }: Performed,
): void {
  const { journal } = folder;
  for (const exchange of exchanges) journal.note({ event: "exchange", exchange });
  for (const verdict of verdicts) journal.note({ event: "verdict", verdict, spent });
  const { shape, parts } = report;
  const dashboardOf = (at: number, name: string): { readonly dashboard?: string } =>
    pages[at] && attached(invocation, folder, name, pages[at]) ? { dashboard: name } : {};
  const shown = parts?.map((part, at) => ({ ...part, ...dashboardOf(at, `k6-${shape}-${part.nth}.html`) }));
  const dashboards = shown ? { parts: shown } : dashboardOf(0, `k6-${shape}.html`);
  journal.write({ record: "load", load: { ...report, ...dashboards } });
}

/** Ends a run with a load beside it. */
export function endUnderLoad(
  invocation: Invocation,
  folder: RunFolder,
  before: { readonly verdicts: readonly Verdict[]; readonly spent: Spent },
  load: Performed & { readonly isStrict: boolean },
): void {
  const verdicts = withLoad(before.verdicts, load.verdicts);
  const spent = totalSpent([before.spent, load.spent]);
  const changed = verdicts.filter((verdict) => !before.verdicts.includes(verdict));
  noteLoad(invocation, folder, changed, { ...load, spent });
  folder.end(verdicts, spent, exitCodeUnderLoad(verdicts, load.report, load.isStrict));
}

/**
 * Writes and prints a run that is only a load: laws judge it, and no check runs.
 * @throws CommandLineError and Unfinished as `openRun`
 */
export async function judgedAsRun(
  invocation: Invocation,
  target: Target,
  plan: LoadPlan,
  { target: targetFile, ...flags }: JudgingFlags & Pick<RunFolderOptions, "call" | "at">,
  load: (live: LiveLoad) => Promise<Performed & { readonly samples?: readonly SampleNote[] }>,
): Promise<void> {
  const readers = await readersOf(invocation, flags, target);
  const { uncheckedIds } = judgesOf(invocation.project);
  const folder = openRun(target, { ids: [], uncheckedIds, plan: plan.cost }, { ...flags, targetFile });
  const { live, failure, ignoreSignals } = liveLoadIn(invocation, folder, readers);
  const { ending } = live;
  let done: Performed | null = null;
  try {
    const performed = await load(live);
    done = performed;
    const unrecorded = failure();
    if (unrecorded) throw unrecorded;
    for (const sample of performed.samples ?? []) folder.journal.note({ event: "sample", sample });
    noteLoad(invocation, folder, done.verdicts, done);
    if (ending.aborted) folder.journal.note({ event: "cutShort", reason: `${String(ending.reason)} ended it` });
    folder.end(done.verdicts, done.spent, exitCodeUnderLoad(done.verdicts, done.report));
    invocation.exitCode = await finishRun(invocation, folder, readers);
  } catch (error) {
    // What was found is said all the same, where it can't be written.
    if (done && noRoomIn(error))
      invocation.stdout.write(`${unwrittenLines(invocation, folder, done, ending).map(inert).join("\n")}\n`);
    throw error;
  } finally {
    ignoreSignals();
  }
}

/** What a load has found, though its folder can't be written to. */
function unwrittenLines(
  { project, stdout }: Invocation,
  { path }: Pick<RunFolder, "path">,
  { verdicts, report, spent }: Performed,
  ending: AbortSignal,
): readonly string[] {
  const lines: readonly JournalLine[] = [
    ...readJournal(path),
    ...verdicts.map((verdict) => ({ record: "verdict", verdict: shownVerdict(verdict), spent }) as const),
    { record: "load", load: report, spent },
    ...(ending.aborted ? [{ record: "cutShort", reason: `${String(ending.reason)} ended it` } as const] : []),
  ];
  const run = runOf(lines, project.described.tables);
  return run ? closingLines(runDocument(run, null), paintFor(stdout)) : [];
}

/** A bound that the target sets itself counts as a requirement; an inconclusive load is never green. */
export function exitCodeUnderLoad(
  verdicts: readonly Verdict[],
  { doubt, bounds }: LoadReport,
  isStrict = false,
): number {
  const code = exitCodeOf(verdicts, true, isStrict);
  if (code === 1 || bounds.some(({ isKept }) => isKept === false)) return 1;
  return doubt === null ? code : 3;
}

/** Once, however often. */
export function noteLoss(invocation: Invocation, { failures: [first, ...others] }: RemoteWrite): void {
  if (first !== undefined)
    invocation.warn(
      `k6 couldn't send its metrics to the Prometheus of K6_PROMETHEUS_RW_SERVER_URL (${first}; ` +
        `${counted(others.length + 1, "time")}). The load still counts. Does that Prometheus accept native histograms?`,
    );
}
