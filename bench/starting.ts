// Benchmark: the processor time of a run of one requirement, relative to that of the version alone
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median } from "simple-statistics";
import type { Ratio } from "./ratio.ts";

const launcher = fileURLToPath(new URL("../cli/assay.js", import.meta.url));

/** One loads all that judges, starts the reference and asks it a dozen times. */
const most = 10;
const times = 5;

/** Of this process's children that have ended, in ticks (Linux). */
function ticksOfChildren(): number {
  const fields = readFileSync("/proc/self/stat", "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return Number(fields[13]) + Number(fields[14]);
}

/** @throws Error where the command fails */
function ticksOf(...args: readonly string[]): number {
  const before = ticksOfChildren();
  const { status } = spawnSync(process.execPath, [launcher, ...args], { stdio: "ignore" });
  if (status !== 0) throw new Error(`assay ${args.join(" ")} ended with ${status}`);
  return ticksOfChildren() - before;
}

export function measureStarting(): Ratio {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
  const medianOf = (argsOf: (nth: number) => readonly string[]): number =>
    median(Array.from({ length: times }, (_, nth) => ticksOf(...argsOf(nth))));
  try {
    ticksOf("--version");
    const ofRun = medianOf((nth) => ["run", "--only", "USG-HTTP-01", "--out", join(folder, String(nth))]);
    return {
      name: "processor time of a run of one requirement, relative to `assay --version`",
      measured: ofRun / medianOf(() => ["--version"]),
      bound: { atMost: most },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
