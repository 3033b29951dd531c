// Whole runs of the reference: in this process on virtual time, or over sockets in real time.
import { wholeSuite } from "../../cli/suite.ts";
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { realClock } from "../../harness/core/clock.ts";
import { openEngine } from "../../harness/engine/engine.ts";
import type { EngineOptions } from "../../harness/engine/options.ts";
import { uncheckedIdsOf } from "../../harness/model/suite.ts";
import { exitCodeOf } from "../../harness/model/verdict.ts";
import { Journal, type JournalLine, readJournal } from "../../harness/record/journal.ts";
import { type Run, runFormat, runOf } from "../../harness/record/run.ts";
import { networkWire } from "../../harness/transport/wire.ts";
import { freshWorld, inProcess } from "../../proof/inProcess.ts";
import { listen } from "../../reference/http.ts";
import type { Variant } from "../../reference/platform/mutant.ts";
import { createPlatform } from "../../reference/platform.ts";
import { edition } from "../../specs/generated/edition.ts";
import type { ObservationId } from "../../specs/generated/observations.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { emptyFolder } from "./assay.ts";

export interface RunOptions {
  readonly variant?: Variant;
  /** All by default. */
  readonly features?: readonly Feature[];
  readonly only?: readonly RequirementId[];
  /** Unspecified behaviours to observe; by default as `only` selects. */
  readonly observe?: readonly ObservationId[];
  /** Recorded start, Unix time in ms. */
  readonly at_ms?: number;
  /** Whether there is a generator for timed requests; in this process only. */
  readonly hasSchedules?: boolean;
}

/** What `assay run` would have left in its journal. */
async function journalOf(
  options: EngineOptions,
  { features, only, observe, at_ms = Date.parse("2026-01-15T10:00:00Z") }: RunOptions,
): Promise<readonly JournalLine[]> {
  const folder = emptyFolder();
  const journal = new Journal(folder, dataPlatform);
  const target = { ...options.target, ...(features ? { offers: features } : {}) };
  const engine = openEngine({ ...options, target, ...(only ? { only } : {}), ...(observe ? { observe } : {}) });
  engine.events.on((event) => journal.note(event));
  const startedAt = new Date(at_ms).toISOString();
  journal.write({
    record: "start",
    version: "0.1.0",
    interface: edition,
    format: runFormat,
    id: `${startedAt.slice(0, 19).replaceAll(":", "-")}Z-${target.name}`,
    target: target.name,
    isReference: target.isReference,
    bases: { ...target.bases },
    command: "npx assay run",
    startedAt,
    planned: engine.ids,
    unchecked: uncheckedIdsOf(options.suite, target.interface),
    plan: { requests: engine.plan.requests, credits: engine.plan.credits, unpriced: engine.plan.unpriced },
  });
  const exitCode = exitCodeOf(await engine.run(), true);
  journal.write({ record: "end", endedAt: new Date(at_ms + 60_000).toISOString(), spent: engine.spent, exitCode });
  return readJournal(folder);
}

export function runFrom(journal: readonly JournalLine[]): Run {
  const run = runOf(journal, dataPlatform);
  if (!run) throw new Error("the run has no beginning");
  return run;
}

export const journalInProcess = (options: RunOptions = {}): Promise<readonly JournalLine[]> =>
  journalOf(inProcess(wholeSuite, options.variant, { hasSchedules: options.hasSchedules ?? false }), options);
export const ranInProcess = async (options: RunOptions = {}): Promise<Run> => runFrom(await journalInProcess(options));

/** Over loopback, in real time. */
export async function ranOverSockets(options: RunOptions = {}): Promise<Run> {
  const controlToken = "over a socket";
  const { world, targetAt } = freshWorld(controlToken);
  const { base, close } = await listen(
    createPlatform({ world, now_ms: Date.now, controlToken, ...(options.variant ? { variant: options.variant } : {}) }),
    0,
  );
  const { wire, close: hangUp } = networkWire();
  try {
    return runFrom(
      await journalOf(
        { suite: wholeSuite, target: targetAt(base), wire, clock: realClock },
        { at_ms: Date.now(), ...options },
      ),
    );
  } finally {
    await Promise.all([close(), hangUp()]);
  }
}
