// The template for GitLab: its job runs in an empty folder, and fails and succeeds as it should.
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "@playwright/test";
import { emptyFolder, start } from "../support/assay.ts";
import { type MutantVendor, mutantVendor } from "../support/mutantVendor.ts";
import { tarball } from "../support/packed.ts";
import { gitlabInputs, gitlabJob, launcher, type Values } from "../support/steps.ts";

async function withVendor(use: (acme: MutantVendor) => Promise<void>): Promise<void> {
  const acme = await mutantVendor(null);
  try {
    await use(acme);
  } finally {
    await acme.close();
  }
}

test("GitLab's template uses each of its inputs, in no script, and keeps the report where the run is", () => {
  const used = JSON.stringify(gitlabJob).matchAll(/\$\[\[ inputs\.(\w+) \]\]/g);
  expect(new Set([...used].map(([, name]) => name))).toEqual(new Set(Object.keys(gitlabInputs)));
  expect(gitlabJob.script.join("\n")).not.toContain("$[[");
  expect(gitlabJob.script.join("\n")).toContain("--out assay-run ");
  expect(gitlabJob.artifacts.reports.junit).toBe("assay-run/junit.xml");
});

test("GitLab's template caches nothing, as caches lie below the project's folder", () => {
  expect(gitlabJob.cache).toEqual([]);
  expect(JSON.stringify(gitlabJob.variables)).not.toContain("CI_PROJECT_DIR");
});

/** What is on the image's PATH: as in the Dockerfile, a link to the launcher. */
const image = emptyFolder();
symlinkSync(launcher, join(image, "assay"));

/** Of GitLab's job, with its inputs filled in. */
const variablesIn = (inputs: Values): Values =>
  Object.fromEntries(
    Object.entries(gitlabJob.variables).map(([name, text]) => [
      name,
      text.replace(
        /\$\[\[ inputs\.(\w+) \]\]/,
        (_, input: string) => inputs[input] ?? gitlabInputs[input]?.default ?? "",
      ),
    ]),
  );

test("on GitLab a merge request from a fork, which gets no keys, ends in a warning; any other without is red", () =>
  withVendor(async ({ folder }) => {
    const judged = async (environment: Values) => {
      const { code, stdout } = await start(
        "bash",
        ["-eo", "pipefail", "-c", gitlabJob.script.join("\n")],
        {
          PATH: `${image}${delimiter}${process.env["PATH"]}`,
          ...variablesIn({ target: "acme.yaml", env: "ACME_KEY" }),
          ACME_KEY: "",
          CI_PROJECT_PATH: "acme/client",
          ...environment,
        },
        folder,
      ).ended;
      return [code, stdout];
    };
    const says = "Not judged: a merge request from a fork gets no keys. Judge it on a branch of its target project.\n";
    const fromFork = { CI_OPEN_MERGE_REQUESTS: "their/client!7,acme/client!8" };
    expect(await judged(fromFork)).toEqual([gitlabJob.allow_failure.exit_codes, says]);
    expect(await judged({ CI_OPEN_MERGE_REQUESTS: "acme/client!7" })).toEqual([2, ""]);
    expect(await judged({})).toEqual([2, ""]);
    expect(await judged({ ...fromFork, ASSAY_TARGET: "nowhere.yaml" })).toEqual([2, ""]);
  }));

test("the job judges with what its image has, without its entrypoint", () =>
  withVendor(async (acme) => {
    expect(gitlabJob.image).toEqual({ name: "$[[ inputs.image ]]", entrypoint: [""] });
    // Which a pattern of requirements matches, too.
    for (const name of ["USG-FLD-01", "USG-FLD-02"]) writeFileSync(join(acme.folder, name), "");
    const job = await start(
      "bash",
      ["-eo", "pipefail", "-c", gitlabJob.script.join("\n")],
      {
        ...variablesIn({ target: "acme.yaml", env: "ACME_KEY", flags: "--only USG-FLD-0*" }),
        ...acme.environment,
        PATH: `${image}${delimiter}${process.env["PATH"]}`,
      },
      acme.folder,
    ).ended;
    expect(job.code, job.stdout + job.stderr).toBe(0);
    expect(readFileSync(join(acme.folder, gitlabJob.artifacts.reports.junit), "utf8")).toContain('failures="0"');
  }));

test(
  "the job installs the package that it is given and judges with it, whatever registry the project names",
  { tag: "@slow" },
  () =>
    withVendor(async (acme) => {
      test.setTimeout(600_000);
      const packed = await tarball();
      const folder = emptyFolder();
      cpSync(acme.file, join(folder, "acme.yaml"));
      // What a merge request may bring.
      writeFileSync(join(folder, ".npmrc"), "registry=http://127.0.0.1:9/\nfetch-retries=0\n");
      const variables = variablesIn({ target: "acme.yaml", env: "ACME_KEY", package: packed });
      const job = await start(
        "bash",
        ["-eo", "pipefail", "-c", gitlabJob.script.join("\n")],
        { ...variables, ...acme.environment },
        folder,
      ).ended;
      expect(job.code, job.stdout + job.stderr).toBe(0);
      expect(readFileSync(join(folder, gitlabJob.artifacts.reports.junit), "utf8")).toContain('failures="0"');
    }),
);
