// Benchmark: how long a run takes to end on a signal, relative to its reports alone
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Ratio } from "./ratio.ts";

const launcher = fileURLToPath(new URL("../cli/assay.js", import.meta.url));

/** Besides its reports it waits for the requests that are on their way. */
const most = 2;

const start = (...args: readonly string[]) =>
  spawn(process.execPath, [launcher, ...args], { stdio: ["ignore", "pipe", "ignore"] });

/** In ms. @throws Error where a process ends otherwise */
async function timeToEnd(process: ReturnType<typeof start>): Promise<number> {
  const from = performance.now();
  process.stdout.resume();
  const [code] = (await once(process, "close")) as [number | null];
  if (code !== 3) throw new Error(`ended with ${code}, not with 3`);
  return performance.now() - from;
}

/** A run that is stopped once hundreds of requirements are judged. */
export async function measureEnding(): Promise<Ratio> {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
  const out = join(folder, "run");
  try {
    const running = start("run", "--out", out);
    for await (const chunk of running.stdout.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>)
      if (chunk.toString().includes("judged")) break;
    running.kill("SIGTERM");
    const ending_ms = await timeToEnd(running);
    const reporting_ms = await timeToEnd(start("report", out));
    return {
      name: "a run that SIGTERM ends, relative to its reports in a process of their own",
      measured: ending_ms / reporting_ms,
      bound: { atMost: most },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
