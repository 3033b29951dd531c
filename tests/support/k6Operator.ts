// A cluster in processes of this machine: what k6-operator makes of a folder of `assay load --k8s`, started and merged.
import { spawn } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { parse } from "yaml";
import type { K6 } from "../../load/k6/ensure.ts";
import { cliPath, type Ended, emptyFolder, start } from "./assay.ts";
import { portOf, vendor } from "./vendor.ts";

type Variables = { readonly [name: string]: string };

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly fieldRef?: { readonly fieldPath: string };
    readonly secretKeyRef?: { readonly name: string; readonly key: string; readonly optional?: boolean };
  };
}

interface Volume {
  readonly name: string;
  readonly persistentVolumeClaim?: { readonly claimName: string };
  readonly configMap?: { readonly name: string };
}

interface Mount {
  readonly name: string;
  readonly mountPath: string;
}

interface Pod {
  readonly image: string;
  readonly env: readonly Variable[];
  readonly volumes?: readonly Volume[];
  readonly volumeMounts?: readonly Mount[];
}

export interface TestRun {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly parallelism: number;
    readonly script: { readonly configMap: { readonly name: string; readonly file: string } };
    readonly arguments: string;
    readonly initializer: Pod;
    readonly runner: Pod;
  };
}

interface Job {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly volumes: readonly Volume[];
        readonly containers: readonly [
          { readonly command: readonly string[]; readonly volumeMounts: readonly Mount[] },
        ];
      };
    };
  };
}

export interface Kustomization {
  readonly resources: readonly string[];
  readonly configMapGenerator: readonly [{ readonly name: string; readonly files: readonly string[] }];
}

/** No pod reaches a platform by an address of loopback. */
const serviceHost = "acme.test";

/** A Service before a platform on this machine, which answers to its own name only. @returns its address for pods */
export async function serviceBefore(platform: string) {
  const { base, close } = await vendor((asked, answer) => {
    const passed = request(new URL(asked.url ?? "/", platform), {
      method: asked.method,
      headers: { ...asked.headers, host: new URL(platform).host },
    });
    passed.on("response", (got) => got.pipe(answer.writeHead(got.statusCode ?? 502, got.headers)));
    passed.on("error", () => answer.destroy());
    asked.pipe(passed);
  });
  return { base: base.replace("127.0.0.1", serviceHost), close };
}

/** What the cluster's DNS is to its pods, as a config of k6. */
function namesOfServices(): string {
  const file = join(emptyFolder(), "config.json");
  writeFileSync(file, JSON.stringify({ hosts: { [serviceHost]: "127.0.0.1" } }));
  return file;
}

const statusOf = (port: number): string => `http://127.0.0.1:${port}/v1/status`;

async function listening(port: number): Promise<void> {
  const isThere = (): Promise<boolean> =>
    fetch(statusOf(port)).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isThere, { timeout: 20_000 }).toBe(true);
}

/** As the operator's starter does. */
async function resume(port: number): Promise<void> {
  const data = { attributes: { paused: false }, id: "default", type: "status" };
  const headers = { "content-type": "application/json" };
  await fetch(statusOf(port), { method: "PATCH", headers, body: JSON.stringify({ data }) });
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await portOf(server);
  await new Promise((closed) => server.close(closed));
  return port;
}

/** The last of two segments that meet at 1/3 is written `1/3:2/3`. */
function segmentFlags(nth: number, of: number): readonly string[] {
  if (of === 1) return [];
  const end = (at: number): string => (at === 0 ? "0" : at === of ? "1" : `${at}/${of}`);
  const ends = Array.from({ length: of + 1 }, (_, at) => end(at));
  return [`--execution-segment=${end(nth - 1)}:${end(nth)}`, `--execution-segment-sequence=${ends.join(",")}`];
}

interface Secret {
  readonly name: string;
  readonly values: Variables;
}

