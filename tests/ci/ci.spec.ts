// The CI templates: their steps run in an empty folder, and fail and succeed as they should.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { expect, test } from "@playwright/test";
import { parse } from "yaml";
import { emptyFolder, program, read, root } from "../support/assay.ts";
import { type MutantVendor, mutantVendor } from "../support/mutantVendor.ts";
import { tarball } from "../support/packed.ts";
import { commandsIn } from "../support/standards.ts";
import {
  action,
  filled,
  gate,
  gitlabJob,
  inPullRequest,
  inputsOf,
  launcher,
  type Performed,
  performStep,
  stepOf,
  stepsIn,
  type Values,
} from "../support/steps.ts";

const judging = stepOf(stepsIn(gate), "OWNER/assay@");

interface Job {
  readonly fork?: string;
  /** Who started it, also where somebody else starts it again. */
  readonly actor?: string;
  readonly event?: string;
  readonly environment?: Values;
}

/** The action's scripts with the README's inputs; the slow test installs. */
function judgeStep(acme: MutantVendor, given: Values = {}, job: Job = {}): Promise<Performed> {
  const { with: inputs = {} } = judging;
  return performStep(
    stepOf(action.runs.steps, "Judge"),
    { ...inputsOf({ ...inputs, only: "USG-FLD-01,USG-FLD-02", ...given }), ...inPullRequest(job.fork ?? "") },
    acme.folder,
    {
      GITHUB_ACTOR: job.actor ?? "somebody",
      GITHUB_EVENT_NAME: job.event ?? "pull_request",
      ...(job.environment ?? acme.environment),
    },
  );
}

async function withVendor(mutant: string | null, use: (acme: MutantVendor) => Promise<void>): Promise<void> {
  const acme = await mutantVendor(mutant);
  try {
    await use(acme);
  } finally {
    await acme.close();
  }
}

test("the gate's workflow has at most 10 lines, and gives the inputs that the action requires", () => {
  expect(gate.trim().split("\n").length).toBeLessThanOrEqual(10);
  const { with: given = {}, env = {} } = judging;
  const required = Object.entries(action.inputs).flatMap(([name, input]) => (input.required ? [name] : []));
  expect(Object.keys(given)).toEqual(required);
  expect(Object.keys(env)).toEqual(["ACME_KEY"]);
  expect(action.runs.using).toBe("composite");
});

test("every step of the action names its shell, and no script holds an expression", () => {
  for (const step of action.runs.steps.filter(({ run }) => run !== undefined)) {
    expect(step.shell).toBe("bash");
    expect(step.run).not.toContain("${{");
  }
});

test("the action succeeds on a vendor that meets its requirements, and outputs the run's folder", () =>
  withVendor(null, async (acme) => {
    const { code, outputs, summary } = await judgeStep(acme);
    expect(code).toBe(0);
    const run = "assay-run-acme";
    expect(outputs).toEqual({ run, artifact: run, "exit-code": "0" });
    const values = { ...outputsOf(outputs), ...inPullRequest("") };
    expect(Object.values(action.outputs).map(({ value }) => filled(value, values))).toEqual([run, "0", launcher]);
    expect(summary).toContain("## ✅ Passed: nothing is broken; all 2 requirements judged");
    expect(readdirSync(join(acme.folder, run))).toEqual(
      expect.arrayContaining(["ctrf.json", "index.html", "junit.xml", "results.sarif", "run.json", "summary.md"]),
    );
  }));

/** As later steps name them. */
const outputsOf = (outputs: Values): Values =>
  Object.fromEntries(Object.entries(outputs).map(([name, value]) => [`steps.judge.outputs.${name}`, value]));

