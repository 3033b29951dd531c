// Benchmark: memory of a whole run in a process of its own, whatever comes of its requests
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { type FaultKind, faultKinds } from "../proof/faults/kinds.ts";
import { faultProxy } from "../proof/faults/proxy.ts";
import { freshWorld, wireTo } from "../proof/inProcess.ts";
import { createPlatform } from "../reference/platform.ts";
import type { Ratio } from "./ratio.ts";

const most_mb = 300;
const launcher = fileURLToPath(new URL("../cli/assay.js", import.meta.url));

const lasts = "maxRSS_kB=";
const saysMemory = `process.on("exit", () => console.error("${lasts}" + process.resourceUsage().maxRSS))`;
const imported = `--import=data:text/javascript;base64,${Buffer.from(saysMemory).toString("base64")}`;

/** Of objects, as JSON that takes several times as much once it is parsed. */
const filler = JSON.stringify(
  Array.from({ length: 14_000 }, (_, nth) => ({
    id: nth,
    note: "a further member that nobody needs",
    amount: nth / 4,
  })),
);
const page = `<html>${"<p>nothing here</p>".repeat(55_000)}</html>`;

const large: { readonly [name: string]: FaultKind | undefined } = {
  "answers of 1 MB": {
    is: "harmless",
    how: ({ body, pass }) => {
      const json = body.toString();
      pass(/^\{./.test(json) ? { body: Buffer.from(`{"filler":${filler},${json.slice(1)}`) } : {});
    },
  },
  "pages of 1 MB": {
    is: "edge",
    how: ({ write, end }) => {
      write(`HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html\r\ncontent-length: ${page.length}\r\n\r\n${page}`);
      end();
    },
  },
  "14 kB of headers": {
    is: "harmless",
    how: ({ pass }) =>
      pass({ headers: Array.from({ length: 140 }, (_, nth) => `x-${nth}: ${"v".repeat(90)}`).join("\r\n") }),
  },
  "a gzip bomb": faultKinds["a gzip bomb"],
};

/** The command's output of errors, whatever its exit code. */
function stderrOf(args: readonly string[], environment: object): Promise<string> {
  const env = { ...process.env, ...environment };
  return text(spawn(process.execPath, [launcher, ...args], { env, stdio: ["ignore", "ignore", "pipe"] }).stderr);
}

/** A run of some hundred requests over real sockets. @throws Error where none of them met the fault */
async function peakOf(name: string, kind: FaultKind, rate: number): Promise<Ratio> {
  const { world, targetAt } = freshWorld("no control");
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
  let sent = 0;
  const proxy = await faultProxy({
    wire: wireTo(createPlatform({ world, now_ms: Date.now }), undefined),
    kind,
    drawFault: () => {
      sent += 1;
      return Math.floor(sent * rate) > Math.floor((sent - 1) * rate);
    },
    elapsed_ms: () => 0,
  });
  try {
    const { keys, projects, samples } = targetAt(proxy.base);
    const file = join(folder, "target.yaml");
    const known = { projects, keys: { paid: { project: "main", env: "ACME_KEY" } }, samples };
    const place = { name: "large", bases: { rpc: proxy.base }, offers: ["tokenAccounts", "compression"] };
    writeFileSync(file, JSON.stringify({ ...place, ...known, quiet: true, pace: { perSecond: 100 } }));
    const environment = { ACME_KEY: keys.get("paid")?.secret.open() ?? "", NODE_OPTIONS: imported };
    const args = ["run", "--target", file, "--no-observe", "--out", join(folder, "run")];
    const stderr = await stderrOf(args, environment);
    const peak_mb = (Number(stderr.split(lasts).at(-1)) * 1024) / 1e6;
    if (proxy.faulted() === 0 || !(peak_mb > 0)) throw new Error(`${name} met no request: ${stderr.slice(-500)}`);
    return {
      name: `memory of a run, ${name} in ${100 * rate} % of answers`,
      measured: peak_mb,
      bound: { atMost: most_mb },
      unit: "MB",
    };
  } finally {
    await proxy.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function measureRunMemory(): Promise<readonly Ratio[]> {
  const ratios: Ratio[] = [];
  for (const [name, kind] of Object.entries(large))
    for (const rate of [0.05, 1]) {
      if (!kind) throw new Error(`no kind ${name}`);
      ratios.push(await peakOf(name, kind, rate));
    }
  return ratios;
}
