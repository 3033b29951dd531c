// The workflows of this repository: known fields, known majors, and names that exist.
import { accessSync, constants, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { expect, test } from "@playwright/test";
import { parse } from "yaml";
import { emptyFolder, program, read, root } from "../support/assay.ts";
import { clonedFrom, git, repositoryWith } from "../support/nightlyJob.ts";
import { leastMajor, supportedMajors } from "../support/nodeVersions.ts";
import { partNames } from "../support/parts.ts";
import { closed, schemaProblems } from "../support/standards.ts";
import { performStep, type Step, stepOf, stepsIn } from "../support/steps.ts";

const folder = ".github/workflows";
const scripts = (JSON.parse(read("package.json")) as { readonly scripts: { readonly [name: string]: string } }).scripts;

interface Matrix {
  readonly part?: readonly string[];
  readonly system?: readonly string[];
  readonly node?: readonly string[];
  readonly include?: readonly { readonly system: string; readonly node: string }[];
}

interface Workflow {
  readonly on: { readonly [event: string]: { readonly paths?: readonly string[] } | null };
  readonly defaults?: { readonly run: { readonly shell: string } };
  readonly jobs: { readonly [job: string]: { readonly strategy?: { readonly matrix: Matrix } } };
}

const text = { type: "string", minLength: 1 };
const texts = { type: "array", minItems: 1, items: text };
const inputs = { type: "object", minProperties: 1, additionalProperties: text };
const schema = closed(["name", "on", "permissions", "jobs"], {
  name: text,
  on: closed([], { push: {}, pull_request: {}, schedule: {}, workflow_dispatch: {} }),
  permissions: { const: { contents: "read" } },
  defaults: { const: { run: { shell: "bash" } } },
  jobs: {
    type: "object",
    propertyNames: { pattern: "^[a-z]+$" },
    minProperties: 1,
    additionalProperties: closed(["runs-on", "timeout-minutes", "steps"], {
      strategy: closed(["fail-fast", "matrix"], {
        "fail-fast": { const: false },
        matrix: {
          oneOf: [
            closed(["part"], { part: texts }),
            closed(["system", "node", "include"], {
              system: texts,
              node: texts,
              include: { type: "array", minItems: 1, items: closed(["system", "node"], { system: text, node: text }) },
            }),
          ],
        },
      }),
      "runs-on": text,
      "timeout-minutes": { type: "integer", minimum: 1, maximum: 360 },
      steps: {
        type: "array",
        minItems: 1,
        items: {
          oneOf: [
            closed(["uses"], { name: text, uses: text, with: inputs, if: { const: "always()" } }),
            closed(["name", "run"], { name: text, run: text }),
          ],
        },
      },
    }),
  },
});
const problemsIn = (document: unknown): readonly unknown[] => schemaProblems(schema, document);

/** Each action that is used, by its major, with its inputs. */
const known: { readonly [action: string]: readonly string[] } = {
  "actions/checkout@v4": [],
  "actions/setup-node@v4": ["node-version", "cache"],
  "actions/setup-go@v5": ["go-version", "cache-dependency-path"],
  "actions/cache@v4": ["path", "key"],
  "actions/upload-artifact@v4": ["name", "path"],
};
const namesIn = (document: unknown): readonly string[] =>
  [...JSON.stringify(document).matchAll(/\$\{\{ (.*?) \}\}/g)].map(([, name = ""]) => name);

const tested = ["runner.os", "runner.arch", "hashFiles('tools/k6/go.mod', 'tools/k6/go.sum')"];

/** What each runs after its installation, and the values that it takes from elsewhere. */
const files: { readonly [file: string]: { readonly runs: readonly string[]; readonly values: readonly string[] } } = {
  "ci.yml": { runs: [".ci/run"], values: ["matrix.system", "matrix.node", ...tested] },
  "mutants.yml": { runs: ["npm run test:slow -- mutants properties"], values: [] },
  "nightly.yml": {
    runs: ["npm run test:slow -- ${{ matrix.part }}", "npm run proof", "npm run bench"],
    values: [...tested, "matrix.part", ...tested, ...tested],
  },
};
const workflowOf = (file: string): Workflow => parse(read(`${folder}/${file}`)) as Workflow;

test("there are workflows for each push, for changes of mutants or judge, nightly or by hand, and a release", () => {
  const events = readdirSync(join(root, folder)).map((file) => [file, Object.keys(workflowOf(file).on)]);
  expect(events).toEqual([
    ["ci.yml", ["push", "pull_request"]],
    ["mutants.yml", ["push", "pull_request"]],
    ["nightly.yml", ["schedule", "workflow_dispatch"]],
    ["release.yml", ["push"]],
  ]);
});

test("every part of the slow tests runs nightly", () => {
  expect(workflowOf("nightly.yml").jobs["slow"]?.strategy?.matrix.part).toEqual(partNames);
});

test("each push is tested on the least Node and those that are supported; on macOS and Windows on the newest", () => {
  const { defaults, jobs } = workflowOf("ci.yml");
  const { system = [], node = [], include = [] } = jobs["test"]?.strategy?.matrix ?? {};
  expect([system, node]).toEqual([["ubuntu-latest"], [leastMajor, ...supportedMajors]]);
  const newest = supportedMajors.at(-1);
  expect(include).toEqual(["macos-latest", "windows-latest"].map((name) => ({ system: name, node: newest })));
  // Its own is PowerShell there, which starts no script that names bash.
  expect(defaults).toEqual({ run: { shell: "bash" } });
});

test("all other workflows run on the newest Node that is supported", () => {
  for (const file of ["mutants.yml", "nightly.yml", "release.yml"]) {
    const versions = stepsIn(read(`${folder}/${file}`)).flatMap((step) => step.with?.["node-version"] ?? []);
    expect(new Set(versions), file).toEqual(new Set([supportedMajors.at(-1)]));
  }
});

test("all mutants are tried where a room changed that judges, is judged, or says what is promised", () => {
  const { push, pull_request: pull } = workflowOf("mutants.yml").on;
  expect(push?.paths).toEqual(pull?.paths);
  const rooms = (push?.paths ?? []).map((path) => path.replace("/**", ""));
  expect(rooms).toEqual(["contracts", "harness", "property", "proof", "reference", "specs"]);
  for (const room of rooms) expect(existsSync(join(root, room)), room).toBe(true);
});

const releaseFile = `${folder}/release.yml`;

interface ReleaseJob {
  readonly needs?: string;
  readonly permissions?: unknown;
  readonly steps: readonly Step[];
}

test("a tag is released, pushed as an image and published, each by a job of its own, once all checks passed", () => {
  const { on, permissions, jobs } = parse(read(releaseFile)) as {
    readonly on: unknown;
    readonly permissions: unknown;
    readonly jobs: { readonly [job: string]: ReleaseJob };
  };
  // Neither the tag of a major version nor that of a version to try.
  expect(on).toEqual({ push: { tags: ["v[0-9]+.[0-9]+.[0-9]+"] } });
  expect(permissions).toEqual({ contents: "read" });
  expect(Object.entries(jobs).map(([name, job]) => [name, job.needs, job.permissions])).toEqual([
    ["pack", undefined, undefined],
    ["release", "pack", { contents: "write" }],
    ["image", "pack", { contents: "read", packages: "write" }],
    // Provenance is signed by the job's own identity.
    ["npm", "pack", { contents: "read", "id-token": "write" }],
  ]);
  const steps = stepsIn(read(releaseFile));
  const plain = Object.entries(jobs).map(
    ([name, { needs: _, permissions: __, ...job }]) =>
      [name, { ...job, steps: job.steps.map(({ env: ___, ...step }) => step) }] as const,
  );
  expect(problemsIn({ name: "Release", on: {}, permissions, jobs: Object.fromEntries(plain) })).toEqual([]);
  const [, ...taken] = [...new Set(steps.flatMap(({ uses }) => uses ?? []))];
  expect(taken).toEqual(["actions/setup-node@v4", "actions/upload-artifact@v4", "actions/download-artifact@v4"]);
  expect(steps.flatMap(({ run }) => run ?? [])).toEqual([
    expect.stringContaining("$GITHUB_REF_NAME"),
    "npm ci",
    // Also of what is for development, since some of that is bundled.
    "npm audit --audit-level=high",
    ".ci/run",
    expect.stringMatching(/npm pkg delete scripts\.prepare\n.*repository\.url=[^]*npm pack [^]*npm sbom [^]*bundled/),
    expect.stringMatching(/^gh release view .* \|\| gh release create .* packed\/\*$/),
    expect.stringContaining("git push --force"),
    expect.stringContaining("--user 5000:5000 --read-only"),
    expect.stringContaining("--push"),
    "npm publish --provenance --access public ./packed/*.tgz",
  ]);
});

test("an image is pushed by its version, and no token is on a command line", async () => {
  const log = join(emptyFolder(), "docker.log");
  const docker = program("docker", `echo "$*" >> ${log}; [ "$1" != login ] || cat >> ${log}`);
  const { code, stderr } = await performStep(
    stepOf(stepsIn(read(releaseFile)), "Push the image"),
    { "github.token": "a-token" },
    root,
    {
      PATH: `${dirname(docker)}${delimiter}${process.env["PATH"]}`,
      GITHUB_ACTOR: "somebody",
      GITHUB_REPOSITORY: "Acme/Assay",
      GITHUB_REF_NAME: "v1.22.3",
      GITHUB_SERVER_URL: "https://github.com",
      GITHUB_SHA: "0123abc",
    },
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const label = "--label org.opencontainers.image";
  expect(readFileSync(log, "utf8").split("\n")).toEqual([
    "login ghcr.io --username somebody --password-stdin",
    "a-token",
    "buildx build --platform linux/amd64,linux/arm64 --provenance mode=max --sbom true " +
      `${label}.version=1.22.3 ${label}.revision=0123abc ${label}.source=https://github.com/Acme/Assay ` +
      "--tag ghcr.io/acme/assay:1.22.3 --push .",
    "",
  ]);
});

test("the tag of a major version moves to its newest release", async () => {
  const file = join(emptyFolder(), "acme.yaml");
  writeFileSync(file, "");
  const remote = repositoryWith(file);
  const moving = stepOf(stepsIn(read(releaseFile)), "Move the tag of the major version");
  const moved: string[] = [];
  // The last but one is a fix of an older version.
  for (const name of ["v1.9.0", "v1.10.0", "v1.9.1", "v2.0.0"]) {
    const clone = clonedFrom(remote);
    git(clone, "commit", "--quiet", "--allow-empty", `--message=${name}`);
    git(clone, "tag", name);
    git(clone, "push", "--quiet", "origin", `refs/tags/${name}`);
    expect((await performStep(moving, {}, clone, { GITHUB_REF_NAME: name })).code).toBe(0);
    const [major = ""] = name.split(".");
    const [at = ""] = git(clone, "ls-remote", "origin", `refs/tags/${major}`).split("\t");
    if (at === git(clone, "rev-parse", "HEAD").trim()) moved.push(name);
  }
  expect(moved).toEqual(["v1.9.0", "v1.10.0", "v2.0.0"]);
});

test("a tag that isn't the version is refused", async () => {
  const step = stepOf(stepsIn(read(releaseFile)), "Check the tag");
  const codeOf = async (tag: string): Promise<number | null> =>
    (await performStep(step, {}, root, { GITHUB_REF_NAME: tag })).code;
  const { version } = JSON.parse(read("package.json")) as { readonly version: string };
  expect([await codeOf(`v${version}`), await codeOf("v99.0.0")]).toEqual([0, 1]);
});

for (const [file, { runs, values }] of Object.entries(files)) {
  const workflow = workflowOf(file);
  const steps = stepsIn(read(`${folder}/${file}`));
  test(`${file} has the fields of a workflow, and no others`, () => {
    expect(problemsIn(workflow)).toEqual([]);
    const [job] = Object.values(workflow.jobs);
    const wrong = [
      { permissions: { contents: "write" } },
      { jobs: { test: { ...job, step: [] } } },
      { jobs: { test: { ...job, steps: [{ uses: "a/b@v1", run: "true" }] } } },
    ];
    for (const one of wrong) expect(problemsIn({ ...workflow, ...one })).not.toEqual([]);
  });

  test(`${file} uses actions by a known major, each with inputs that it takes`, () => {
    const used = steps.filter(({ uses }) => uses !== undefined);
    expect(used.length).toBeGreaterThan(1);
    for (const step of used) expect(Object.keys(step.with ?? {}), step.uses).toEqual(known[step.uses ?? ""]);
  });

  test(`${file} runs what is there`, () => {
    const commands = steps.flatMap(({ run }) => run ?? []);
    for (const command of commands) {
      const [program = "", ...words] = command.split(" ");
      if (program !== "npm") accessSync(join(root, program), constants.X_OK);
      else expect(words[0] === "ci" || Object.hasOwn(scripts, words[1] ?? ""), command).toBe(true);
    }
    expect(commands.filter((command) => command !== "npm ci")).toEqual(runs);
  });

  test(`${file} names only files and values that exist`, () => {
    const names = namesIn(workflow);
    expect(names).toEqual(values);
    const paths = [...names.join(" ").matchAll(/'([^']+)'/g)].map(([, path = ""]) => path);
    const inputsOfGo = steps.flatMap((step) => step.with?.["cache-dependency-path"] ?? []);
    for (const path of [...paths, ...inputsOfGo]) expect(existsSync(join(root, path)), path).toBe(true);
    expect(read(".gitignore").split("\n")).toContain(".tools");
  });
}