test("the action has the run attested where the job may ask for an identity, and fails for nothing there", () =>
  withVendor(null, async (acme) => {
    const attest = stepOf(action.runs.steps, "Attest the run");
    const judgedWhere = (identity: Values, given: Values = {}) =>
      judgeStep(acme, { only: "USG-FLD-01", ...given }, { environment: { ...acme.environment, ...identity } });
    const identity = { ACTIONS_ID_TOKEN_REQUEST_URL: "https://token.example" };
    const { code, outputs } = await judgedWhere(identity, { out: "signed" });
    const manifest = JSON.parse(readFileSync(join(acme.folder, "signed/manifest.json"), "utf8")) as Values;
    expect(attest.with).toEqual({
      "subject-path": "${{ steps.judge.outputs.run }}/manifest.json",
      "predicate-type": manifest["predicateType"],
      "predicate-path": "${{ steps.judge.outputs.predicate }}",
    });
    expect([code, attest["continue-on-error"]]).toEqual([0, true]);
    expect(JSON.parse(readFileSync(outputs["predicate"] ?? "", "utf8"))).toEqual(manifest["predicate"]);
    // A pull request from a fork has no identity, and a run that wasn't begun nothing to attest.
    expect(attest.if).toBe("${{ always() && steps.judge.outputs.predicate != '' }}");
    const none = [
      await judgedWhere({ ACTIONS_ID_TOKEN_REQUEST_URL: "" }, { out: "fork" }),
      await judgedWhere(identity, { out: "unwanted", attest: "false" }),
      await judgedWhere(identity, { out: "unbegun", target: "none.yaml" }),
    ];
    expect(none.map((one) => [one.code, one.outputs["predicate"]])).toEqual([
      [0, undefined],
      [0, undefined],
      [2, undefined],
    ]);
  }));

test("two targets in one job, or two jobs of a matrix, have folders and artifacts of their own", () =>
  withVendor(null, async (acme) => {
    const keep = stepOf(action.runs.steps, "Keep the run");
    const keptOf = async (given: Values): Promise<readonly string[]> => {
      const { code, outputs } = await judgeStep(acme, { ...given, only: "USG-FLD-01" });
      expect([given, code]).toEqual([given, 0]);
      return ["name", "path"].map((field) => filled(keep.with?.[field] ?? "", outputsOf(outputs)));
    };
    mkdirSync(join(acme.folder, "their targets"));
    for (const name of ["their targets/acme.yaml", "acme.staging.yaml"]) cpSync(acme.file, join(acme.folder, name));
    expect([
      await keptOf({ target: "./acme.yaml" }),
      await keptOf({ target: "their targets/acme.yaml" }),
      await keptOf({ target: "acme.staging.yaml", artifact: "{target}-on-node-22", out: "runs/{target}" }),
    ]).toEqual([
      ["assay-run-acme", "assay-run-acme"],
      ["assay-run-their-targets-acme", "assay-run-their-targets-acme"],
      ["acme.staging-on-node-22", "runs/acme.staging"],
    ]);
    // Nothing is kept where that is asked for, or nothing was judged.
    expect(keep.if).toContain("always() && steps.judge.outputs.artifact != ''");
    expect((await judgeStep(acme, { target: "none.yaml", artifact: "" })).outputs["artifact"]).toBe("");
  }));

test("the gate leaves observations out unless it is given `observe: true`, as the nightly workflow does", () =>
  withVendor(null, async (acme) => {
    const commandWith = async (given: Values): Promise<string> => {
      const { outputs } = await judgeStep(acme, { ...given, only: "USG-FLD-01" });
      const text = readFileSync(join(acme.folder, outputs["run"] ?? "", "run.json"), "utf8");
      return (JSON.parse(text) as { readonly command: string }).command;
    };
    expect(await commandWith({ out: "gate" })).toContain("--no-observe");
    expect(await commandWith({ out: "night", observe: "true" })).not.toContain("--no-observe");
    expect(stepOf(stepsIn(read("ci/nightly.yml")), "Judge").with).toMatchObject({ observe: "true" });
  }));

test("the action fails on a broken requirement, annotates its line, and sets outputs and summary", () =>
  withVendor("USG-FLD-01.absent", async (acme) => {
    const { code, outputs, summary, stdout } = await judgeStep(acme);
    expect([code, outputs["exit-code"]]).toEqual([1, "1"]);
    expect(summary).toContain("`USG-FLD-01`");
    expect(commandsIn(stdout).map(({ name, properties }) => [name, properties["file"]])).toEqual([
      ["error", "acme.yaml"],
    ]);
  }));

