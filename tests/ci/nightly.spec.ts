// The nightly workflow: its steps run night after night, with a repository on disk and the issues of a stub
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { emptyFolder, read, root } from "../support/assay.ts";
import { fakeGh, type Issue } from "../support/gh.ts";
import { k6 } from "../support/k6.ts";
import { mutantVendor } from "../support/mutantVendor.ts";
import {
  clonedFrom,
  git,
  type Job,
  type JobEnd,
  nightlySteps,
  nightOn,
  repositoryWith,
} from "../support/nightlyJob.ts";
import { performStep, stepOf } from "../support/steps.ts";

const noJq = spawnSync("sh", ["-c", "jq --version"]).status !== 0;
const launcher = join(root, "cli/assay.js");

test("the workflow has at most 90 lines, and no script holds an expression", () => {
  expect(read("ci/nightly.yml").trimEnd().split("\n").length).toBeLessThanOrEqual(90);
  for (const { run = "" } of nightlySteps) expect(run).not.toContain("${{");
});

test("the workflow's load command exists and can be planned", async () => {
  const acme = await mutantVendor(null);
  const load = stepOf(nightlySteps, "Load");
  const planning = { ...load, run: load.run?.replace("load nightly", "load nightly --plan") ?? "" };
  const values = { "steps.assay.outputs.assay": launcher };
  const { code, stdout, stderr } = await performStep(planning, values, acme.folder, acme.environment);
  await acme.close();
  expect(code, stderr).toBe(0);
  expect(stdout).toContain("assay load nightly · acme");
});

const acmeFile = (): string => {
  const file = join(emptyFolder(), "acme.yaml");
  writeFileSync(file, "name: acme\n");
  return file;
};

test("a history is begun where there is no branch, and not where none can be seen", async () => {
  const repository = repositoryWith(acmeFile());
  const fetching = stepOf(nightlySteps, "Fetch the history");
  const keeping = stepOf(nightlySteps, "Keep the history");
  for (const night of ["1\n", "1\n2\n"]) {
    const folder = clonedFrom(repository);
    expect(await performStep(fetching, {}, folder)).toMatchObject({ code: 0 });
    const file = join(folder, "history/acme.jsonl");
    expect(existsSync(file) ? readFileSync(file, "utf8") : "").toBe(night.slice(0, -2));
    // Nothing of the repository's own is in it.
    expect(readdirSync(join(folder, "history")).filter((name) => name !== ".git")).toEqual(
      night === "1\n" ? [] : ["acme.jsonl"],
    );
    writeFileSync(file, night);
    writeFileSync(join(folder, "history/index.html"), "");
    expect(await performStep(keeping, {}, folder)).toMatchObject({ code: 0 });
  }
  const kept = (what: string): string => git(clonedFrom(repository), "ls-remote", "--heads", "origin", what);
  expect(kept("assay-history")).toContain("refs/heads/assay-history");
  const last = clonedFrom(repository);
  git(last, "fetch", "--quiet", "origin", "assay-history");
  expect(git(last, "show", "FETCH_HEAD:acme.jsonl")).toBe("1\n2\n");
  expect(git(last, "ls-tree", "--name-only", "FETCH_HEAD")).toBe("acme.jsonl\n");
  git(last, "remote", "set-url", "origin", "file:///nowhere");
  expect((await performStep(fetching, {}, last)).code).toBe(1);
  expect(existsSync(join(last, "history"))).toBe(false);
});

interface Night {
  /** Exit codes of the run and the load. */
  readonly codes: readonly [string, string];
  readonly broken?: readonly string[];
  readonly newly?: readonly string[];
  /** What trends leave out. */
  readonly isLeft?: boolean;
}

