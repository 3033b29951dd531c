// The workflows of this repository: known fields, known majors, and names that exist.
import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { parse } from "yaml";
import { read, root } from "../support/assay.ts";
import { partNames } from "../support/parts.ts";
import { closed, schemaProblems } from "../support/standards.ts";
import { performStep, stepOf, stepsIn } from "../support/steps.ts";

const folder = ".github/workflows";
const scripts = (JSON.parse(read("package.json")) as { readonly scripts: { readonly [name: string]: string } }).scripts;

interface Workflow {
  readonly on: { readonly [event: string]: { readonly paths?: readonly string[] } | null };
  readonly jobs: { readonly [job: string]: { readonly strategy?: { readonly matrix: { readonly part: string[] } } } };
}

const text = { type: "string", minLength: 1 };
const texts = { type: "array", minItems: 1, items: text };
const inputs = { type: "object", minProperties: 1, additionalProperties: text };
const schema = closed(["name", "on", "permissions", "jobs"], {
  name: text,
  on: closed([], { push: {}, pull_request: {}, schedule: {}, workflow_dispatch: {} }),
  permissions: { const: { contents: "read" } },
  jobs: {
    type: "object",
    propertyNames: { pattern: "^[a-z]+$" },
    minProperties: 1,
    additionalProperties: closed(["runs-on", "timeout-minutes", "steps"], {
      strategy: closed(["fail-fast", "matrix"], {
        "fail-fast": { const: false },
        matrix: closed(["part"], { part: texts }),
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

const tested = ["runner.os", "hashFiles('tools/k6/go.mod', 'tools/k6/go.sum')"];

/** What each runs after its installation, and the values that it takes from elsewhere. */
const files: { readonly [file: string]: { readonly runs: readonly string[]; readonly values: readonly string[] } } = {
  "ci.yml": { runs: [".ci/run"], values: tested },
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

test("all mutants are tried where a room changed that judges, is judged, or says what is promised", () => {
  const { push, pull_request: pull } = workflowOf("mutants.yml").on;
  expect(push?.paths).toEqual(pull?.paths);
  const rooms = (push?.paths ?? []).map((path) => path.replace("/**", ""));
  expect(rooms).toEqual(["contracts", "harness", "property", "proof", "reference", "specs"]);
  for (const room of rooms) expect(existsSync(join(root, room)), room).toBe(true);
});

test("a release is published once its tag, its dependencies and all tests are checked, with its components", () => {
  const release = workflowOf("release.yml");
  // Provenance is signed by the job's own identity.
  expect(release).toMatchObject({
    on: { push: { tags: ["v*"] } },
    permissions: { contents: "write", "id-token": "write" },
  });
  const steps = stepsIn(read(`${folder}/release.yml`));
  const job = { ...release.jobs["publish"], steps: steps.map(({ env: __, ...step }) => step) };
  expect(problemsIn({ ...release, permissions: { contents: "read" }, jobs: { publish: job } })).toEqual([]);
  expect(steps.flatMap(({ run }) => run ?? [])).toEqual([
    expect.stringContaining("$GITHUB_REF_NAME"),
    "npm ci",
    "npm audit --audit-level=high",
    ".ci/run",
    expect.stringMatching(/^npm pkg set "repository\.url=.*\nnpm publish --provenance --access public\n$/),
    "npm sbom --omit dev --sbom-format cyclonedx > installed.cdx.json",
    expect.stringContaining("installed.cdx.json dist/bundled.cdx.json"),
  ]);
});

test("a tag that isn't the version is refused", async () => {
  const step = stepOf(stepsIn(read(`${folder}/release.yml`)), "Check the tag");
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
