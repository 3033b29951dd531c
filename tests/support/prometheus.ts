// A Prometheus for tests: on the PATH, unpacked before, or unpacked now from Debian's package
import { execFile, spawn, spawnSync } from "node:child_process";
import { accessSync, constants, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "@playwright/test";
import { emptyFolder, root } from "./assay.ts";
import { deadBase } from "./vendor.ts";

const run = promisify(execFile);

/** Programs of one package lie in one folder. */
const programs = ["prometheus", "promtool"] as const;

function holdsPrograms(folder: string): boolean {
  try {
    for (const name of programs) accessSync(join(folder, name), constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** From 2.40 on it takes native histograms by remote write. @throws Error where there is none and no Debian's */
async function folderOfPrograms(): Promise<string> {
  const unpacked = join(root, ".tools/prometheus");
  const known = [...(process.env["PATH"] ?? "").split(delimiter), unpacked].find(holdsPrograms);
  if (known !== undefined) return known;
  mkdirSync(join(root, ".tools"), { recursive: true });
  const folder = mkdtempSync(join(root, ".tools/unpacking-"));
  try {
    await run("apt-get", ["download", "prometheus"], { cwd: folder, timeout: 120_000 });
    const [name = ""] = readdirSync(folder).filter((one) => one.endsWith(".deb"));
    await run("dpkg", ["-x", join(folder, name), join(folder, "unpacked")], { timeout: 60_000 });
    renameSync(join(folder, "unpacked/usr/bin"), unpacked);
    return unpacked;
  } catch (error) {
    throw new Error(
      "There is no Prometheus here: none is on the PATH, and Debian's package can't be had. " +
        `Try apt-get update. ${(error as Error).message}`,
      { cause: error },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One series of a result: its labels and its value. */
export interface Series {
  readonly metric: { readonly [label: string]: string };
  readonly value: number;
}

const ready_ms = 60_000;

/** Starts one on loopback that takes remote writes with native histograms. @param config of what it scrapes */
export async function prometheus(config: string) {
  const folder = await folderOfPrograms();
  const [place, base] = [emptyFolder(), await deadBase()];
  writeFileSync(join(place, "prometheus.yml"), config);
  const child = spawn(
    join(folder, "prometheus"),
    [
      `--config.file=${join(place, "prometheus.yml")}`,
      `--storage.tsdb.path=${join(place, "data")}`,
      `--web.listen-address=${new URL(base).host}`,
      "--web.enable-remote-write-receiver",
      "--enable-feature=native-histograms",
      "--log.level=warn",
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  let log = "";
  child.stderr.on("data", (chunk: Buffer) => {
    log += chunk.toString();
  });
  const ended = new Promise<void>((done) => void child.once("close", () => done()));
  const stop = async (): Promise<void> => {
    child.kill();
    await ended;
  };
  const isReady = (): Promise<boolean> =>
    fetch(`${base}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  const isUp = expect.poll(isReady, { timeout: ready_ms, message: "Prometheus isn't ready" }).toBe(true);
  await isUp.catch(async (error: unknown) => {
    await stop();
    throw new Error(`${String(error)} ${log}`);
  });
  /** @throws Error with Prometheus' words where it refuses */
  async function data(path: string, parameters: { readonly [name: string]: string }): Promise<unknown> {
    const response = await fetch(`${base}/api/v1/${path}?${new URLSearchParams(parameters).toString()}`);
    const answer = (await response.json()) as { readonly data?: unknown; readonly error?: string };
    if (answer.error !== undefined) throw new Error(`${parameters["query"] ?? path}: ${answer.error}`);
    return answer.data;
  }
  return {
    base,
    stop,
    data,
    /** The instant value of an expression. */
    query: async (query: string): Promise<readonly Series[]> => {
      const { result } = (await data("query", { query })) as { readonly result: readonly InstantResult[] };
      return result.map(({ metric, value }) => ({ metric, value: Number(value?.[1] ?? Number.NaN) }));
    },
    /** What `promtool check metrics` says of a text; "" for nothing. */
    checkMetrics: (text: string): string => {
      const command = [join(folder, "promtool"), ["check", "metrics"]] as const;
      const { stdout, stderr } = spawnSync(...command, { input: text, encoding: "utf8", timeout: 30_000 });
      return stdout + stderr;
    },
  };
}

interface InstantResult {
  readonly metric: Series["metric"];
  /** Absent for a native histogram. */
  readonly value?: readonly [time: number, value: string];
}