test("the action ends with 2 on an invalid target file and 3 without answers; no input is executed", () =>
  withVendor(null, async (acme) => {
    const wrong = await judgeStep(acme, { target: "nowhere.yaml$(touch made-up)" });
    expect(wrong).toMatchObject({ code: 2, outputs: { "exit-code": "2" } });
    expect(wrong.stderr).toContain("There is no target file nowhere.yaml$(touch made-up)");
    await acme.close();
    expect((await judgeStep(acme)).code).toBe(3);
    expect(existsSync(join(acme.folder, "made-up"))).toBe(false);
  }));

test("a pull request that gets no keys, from a fork or Dependabot, ends in a notice; any other without is red", () =>
  withVendor(null, async (acme) => {
    const unset = { environment: { ACME_KEY: "" } };
    const noticeOf = (message: string) => [{ name: "notice", properties: { title: "Assay" }, message }];
    const judged = async (job: Job, given: Values = {}) => {
      const { code, outputs, stdout } = await judgeStep(acme, { only: "USG-FLD-01", ...given }, job);
      return [code, outputs["exit-code"], commandsIn(stdout)];
    };
    const forks = "a pull request from a fork gets no keys. Judge it on a branch of this repository.";
    expect(await judged({ fork: "true", ...unset })).toEqual([0, "2", noticeOf(`Not judged: ${forks}`)]);
    const own = "Dependabot gets no keys. Add them to its own secrets, or judge this on a branch of yours.";
    const bot = { fork: "false", actor: "dependabot[bot]" };
    expect(await judged({ ...bot, ...unset })).toEqual([0, "2", noticeOf(`Not judged: ${own}`)]);
    // Among its own secrets may be the key.
    expect(await judged(bot)).toEqual([0, "0", []]);
    expect(await judged({ fork: "false", ...unset })).toEqual([2, "2", []]);
    // A nightly job has all keys, no matter who changed its file last.
    expect(await judged({ ...bot, event: "schedule", ...unset })).toEqual([2, "2", []]);
    // What is wrong with their own files is red.
    expect(await judged({ fork: "true", ...unset }, { target: "nowhere.yaml" })).toEqual([2, "2", []]);
  }));

test("the action refuses a target file that names a variable beside those of `env`", () =>
  withVendor(null, async (acme) => {
    writeFileSync(acme.file, readFileSync(acme.file, "utf8").replace("env: ACME_KEY", "env: NPM_TOKEN"));
    const job = { environment: { ...acme.environment, NPM_TOKEN: "npm-0123456789abcdef" } };
    const refused = await judgeStep(acme, {}, job);
    expect(refused).toMatchObject({ code: 2, outputs: { "exit-code": "2" } });
    expect(refused.stderr).toContain("keys.paid.env names the environment variable NPM_TOKEN");
    // An input that was left out allows none.
    expect((await judgeStep(acme, { env: "" }, job)).code).toBe(2);
  }));

test("every template that judges a target file names the variables that it may name", () => {
  const given = [judging, ...stepsIn(read("ci/nightly.yml")).filter(({ uses }) => uses?.startsWith("OWNER/assay@"))];
  expect(given.map(({ with: inputs }) => inputs?.["env"])).toEqual(["ACME_KEY", "ACME_KEY"]);
  const scripts = [action, parse(read("ci/nightly.yml")), gitlabJob].map((one) => JSON.stringify(one));
  for (const script of scripts) {
    const judgingLines = [...script.matchAll(/(?:run|load \w+) --target [^;|]*/g)];
    expect(judgingLines.length).toBeGreaterThan(0);
    for (const [line] of judgingLines) expect(line).toContain("--env ");
  }
});

