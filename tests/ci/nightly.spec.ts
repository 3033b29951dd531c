// The nightly workflow: its steps run night after night, with a repository on disk and the issues of a stub
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
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

test("the workflow has at most 120 lines, and no script holds an expression", () => {
  expect(read("ci/nightly.yml").trimEnd().split("\n").length).toBeLessThanOrEqual(120);
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
    expect(broken.failed, broken.output).toEqual(["Judge", "Load", "Compare with earlier nights"]);
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
    expect(other.failed, other.output).toContain("Compare with earlier nights");
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
    expect(broken.failed, broken.output).toEqual(["Judge", "Load", "Compare with earlier nights"]);
    expect(issues()).toMatchObject([{ state: "open", title: "Broken (1): USG-FLD-01" }]);
    expect(issues()[0]?.body).toMatch(/load nightly: 2 nights/);
    expect(broken.artifacts["assay-history"]).toContain("k6-nightly.html");
    const mended = await night(null);
    expect(mended.failed, mended.output).toEqual([]);
    expect(issues()).toMatchObject([{ state: "closed" }]);
    expect(kept()).toBe(6);
  });
});