/** The issue's step after nights with a history that is made up; gives what became of its issues. */
async function issuesAfter(...nights: readonly Night[]): Promise<readonly Issue[]> {
  const gh = fakeGh();
  const folder = emptyFolder();
  mkdirSync(join(folder, "assay-run"));
  writeFileSync(join(folder, "assay-run/run.json"), '{"id":"tonight"}');
  for (const { codes, broken = [], newly = [], isLeft = false } of nights) {
    const strips = ["A-1", "B-2"].map((id) => ({ id, kinds: ["holds", broken.includes(id) ? "broken" : "holds"] }));
    const history = [
      { nights: [{ id: isLeft ? "earlier" : "tonight" }], strips, newlyBroken: newly },
      { nights: [{ id: "a load of long ago" }], strips: [{ id: "C-3", kinds: ["broken"] }], newlyBroken: ["C-3"] },
    ];
    writeFileSync(
      join(folder, "history.js"),
      `console.log(process.argv.includes("--json") ? '${JSON.stringify(history)}' : "# Broken: ${broken.join()}")`,
    );
    const values = {
      "github.token": "a-token",
      "steps.assay.outputs.assay": join(folder, "history.js"),
      "steps.assay.outputs.exit-code": codes[0],
      "steps.load.outputs.exit-code": codes[1],
    };
    const step = stepOf(nightlySteps, "Open, update or close the issue");
    const { code, stderr } = await performStep(step, values, folder, gh.environment);
    expect(code, stderr).toBe(0);
  }
  return gh.issues();
}

const breaking: Night = { codes: ["1", "0"], broken: ["A-1"], newly: ["A-1"] };
const still: Night = { codes: ["1", "0"], broken: ["A-1"] };

test("one issue is opened for what is newly broken, and updated, with a comment on each change", async () => {
  test.skip(noJq, "there is no jq here");
  const issues = await issuesAfter(breaking, still, { codes: ["1", ""], broken: ["A-1", "B-2"], newly: ["B-2"] });
  expect(issues).toMatchObject([
    { state: "open", label: "assay-nightly", title: "Broken (2): A-1, B-2", comments: ["Broken (2): A-1, B-2"] },
  ]);
  expect(issues[0]?.body).toContain("# Broken: A-1,B-2");
});

test("the issue is closed on a clean night, also without a load, and another is opened for another breach", {
  tag: "@slow",
}, async () => {
  test.skip(noJq, "there is no jq here");
  for (const codes of [
    ["0", "0"],
    ["0", "2"],
    ["0", ""],
  ] as const)
    expect(await issuesAfter(breaking, { codes })).toMatchObject([
      { state: "closed", comments: ["Nothing is broken any more."] },
    ]);
  expect(await issuesAfter(breaking, { codes: ["0", "0"] }, breaking)).toMatchObject([
    { state: "closed" },
    { state: "open", comments: [] },
  ]);
});

test("no issue is opened for what isn't newly broken tonight, and an inconclusive night changes none", {
  tag: "@slow",
}, async () => {
  test.skip(noJq, "there is no jq here");
  // Flaky, or broken as before a person closed it; or a night that trends leave out.
  expect(await issuesAfter(still, { ...breaking, isLeft: true }, { codes: ["0", "0"] })).toEqual([]);
  const [opened] = await issuesAfter(breaking);
  for (const codes of [
    ["3", "0"],
    ["2", ""],
    ["0", "3"],
    ["", ""],
  ] as const)
    expect(await issuesAfter(breaking, { codes })).toEqual([opened]);
  // Found by the load alone.
  expect(await issuesAfter({ ...breaking, codes: ["0", "1"] })).toMatchObject([{ title: "Broken (1): A-1" }]);
});

interface Nights {
  readonly night: (
    mutant: string | null,
    more?: Pick<Job, "isUninstalled"> & Partial<Pick<Job, "inputs">>,
  ) => Promise<JobEnd>;
  readonly issues: () => readonly Issue[];
  /** Lines of the history on its branch. */
  readonly kept: () => number;
}

