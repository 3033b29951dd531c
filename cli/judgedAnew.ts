// The recorded answers of a run, judged anew by all laws: what they break, beside what the run says of them.
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { isMasked } from "../harness/core/secret.ts";
import type { JournalLine } from "../harness/record/journal.ts";
import type { Run } from "../harness/record/run.ts";
import { RecordedCallers } from "../harness/recordings/callers.ts";
import { RecordingJudge } from "../harness/recordings/judge.ts";
import type { Invocation } from "./invocation.ts";
import { targetAt } from "./judged.ts";
import { recordedIn } from "./recordings.ts";
import { wholeSuite } from "./suite.ts";
import { placeholder } from "./target.ts";

/** A requirement, and the exchange whose answer breaks it. */
interface BrokenIn {
  readonly id: string;
  readonly exchange: number;
}

export interface JudgedAnew {
  /** How many answers laws could judge. */
  readonly answers: number;
  /** Of breaches that the run names. */
  readonly breaches: { readonly named: number; readonly again: number };
  /** Requirements of breaches that no law showed again: a check saw them in several answers, or in what isn't kept. */
  readonly notAgain: readonly string[];
  /** What laws find broken where the run says that the requirement holds. */
  readonly contradicted: readonly BrokenIn[];
  /** Requirements that laws find broken, and on which the run has no verdict. */
  readonly unsaid: readonly string[];
}

/** Nothing that a run names is read, neither a target file nor variables. @returns why it can't be done, too */
export async function judgedAnew(
  invocation: Pick<Invocation, "project" | "hide">,
  run: Run,
  lines: readonly JournalLine[],
): Promise<JudgedAnew | string> {
  const judgedIds = new Set<string>(run.requirements.map(({ id }) => id));
  const named = run.requirements.flatMap(({ id, breaches }) => breaches.map(({ exchange }) => ({ id, exchange })));
  try {
    const { answers, broken } = await brokenAnew(invocation, run, new Set(named.map(({ exchange }) => exchange)));
    const notAgain = named.filter((breach) => !broken.has(keyOf(breach))).map(({ id }) => id);
    return {
      answers,
      breaches: { named: named.length, again: named.length - notAgain.length },
      notAgain: [...new Set(notAgain)],
      contradicted: contradictedIn([...broken.values()], run, lines),
      unsaid: [...new Set([...broken.values()].map(({ id }) => id))].filter((id) => !judgedIds.has(id)),
    };
  } catch (error) {
    if (error instanceof CommandLineError) return error.message;
    throw error;
  }
}

/**
 * What laws find, and in how many answers.
 * @param breaking exchanges that the run has breaches of
 * @throws CommandLineError where the run names no platform that can be
 */
async function brokenAnew(
  { project, hide }: Pick<Invocation, "project" | "hide">,
  { target, exchanges }: Run,
  breaking: ReadonlySet<number>,
): Promise<{ readonly answers: number; readonly broken: ReadonlyMap<string, BrokenIn> }> {
  const broken = new Map<string, BrokenIn>();
  // What a config adds is code, and isn't loaded.
  const bases = Object.entries(target.bases).filter(([api]) => Object.hasOwn(project.form.interface.apis, api));
  if (bases.length === 0) return { answers: 0, broken };
  const known = targetAt({ project, hide, env: {} }, Object.fromEntries(bases), target.name);
  const callers = new RecordedCallers(known, new Map(), placeholder);
  const judge = new RecordingJudge({ callers, laws: wholeSuite.laws, impliedFails: false, onExchange: () => {} });
  for (const exchange of exchanges)
    for (const call of await judge.add(recordedIn(exchange, breaking.has(exchange.number))))
      for (const [id] of call.broken) {
        const found = { id, exchange: exchange.number };
        broken.set(keyOf(found), found);
      }
  return { answers: judge.report.judged, broken };
}

const keyOf = ({ id, exchange }: BrokenIn): string => `${id} ${exchange}`;

/** Failures that didn't occur again are known to the run, as are outages, in which refusals are no answers to judge. */
function contradictedIn(
  broken: readonly BrokenIn[],
  { requirements, exchanges, outages = [] }: Run,
  lines: readonly JournalLine[],
): readonly BrokenIn[] {
  const holding = new Set(requirements.flatMap(({ id, verdict }): string[] => (verdict === "holds" ? [id] : [])));
  const passing = new Set(lines.flatMap((line) => (line.record === "intermittent" ? [line.exchange] : [])));
  const refused = exchanges.flatMap(({ number, outcome }) => (outcome === "served" ? [] : [number]));
  const inOutages = new Set(outages.length > 0 ? refused : []);
  // Laws may break what stands in a key's place.
  const withoutKey = new Set(
    exchanges.flatMap(({ number, answer }) => (answer && isMasked(JSON.stringify(answer)) ? [number] : [])),
  );
  const excused = [passing, inOutages, withoutKey];
  return broken.filter(({ id, exchange }) => holding.has(id) && !excused.some((some) => some.has(exchange)));
}
