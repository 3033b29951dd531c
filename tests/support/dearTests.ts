// A reporter: the processor time of each test and of what it starts, as Linux counts it, and which tests take too much.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { FullConfig, FullResult, Reporter, Suite, TestCase, TestResult } from "@playwright/test/reporter";
import { parse } from "yaml";

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

export interface Took {
  readonly file: string;
  readonly title: string;
  readonly seconds: number;
  /** Whether what its file loads counts for it. */
  readonly isFirst: boolean;
}

/** A test of a push takes no more, unless its file is in tests/dear.yaml, with why. */
const most_s = 1;
/** Loading all that judges and is judged. */
const loading_s = 2;
/** A busy machine takes up to twice the time, and noise is no failure. */
const slack = 3;

/** Tests that take so many times what they may. */
export const beyond = (took: readonly Took[], listed: ReadonlySet<string>, times: number): readonly Took[] =>
  took.filter(
    ({ file, seconds, isFirst }) => !listed.has(file) && seconds > times * (most_s + (isFirst ? loading_s : 0)),
  );

const lineOf = ({ file, title, seconds }: Took): string => `  ${seconds.toFixed(1)} s  ${file} › ${title}`;

class DearTests implements Reporter {
  readonly #began = new Map<number, number | null>();
  readonly #latest = new Map<number, string>();
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
    const file = relative(this.#rootDir, test.location.file).replaceAll("\\", "/");
    const isFirst = this.#latest.get(workerIndex) !== file;
    this.#latest.set(workerIndex, file);
    this.#took.push({ file, title: test.titlePath().slice(3).join(" › "), seconds: now - before, isFirst });
  }

  onEnd(): Promise<{ status?: FullResult["status"] }> {
    rmSync(pids, { recursive: true, force: true });
    const took = this.#took.sort((a, b) => b.seconds - a.seconds);
    writeFileSync(join(results, "processorTime.json"), `${JSON.stringify(took, null, 1)}\n`);
    if (process.env["ASSAY_SLOW"]) return Promise.resolve({});
    const listed = new Set(Object.keys(parse(readFileSync(join(this.#rootDir, "dear.yaml"), "utf8")) as object));
    const [dear, far] = [beyond(took, listed, 1), beyond(took, listed, slack)];
    if (dear.length > 0)
      console.log(
        [
          "",
          "More processor time than a test of a push should take, and not in tests/dear.yaml:",
          ...dear.map(lineOf),
        ].join("\n"),
      );
    return Promise.resolve(far.length > 0 ? { status: "failed" } : {});
  }

  printsToStdio(): boolean {
    return false;
  }
}

export default DearTests;
