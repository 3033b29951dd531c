// Tests of `assay load --k8s`: its files fit k6-operator, and processes started by them are judged as one load
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { parse } from "yaml";
import { walletBaselines } from "../../contracts/wallet/requests.ts";
import { assay, assayProcess, bytesBelow, emptyFolder, read, runIn } from "../support/assay.ts";
import { failing, planted } from "../support/crashes.ts";
import { k6 } from "../support/k6.ts";
import { clusterOf, type Kustomization, serviceBefore, type TestRun } from "../support/k6Operator.ts";
import { type MutantVendor, mutantVendor } from "../support/mutantVendor.ts";
import { servedReference } from "../support/servedReference.ts";
import { schemaProblems } from "../support/standards.ts";
import { smallTarget, targetFile } from "../support/vendor.ts";

/** Its operator agrees to load. */
const target = `${smallTarget("https://vendor.example")}\nallow: [load]\n`;

/** In three parts, without any key. */
const setUpBy = (file: string, folder: string, shape = "smoke"): readonly string[] =>
  `load ${shape} --target ${file} --duration 2s --parts 3 --k8s ${folder}`.split(" ");

async function setUp(file: string, shape?: string): Promise<string> {
  const folder = join(emptyFolder(), "load");
  const { code, stderr } = await assay(setUpBy(file, folder, shape));
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return folder;
}

const testRunIn = (folder: string): TestRun => parse(readFileSync(join(folder, "testrun.yaml"), "utf8")) as TestRun;

test("a load from a cluster fits the custom resource of k6-operator, and k6 is of the pinned version", async () => {
  const testRun = testRunIn(await setUp(targetFile(target)));
  expect(schemaProblems("tests/fixtures/standards/k6-operator-1.6.0.schema.json", testRun)).toEqual([]);
  const { parallelism, runner, initializer } = testRun.spec;
  const [, pinned] = /\/k6\/v2 v(\S+)/.exec(read("tools/k6/go.mod")) ?? [];
  const image = `grafana/k6:${pinned}`;
  expect([parallelism, runner.image, initializer.image]).toEqual([3, image, image]);
});

test("its README names what the folder holds, and has no placeholder left", async () => {
  const folder = await setUp(targetFile(target));
  const text = readFileSync(join(folder, "README.md"), "utf8");
  const { metadata, spec } = testRunIn(folder);
  const job = parse(readFileSync(join(folder, "merge.yaml"), "utf8")) as Pick<TestRun, "metadata">;
  const [secret = ""] = spec.runner.env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? []);
  expect(text).not.toMatch(/\{\w+\}/);
  expect(text.match(/testrun\/[\w-]+/g)).toEqual(Array(2).fill(`testrun/${metadata.name}`));
  expect(text.match(/job\/[\w-]+/g)).toEqual(Array(3).fill(`job/${job.metadata.name}`));
  expect(text).toContain(`kubectl create secret generic ${secret} --from-env-file=keys.env && `);
  const { configMapGenerator } = parse(readFileSync(join(folder, "kustomization.yaml"), "utf8")) as Kustomization;
  expect(configMapGenerator.map(({ files }) => files)).toEqual([["load.js", "target.yaml"]]);
});

