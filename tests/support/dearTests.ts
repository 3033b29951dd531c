// A reporter: the processor time of each test and of what it starts, as Linux counts it.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FullConfig, Reporter, Suite, TestCase, TestResult } from "@playwright/test/reporter";

const results = fileURLToPath(new URL("../../test-results/", import.meta.url));
const pids = join(results, "workers");

/** Linux's clock ticks. */
const perSecond = 100;

/** Set in a worker and in whatever it starts: a run of Playwright that a test starts has its worker's index, too. */
const named = "ASSAY_TEST_WORKER";

/** Called by a worker, so that the reporter, in the process above it, knows it. */
export function nameWorker(): void {
  const { TEST_WORKER_INDEX: index } = process.env;
  if (index === undefined || process.env[named]) return;
  process.env[named] = index;
  mkdirSync(pids, { recursive: true });
  writeFileSync(join(pids, index), String(process.pid));
}

/** Of a process and all that it has started and waited for; null where the system doesn't say. */
function secondsOf(pid: number | "self"): number | null {
  try {
    // After the name, which may hold anything.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / perSecond;
  } catch {
    return null;
  }
}

interface Took {
  readonly file: string;
  readonly title: string;
  readonly seconds: number;
}

class DearTests implements Reporter {
  readonly #began = new Map<number, number | null>();
  readonly #took: Took[] = [];
  #rootDir = "";

  onBegin({ rootDir }: FullConfig, _suite: Suite): void {
    this.#rootDir = rootDir;
  }

  /** By worker: what a file does before its first test counts for that test. */
  onTestEnd(test: TestCase, { workerIndex }: TestResult): void {
    let now: number | null = null;
    try {
      now = secondsOf(Number(readFileSync(join(pids, String(workerIndex)), "utf8")));
    } catch {
      // A test that no worker ran.
    }
    if (now === null) return;
    const before = this.#began.get(workerIndex) ?? 0;
    this.#began.set(workerIndex, now);
    const file = test.location.file.slice(this.#rootDir.length + 1);
    this.#took.push({ file, title: test.titlePath().slice(3).join(" › "), seconds: now - before });
  }

  onEnd(): void {
    rmSync(pids, { recursive: true, force: true });
    const took = this.#took.sort((a, b) => b.seconds - a.seconds);
    writeFileSync(join(results, "processorTime.json"), `${JSON.stringify(took, null, 1)}\n`);
  }

  printsToStdio(): boolean {
    return false;
  }
}

export default DearTests;
