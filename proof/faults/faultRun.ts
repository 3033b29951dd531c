// Runs over a proxy that causes one kind of fault: what they find, how they end, and what they take
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { steppedClock } from "../../harness/core/clock.ts";
import { openEngine } from "../../harness/engine/engine.ts";
import { exitCodeOf } from "../../harness/model/verdict.ts";
import { Journal, journalName, readJournal } from "../../harness/record/journal.ts";
import { type Run, runOf } from "../../harness/record/run.ts";
import { networkWire } from "../../harness/transport/wire.ts";
import { chanceOf } from "../../load/k6/chance.ts";
import { loadSuite } from "../../load/suite.ts";
import { inProcess, virtualStart_ms } from "../inProcess.ts";
import { type FaultKind, faultKinds } from "./kinds.ts";
import { faultProxy } from "./proxy.ts";

export interface FaultRun {
  readonly kind: string;
  /** The share of requests that meet the fault. */
  readonly rate: number;
  readonly run: Run;
  readonly faulted: number;
  /** In virtual time. */
  readonly took_s: number;
  readonly journal_bytes: number;
}

/** Some faults give no answer, which is waited for often. What does no harm is answered, however busy we are. */
const deadlineOf_ms = (is: FaultKind["is"] = "harmless"): number => (is === "harmless" || is === "own" ? 10_000 : 400);

/** As on a network. */
const latency_ms = 60;

/** The reference without control, judged as a vendor over real sockets, in virtual time. */
export async function faultRun(kind: string, rate: number, seed = 7): Promise<FaultRun> {
  const clock = steppedClock(virtualStart_ms);
  const { target: own, wire, ...options } = inProcess(loadSuite, undefined, { clockFrom: () => clock });
  let requests = 0;
  const began_ms = clock.now_ms();
  const proxy = await faultProxy({
    wire,
    kind: faultKinds[kind] ?? null,
    drawFault: () => {
      requests += 1;
      return chanceOf(seed, requests - 1) < rate;
    },
    elapsed_ms: () => clock.now_ms() - began_ms,
  });
  const network = networkWire({ environment: {}, largestBody_bytes: 1024 * 1024 });
  const { control: _, ...rest } = own;
  const bases = Object.fromEntries(Object.keys(own.bases).map((api) => [api, proxy.base])) as typeof own.bases;
  const target = { ...rest, bases, isReference: false, quiet: true };
  const folder = mkdtempSync(join(tmpdir(), "assay-faults-"));
  const journal = new Journal(folder, target.interface);
  const startedAt = new Date(began_ms).toISOString();
  try {
    const engine = openEngine({
      ...options,
      target,
      deadline_ms: deadlineOf_ms(faultKinds[kind]?.is),
      // However long a socket takes on a busy machine, each answer takes the same time.
      wire: async (request, signal) => {
        await clock.sleep(latency_ms);
        return clock.during(() => network.wire(request, signal));
      },
      observe: [],
    });
    engine.events.on((event) => journal.note(event));
    journal.write({
      record: "start",
      version: "",
      interface: target.interface.edition,
      id: kind,
      target: target.name,
      isReference: false,
      bases,
      command: "assay run",
      startedAt,
      planned: engine.ids,
      unchecked: [],
      plan: engine.plan,
    });
    const verdicts = await engine.run();
    journal.write({ record: "end", endedAt: startedAt, spent: engine.spent, exitCode: exitCodeOf(verdicts, true) });
    const run = runOf(readJournal(folder), target.interface);
    if (!run) throw new Error("a journal has a start");
    const journal_bytes = statSync(join(folder, journalName)).size;
    return {
      kind,
      rate,
      run,
      faulted: proxy.faulted(),
      took_s: Math.round((clock.now_ms() - began_ms) / 1000),
      journal_bytes,
    };
  } finally {
    await Promise.all([network.close(), proxy.close()]);
    rmSync(folder, { recursive: true });
  }
}
