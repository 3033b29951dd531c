// What does a load leave in a run: alone, or as the last plane of a run that judged everything else before?
import { Inconclusive } from "../harness/check.ts";
import type { Journal } from "../harness/journal.ts";
import type { LoadReport } from "../harness/load.ts";
import type { Target } from "../harness/target.ts";
import { exitCodeOf, type Verdict } from "../harness/verdict.ts";
import type { Wire } from "../harness/wire.ts";
import { NoK6 } from "../load/k6/ensure.ts";
import { emptyReport, type Performance, type Performed, perform, planLoad } from "../load/load.ts";
import { smoke } from "../load/smoke.ts";
import { secondsOf } from "../load/traffic.ts";
import { k6Here } from "./generator.ts";
import { loadProgressOn } from "./loadProgress.ts";
import { suite } from "./suite.ts";

const came = (report: LoadReport): Performed => ({ report, verdicts: [], exchanges: [], spent: { requests: 0, credits: 0, unpriced: 0 } });

/** A load whose end is told whatever came of it. */
export async function performed(performance: Performance): Promise<Performed> {
  try {
    return await perform(performance);
  } catch (error) {
    if (!(error instanceof Inconclusive)) throw error;
    return came(emptyReport(performance.plan, `k6 ${performance.k6.version}`, { doubt: error.message }));
  }
}

interface After {
  readonly target: Target;
  readonly wire: Wire;
  readonly impliedFails: boolean;
  readonly isQuiet: boolean;
  readonly seed: number;
  /** Numbers of exchanges go on from there. */
  readonly firstNumber: number;
}

/** Smoke after everything else; where there is no k6 and none can be built it is withheld, and what was judged before counts as it does. */
export async function smokeAfter(after: After): Promise<Performed> {
  const done = await smoked(after);
  return { ...done, report: { ...done.report, after: after.firstNumber - 1 } };
}

async function smoked({ seed, isQuiet, ...rest }: After): Promise<Performed> {
  const plan = planLoad(rest.target, smoke, { seed });
  const progress = loadProgressOn(process.stdout, secondsOf(plan.phases), { isQuiet });
  try {
    return await performed({ ...rest, k6: await k6Here(), plan, suite, onProgress: progress.note });
  } catch (error) {
    if (!(error instanceof NoK6)) throw error;
    return came(emptyReport(plan, "k6", { withheld: error.message }));
  } finally {
    progress.end();
  }
}

/** What was broken under load is broken, whatever was seen before. */
export function withLoad(before: readonly Verdict[], under: readonly Verdict[]): readonly Verdict[] {
  const broken = new Map(under.flatMap((verdict) => (verdict.breaches.length > 0 ? [[verdict.id, verdict] as const] : [])));
  const known = new Set(before.map(({ id }) => id));
  return [
    ...before.map((verdict) => {
      const worse = broken.get(verdict.id);
      return worse ? { ...worse, breaches: [...verdict.breaches, ...worse.breaches], exchanges: [...verdict.exchanges, ...worse.exchanges] } : verdict;
    }),
    ...[...broken.values()].filter(({ id }) => !known.has(id)),
  ];
}

/** @param verdicts that are to be told */
export function noteLoad(journal: Journal, verdicts: readonly Verdict[], { report, exchanges, spent }: Performed): void {
  for (const exchange of exchanges) journal.note({ event: "exchange", exchange });
  for (const verdict of verdicts) journal.note({ event: "verdict", verdict, spent });
  journal.write({ record: "load", load: report });
}

/** A bound that the target sets itself counts as a promise; a load in doubt never as green. */
export function exitCodeUnderLoad(verdicts: readonly Verdict[], { doubt, bounds }: LoadReport): number {
  const code = exitCodeOf(verdicts, true);
  if (code === 1 || bounds.some(({ isKept }) => !isKept)) return 1;
  return doubt === null ? code : 3;
}