test("the action takes a seed and further flags, and can leave an inconclusive run as a warning", () =>
  withVendor("USG-FLD-01.absent", async (acme) => {
    const seeded = await judgeStep(acme, { seed: "7", flags: "--fail-fast\n--junit own.xml" });
    expect(seeded.code).toBe(1);
    expect(readFileSync(join(acme.folder, "own.xml"), "utf8")).toContain("--seed 7");
    await acme.close();
    const unreachable = await judgeStep(acme, { inconclusive: "warn", out: "gone" });
    expect(unreachable).toMatchObject({ code: 0, outputs: { "exit-code": "3" } });
    expect(commandsIn(unreachable.stdout).map(({ name }) => name)).toContain("warning");
  }));

test("two jobs on one project wait for each other", () => {
  const concurrency = { group: "assay-acme", "cancel-in-progress": false };
  expect(parse(gate)).toMatchObject({ concurrency });
  expect(parse(read("ci/nightly.yml"))).toMatchObject({ concurrency });
  expect(gitlabJob).toMatchObject({ resource_group: "assay-$[[ inputs.target ]]" });
});

const installing = stepOf(action.runs.steps, "Install Assay");

test("the action packs its own files without any key, with the packages that they name, once in a job", async () => {
  const [temp, own, log] = [emptyFolder(), emptyFolder(), join(emptyFolder(), "npm.log")];
  for (const file of ["package.json", "package-lock.json"]) cpSync(join(root, file), join(own, file));
  const npm = program(
    "npm",
    `echo "$(basename "$PWD"): $*$ACME_KEY" >> ${log}
    [ "$1" = pack ] || exit 0
    mkdir -p made/package/cli && touch made/package/cli/assay.js
    tar -czf "$3/assay.tgz" -C made package`,
  );
  const installedFrom = async (folder: string) => {
    const environment = {
      GITHUB_ACTION_PATH: folder,
      PATH: `${dirname(npm)}${delimiter}${process.env["PATH"]}`,
      ACME_KEY: "a-key",
    };
    const { code, outputs, stderr } = await performStep(
      installing,
      { ...inputsOf({ env: `PIPESTATUS[$(touch\${IFS}${temp}/made-up)],-f,ACME_KEY` }), "runner.temp": temp },
      emptyFolder(),
      environment,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return outputs["assay"] ?? "";
  };
  const assay = await installedFrom(own);
  expect(readdirSync(dirname(dirname(assay))).sort()).toEqual(["cli", "package-lock.json"]);
  const once = "source: pack --pack-destination ..\npackage: ci --omit=dev --no-audit --no-fund --ignore-scripts\n";
  expect(readFileSync(log, "utf8")).toBe(once);
  expect(await installedFrom(own)).toBe(assay);
  expect(readFileSync(log, "utf8")).toBe(once);
  // Of another version, in the same job.
  cpSync(own, `${own}-v1`, { recursive: true });
  await installedFrom(`${own}-v1`);
  expect(readFileSync(log, "utf8")).toBe(once + once);
  expect([readdirSync(own).sort(), readdirSync(temp)]).toEqual([["package-lock.json", "package.json"], ["assay"]]);
});

test("the action installs the package that it is given, and judges with it", { tag: "@slow" }, async () => {
  test.setTimeout(600_000);
  const [temp, packed] = [emptyFolder(), await tarball()];
  await withVendor(null, async (acme) => {
    cpSync(packed, join(acme.folder, "assay.tgz"));
    // What an earlier step of the job installed.
    mkdirSync(join(temp, "assay"));
    writeFileSync(join(temp, "assay/package.json"), '{ "dependencies": { "@assay-harness/assay": "npm:pend@1" } }');
    const given = inputsOf({ target: "acme.yaml", env: "ACME_KEY", only: "USG-FLD-01", package: "assay.tgz" });
    const values = { ...given, ...inPullRequest(""), "runner.temp": temp };
    const installed = await performStep(installing, values, acme.folder);
    expect(installed.code, installed.stderr).toBe(0);
    const own = { ...values, "steps.install.outputs.assay": installed.outputs["assay"] ?? "" };
    const judged = await performStep(stepOf(action.runs.steps, "Judge"), own, acme.folder, acme.environment);
    expect(judged.code, judged.stdout + judged.stderr).toBe(0);
    expect(judged.summary).toContain("## ✅");
  });
});
