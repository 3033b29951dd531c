// Benchmark: memory for reading k6's output, from a process that prints faster than k6 can here
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { LoadRead } from "./loadReader.ts";
import type { Ratio } from "./ratio.ts";

const perSecond = 5_000;
/** All memory of the process, most of it code. */
const most_mb = 200;
/** The least share of the rate that must be reached. */
const leastPace = 0.9;
/** The time in which both processes start. */
const start_s = 15;

const reader = fileURLToPath(new URL("loadReader.ts", import.meta.url));
const stream = fileURLToPath(new URL("k6Stream.ts", import.meta.url));

/** No request is sent there. */
const unused = "http://127.0.0.1:9";
const target = `
name: unused
bases: { admin: "${unused}", api: "${unused}", rpc: "${unused}" }
projects: { main: { id: 5f0d5c1e-7f5b-4a57-9a0c-1d2e3f405162, plan: paid } }
keys: { paid: { project: main, env: BENCH_KEY } }
samples:
  wallets: [5esGTe7gDxMcXo97WWuPRha9NDjvoVvf3bXkZeLRyUzv]
  owner: D1VtmGG1jUKtipm1ZGmkbro3akJ5J6CxzfJSJPnqoe5w
`;

/** @throws Error where the stream was too slow */
export async function measureStreamMemory({ seconds = 30 }: { readonly seconds?: number } = {}): Promise<Ratio> {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
  const file = join(folder, "target.yaml");
  const k6 = join(folder, "k6");
  writeFileSync(file, target);
  writeFileSync(
    k6,
    `#!/bin/sh\nexec '${process.execPath}' --import '${import.meta.resolve("tsx")}' '${stream}' "$@"\n`,
    { mode: 0o755 },
  );
  try {
    const began = performance.now();
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--import", "tsx", reader, file, k6, String(perSecond), String(seconds)],
      { env: { ...process.env, BENCH_KEY: "5f0d5c1e-7f5b-4a57-9a0c-1d2e3f405163" } },
    );
    const took_s = (performance.now() - began) / 1000;
    const { peak_bytes, requests, shown } = JSON.parse(stdout) as LoadRead;
    if (requests < perSecond * seconds || took_s > seconds / leastPace + start_s || shown < 50)
      throw new Error(`only ${requests} requests and ${shown} answers were reported in ${took_s} s`);
    return {
      name: `memory of a process that reads a load of ${perSecond} requests a second for ${seconds} s`,
      measured: peak_bytes / 1e6,
      bound: { atMost: most_mb },
      unit: "MB",
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