/** The variables of a pod of that name, with the values of the one Secret that there is. */
function environmentOf({ env }: Pod, pod: string, { name, values }: Secret): Variables {
  const valueOf = ({ value, valueFrom }: Variable): string | undefined => {
    if (valueFrom?.fieldRef?.fieldPath === "metadata.name") return pod;
    const { secretKeyRef: ref } = valueFrom ?? {};
    if (!ref) return value;
    const kept = ref.name === name ? values[ref.key] : undefined;
    if (kept === undefined && !ref.optional) throw new Error(`CreateContainerConfigError: ${ref.key}`);
    return kept;
  };
  const set = env.map((one) => [one.name, valueOf(one)] as const);
  return Object.fromEntries(set.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** The command of the nth runner's container but for its address, with the paths of its pod. */
const commandOf = ({ spec, metadata }: TestRun, nth: number, environment: Variables, port: number): readonly string[] =>
  [
    ...["run", "--quiet", ...segmentFlags(nth, spec.parallelism), ...spec.arguments.split(" ")],
    ...[
      `/test/${spec.script.configMap.file}`,
      `--address=127.0.0.1:${port}`,
      "--paused",
      `--config=${namesOfServices()}`,
    ],
    ...["--tag", `instance_id=${nth}`, "--tag", `testrun_name=${metadata.name}`],
  ].map((word) => word.replace(/\$\((\w+)\)/g, (all, name: string) => environment[name] ?? all));

/** What kustomize makes of a folder: its resources, and where their volumes are on this machine. */
function kustomized(folder: string) {
  const yaml = (file: string): unknown => parse(readFileSync(join(folder, file), "utf8"));
  const { resources, configMapGenerator } = yaml("kustomization.yaml") as Kustomization;
  const all = resources.map(yaml) as readonly { readonly kind: string }[];
  const ofKind = (kind: string): unknown => all.find((one) => one.kind === kind);
  const claim = ofKind("PersistentVolumeClaim") as { readonly metadata: { readonly name: string } };
  const [volume, mapped, [map]] = [emptyFolder(), emptyFolder(), configMapGenerator];
  for (const file of map.files) copyFileSync(join(folder, file), join(mapped, file));
  const folderOf = ({ persistentVolumeClaim, configMap }: Volume): string => {
    if (persistentVolumeClaim?.claimName === claim.metadata.name) return volume;
    if (configMap?.name === map.name) return mapped;
    throw new Error("there is no such volume");
  };
  /** Paths of a pod as they are here. */
  const localIn = (volumes: readonly Volume[] = [], mounts: readonly Mount[] = []) => {
    const folders = mounts.map(({ name, mountPath }) => {
      const of = volumes.find((one) => one.name === name);
      if (!of) throw new Error(`no volume ${name}`);
      return [`${mountPath}/`, `${folderOf(of)}/`] as const;
    });
    return (text: string): string => folders.reduce((all, [from, to]) => all.replaceAll(from, to), text);
  };
  return { testRun: ofKind("TestRun") as TestRun, job: ofKind("Job") as Job, volume, localIn };
}

/** @param secret the only one, by the name that it has in the cluster */
export function clusterOf(folder: string, k6: K6, secret: Secret) {
  const { testRun, job, volume, localIn } = kustomized(folder);
  const { spec, metadata } = testRun;
  const { runner, initializer, script } = spec;
  const ofOperator = { name: "k6-test-volume", configMap: { name: script.configMap.name } };
  const mounts = [{ name: "k6-test-volume", mountPath: "/test" }, ...(runner.volumeMounts ?? [])];
  const local = localIn([ofOperator, ...(runner.volumes ?? [])], mounts);
  const startRunner = async (nth: number) => {
    const port = await freePort();
    const env = environmentOf(runner, `${metadata.name}-${nth}-x7k2p`, secret);
    const child = spawn(k6.path, commandOf(testRun, nth, env, port).map(local), { env, stdio: "ignore" });
    const ended = new Promise((done) => child.on("close", done));
    await listening(port);
    return { nth, port, child, ended };
  };
  return {
    volume,
    /** Starts all runners and resumes them together, but for one that is lost before. */
    async runners({ lost = 0 } = {}) {
      const started = await Promise.all(Array.from({ length: spec.parallelism }, (_, at) => startRunner(at + 1)));
      for (const { nth, child } of started) if (nth === lost) child.kill("SIGKILL");
      await Promise.all(started.filter(({ nth }) => nth !== lost).map(({ port }) => resume(port)));
      return started;
    },
    /** How many lines the log of a pod has whose name begins so. */
    logged(pod: string): number {
      const log = readdirSync(volume).find((name) => name.includes(pod));
      return log === undefined ? 0 : readFileSync(join(volume, log), "utf8").split("\n").length;
    },
    /** What the initializer prints; it leaves the log's flag out. */
    initialize(): Promise<Ended> {
      const archive = join(emptyFolder(), "load.tar");
      const flags = spec.arguments.split(" ").filter((flag) => !flag.startsWith("--log-output"));
      const source = local(`/test/${script.configMap.file}`);
      const line =
        `"${k6.path}" archive --log-output=none ${source} -O ${archive} ${flags.join(" ")} && ` +
        `"${k6.path}" inspect --execution-requirements --log-output=none ${archive}`;
      return start("sh", ["-c", line], environmentOf(initializer, "initializer", secret)).ended;
    },
    merge(): Promise<Ended> {
      const { containers, volumes } = job.spec.template.spec;
      const [{ command, volumeMounts }] = containers;
      const [program = "", ...args] = command
        .map(localIn(volumes, volumeMounts))
        .map((word) => word.replace("exec assay ", `exec "${process.execPath}" "${cliPath}" `));
      return start(program, args).ended;
    },
  };
}