test("two loads from clusters never share a name of a log, nor an identity", async () => {
  const file = targetFile(target);
  const [one, other] = await Promise.all([setUp(file), setUp(file)]);
  const of = (folder: string) => {
    const [id] = readFileSync(join(folder, "load.js"), "utf8").match(/set up at [^"\\]+/) ?? [];
    const [log] = readFileSync(join(folder, "testrun.yaml"), "utf8").match(/file=\S+/) ?? [];
    return [id, log];
  };
  const all = [...of(one), ...of(other)];
  expect(all).toEqual(Array(4).fill(expect.any(String)));
  expect(new Set(all).size).toBe(4);
});

test("names are those that a cluster takes, however long that of a target is", async () => {
  const names = ["0", "Acme.Data_Platform", "x".repeat(60), `a${"_.-".repeat(19)}`];
  const all: string[] = [];
  for (const shape of ["smoke", "nightly"])
    for (const name of names) {
      const folder = await setUp(targetFile(target.replace("name: small", `name: "${name}"`)), shape);
      all.push(testRunIn(folder).metadata.name);
    }
  expect(all).toContain("assay-acme-data-platform-smoke");
  for (const name of all) expect(name).toMatch(/^(?=.{1,40}$)[a-z]+(-[a-z0-9]+)+$/);
});

test("where a file can't be written, none stays", { tag: "@slow" }, async () => {
  const folder = join(emptyFolder(), "load");
  const environment = planted(failing("ENOSPC", "kustomization.yaml"));
  const { code, stdout, stderr } = await assayProcess(setUpBy(targetFile(target), folder), environment);
  expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
  expect(stderr).toMatch(/^\S+\/kustomization\.yaml can't be written \(ENOSPC/);
  expect(readdirSync(folder)).toEqual([]);
});

test("what is too large for a ConfigMap is refused, and nothing is written", async () => {
  const folder = join(emptyFolder(), "load");
  const { code, stderr } = await assay(setUpBy(targetFile(`${target}# ${"x".repeat(700_000)}\n`), folder));
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(/ bytes, and a ConfigMap may have 1048576\. Shorten/),
  });
  expect(existsSync(folder)).toBe(false);
});

type Values = { readonly [name: string]: string };

interface Sending {
  /** Of the Secret; what the vendor takes by default. */
  readonly secret?: Values;
  readonly runner2?: "is killed" | "never starts";
}

/** The parts of a load as the operator starts them, and what the Job that judges them finds. */
async function sentTo(vendor: Pick<MutantVendor, "file" | "environment" | "close">, { secret, runner2 }: Sending = {}) {
  const text = readFileSync(vendor.file, "utf8");
  const [platform = ""] = text.match(/http:\/\/127\.0\.0\.1:\d+/) ?? [];
  const service = await serviceBefore(platform);
  const folder = await setUp(targetFile(`${text.replaceAll(platform, service.base)}\ninsecure: true\n`));
  const cluster = clusterOf(folder, k6(), { name: "assay-acme-smoke-keys", values: secret ?? vendor.environment });
  const runners = await cluster.runners(runner2 === "never starts" ? { lost: 2 } : {});
  if (runner2 === "is killed") {
    await expect.poll(() => cluster.logged("assay-acme-smoke-2"), { timeout: 10_000 }).toBeGreaterThan(10);
    runners[1]?.child.kill("SIGKILL");
  }
  await Promise.all(runners.map(({ ended }) => ended));
  await Promise.all([service.close(), vendor.close()]);
  const merged = await cluster.merge();
  const [report = ""] = readdirSync(cluster.volume).filter((name) => !name.endsWith(".log"));
  const written = bytesBelow(folder) + bytesBelow(cluster.volume) + merged.stdout + merged.stderr;
  return { ...merged, folder, written, run: runIn(join(cluster.volume, report)) };
}

const acme = (mutant: Parameters<typeof mutantVendor>[0] = null): Promise<MutantVendor> =>
  mutantVendor(mutant, "load: { perSecond: 45 }\nallow: [load]");

test("runners started as k6-operator does are judged as one load, and no key is in any file", {
  tag: "@slow",
}, async () => {
  const vendor = await acme();
  const { code, run, written } = await sentTo(vendor);
  expect([run.load?.doubt, code]).toEqual([null, 0]);
  const { parts = [], phases = [] } = run.load ?? {};
  expect(parts.map(({ nth, of, failure }) => [nth, of, failure])).toEqual([1, 2, 3].map((nth) => [nth, 3, null]));
  // k6 may begin the last request of a part, or not.
  for (const { begun } of parts) expect([29, 30]).toContain(begun);
  const begun = parts.reduce((total, part) => total + part.begun, 0);
  expect(phases.map(({ requests, served }) => [requests, served])).toEqual([[begun, begun]]);
  expect(written).not.toContain(vendor.environment["ACME_KEY"]);
});

test("a load on all APIs needs the owner's key only", { tag: "@slow" }, async () => {
  const { base, environment, close } = await servedReference(undefined, Date.now());
  const text = read("targets/reference.yaml")
    .replace("name: reference", "name: acme")
    .replace("platform: embedded", `bases: { admin: "${base}", api: "${base}", rpc: "${base}" }`)
    .replace(/^allow: .*$/m, "allow: [load]")
    .concat(`load: { perSecond: 15, operations: [${walletBaselines.map(({ operation }) => operation).join(", ")}] }\n`);
  const { code, run, folder } = await sentTo({ file: targetFile(text), environment, close });
  expect([run.load?.doubt, code]).toEqual([null, 0]);
  const { stdout } = await assay(["load", "smoke", "--plan"]);
  const planned = stdout.match(/\w+(?= +[\d.]+ % of requests)/g) ?? [];
  expect(planned.length).toBeGreaterThan(10);
  expect(run.load?.latencies.map(({ operation }) => operation).sort()).toEqual(planned.sort());
  expect(readFileSync(join(folder, "keys.env"), "utf8")).toBe("ASSAY_REFERENCE_PAID\n");
});

test("a breach that runners see is one of the load", { tag: "@slow" }, async () => {
  const { code, run } = await sentTo(await acme("USG-KEYS-04.streams-in-requests"));
  expect([run.load?.broken.map(({ id }) => id), code]).toEqual([["USG-KEYS-04"], 1]);
});

for (const [runner2, lack] of [
  ["is killed", "part 2 of 3 was cut short"],
  ["never starts", "part 2 of 3 is missing"],
] as const)
  test(`a runner that ${runner2} makes the load inconclusive, which names its part`, { tag: "@slow" }, async () => {
    const { code, run } = await sentTo(await acme(), { runner2 });
    expect([code, run.load?.doubt]).toEqual([3, expect.stringContaining(lack)]);
  });

test("a key that the Secret lacks makes the load inconclusive, which names its variable", {
  tag: "@slow",
}, async () => {
  const { code, run } = await sentTo(await acme(), { secret: {} });
  expect([code, run.load?.doubt]).toEqual([3, expect.stringContaining("the variable ACME_KEY isn't set")]);
});

test("k6-operator's initializer reads the script without its keys", { tag: "@slow" }, async () => {
  const folder = await setUp(targetFile(target));
  const { code, stdout, stderr } = await clusterOf(folder, k6(), { name: "none", values: {} }).initialize();
  expect([code, stderr]).toEqual([0, ""]);
  expect((JSON.parse(stdout) as { readonly maxVUs: number }).maxVUs).toBeGreaterThanOrEqual(150);
});
