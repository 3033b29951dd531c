// How much memory does reading a load take? A process reads what another one says in k6's place, at a rate that no k6 reaches here.
import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Heard } from "./loadReader.ts";
import type { Ratio } from "./ratio.ts";

const perSecond = 5_000;
/** All that the process holds, most of which is its code. */
const most_mb = 200;
/** The rate must be about that which is spoken of. */
const leastPace = 0.9;
/** What starting both processes takes, of the time that is measured. */
const start_s = 15;

const listener = fileURLToPath(new URL("loadReader.ts", import.meta.url));
const stream = fileURLToPath(new URL("k6Stream.ts", import.meta.url));

/** Nothing is sent there. */
const nowhere = "http://127.0.0.1:9";
const target = `
name: heard
bases: { admin: "${nowhere}", api: "${nowhere}", rpc: "${nowhere}" }
projects: { main: { id: 5f0d5c1e-7f5b-4a57-9a0c-1d2e3f405162, plan: paid } }
keys: { paid: { project: main, env: BENCH_KEY } }
samples: { wallets: [5esGTe7gDxMcXo97WWuPRha9NDjvoVvf3bXkZeLRyUzv], owner: D1VtmGG1jUKtipm1ZGmkbro3akJ5J6CxzfJSJPnqoe5w }
`;

/** @throws Error where the stream was slower than it should be */
export async function measureListening({ seconds = 30 }: { readonly seconds?: number } = {}): Promise<Ratio> {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
  const [file, k6] = [join(folder, "target.yaml"), join(folder, "k6")];
  writeFileSync(file, target);
  writeFileSync(
    k6,
    `#!/bin/sh\nexec '${process.execPath}' --import '${import.meta.resolve("tsx")}' '${stream}' "$@"\n`,
  );
  chmodSync(k6, 0o755);
  try {
    const began = performance.now();
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--import", "tsx", listener, file, k6, String(perSecond), String(seconds)],
      {
        env: { ...process.env, BENCH_KEY: "5f0d5c1e-7f5b-4a57-9a0c-1d2e3f405163" },
      },
    );
    const took_s = (performance.now() - began) / 1000;
    const { peak_bytes, requests, shown } = JSON.parse(stdout) as Heard;
    if (requests < perSecond * seconds || took_s > seconds / leastPace + start_s || shown < 50)
      throw new Error(`${requests} requests and ${shown} answers were told of in ${took_s} s`);
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