/** Nights on one vendor, judged by a few requirements. @param more lines of its target file */
async function withNights(more: string, use: (nights: Nights) => Promise<void>): Promise<void> {
  test.skip(noJq, "there is no jq here");
  test.setTimeout(240_000);
  const [acme, gh] = [await mutantVendor(null, more), fakeGh()];
  const repository = repositoryWith(acme.file);
  const environment = { ...acme.environment, ...gh.environment, K6_BIN: k6().path };
  const kept = (): number => {
    const folder = clonedFrom(repository);
    git(folder, "fetch", "--quiet", "origin", "assay-history");
    return git(folder, "show", "FETCH_HEAD:acme.jsonl").trimEnd().split("\n").length;
  };
  const night: Nights["night"] = (mutant, options = {}) => {
    acme.become(mutant);
    return nightOn({ repository, environment, inputs: { only: "USG-FLD-01,USG-FLD-02" }, ...options });
  };
  try {
    await use({ night, issues: gh.issues, kept });
  } finally {
    await acme.close();
  }
}

test("nights whose load isn't allowed: one issue is opened, kept up to date and closed, and no night is lost", {
  tag: "@slow",
}, async () => {
  await withNights("budget: { seconds: 100 }\n", async ({ night, issues, kept }) => {
    const clean = await night(null);
    expect(clean.failed, clean.output).toEqual(["Load"]);
    expect([issues(), kept()]).toEqual([[], 1]);
    expect(clean.artifacts).toEqual({ "assay-history": expect.arrayContaining(["acme.jsonl", "index.html"]) });

    const broken = await night("USG-FLD-01.absent");
    expect(broken.failed, broken.output).toEqual(["Judge", "Load", "Compare with the night before"]);
    expect(broken.summary).toContain("USG-FLD-01");
    expect(issues()).toMatchObject([{ state: "open", title: "Broken (1): USG-FLD-01", comments: [] }]);

    // Nothing was judged: there is no run, and what was kept stays.
    const uninstalled = await night("USG-FLD-01.absent", { isUninstalled: true });
    expect(uninstalled.failed).toEqual(["Judge"]);
    expect(kept()).toBe(2);

    const still = await night("USG-FLD-01.absent");
    expect(still.failed, still.output).toEqual(["Judge", "Load"]);
    expect(kept()).toBe(3);
    const updated = issues();
    expect(updated).toMatchObject([{ state: "open", title: "Broken (1): USG-FLD-01", comments: [] }]);

    const misnamed = await night("USG-FLD-01.absent", { inputs: { target: "nowhere.yaml" } });
    expect(misnamed.failed, misnamed.output).toEqual(["Judge", "Load"]);
    expect([issues(), kept()]).toEqual([updated, 3]);

    const other = await night("USG-FLD-02.string");
    expect(other.failed, other.output).toContain("Compare with the night before");
    expect(issues()).toMatchObject([{ state: "open", comments: ["Broken (1): USG-FLD-02"] }]);

    const mended = await night(null);
    expect(mended.failed, mended.output).toEqual(["Load"]);
    expect(issues()).toMatchObject([{ state: "closed" }]);
    expect(issues()).toHaveLength(1);
    expect(kept()).toBe(5);
  });
});

test("nights with a load: it is kept, compared and judged beside the run", { tag: "@slow" }, async () => {
  await withNights("load: { seconds: { nightly: 3 } }\n", async ({ night, issues, kept }) => {
    const clean = await night(null);
    expect(clean.failed, clean.output).toEqual([]);
    expect(kept()).toBe(2);
    const broken = await night("USG-FLD-01.absent");
    expect(broken.failed, broken.output).toEqual(["Judge", "Load", "Compare with the night before"]);
    expect(issues()).toMatchObject([{ state: "open", title: "Broken (1): USG-FLD-01" }]);
    expect(issues()[0]?.body).toMatch(/load nightly: 2 nights/);
    expect(broken.artifacts["assay-history"]).toContain("k6-nightly.html");
    const mended = await night(null);
    expect(mended.failed, mended.output).toEqual([]);
    expect(issues()).toMatchObject([{ state: "closed" }]);
    expect(kept()).toBe(6);
  });
});
