// The action and the workflows to copy: known fields, and expressions that name what exists.
import { expect, test } from "@playwright/test";
import { parse } from "yaml";
import { read } from "../support/assay.ts";
import { closed, schemaProblems } from "../support/standards.ts";
import { action, gate, type Step, stepOf, stepsIn } from "../support/steps.ts";

const version = (JSON.parse(read("package.json")) as { readonly version: string }).version;
const workflows = { "docs/gate.md": gate, "ci/nightly.yml": read("ci/nightly.yml") };
const allSteps = [...action.runs.steps, ...Object.values(workflows).flatMap(stepsIn)];

const text = { type: "string", minLength: 1 };
const texts = { type: "object", additionalProperties: { type: "string" } };
const named = (required: readonly string[], properties: object): object => ({
  type: "object",
  propertyNames: { pattern: "^[A-Za-z_][\\w-]*$" },
  additionalProperties: closed(required, properties),
});
const stepFields = { name: text, id: { type: "string", pattern: "^[A-Za-z_][\\w-]*$" }, if: text, env: texts };
const stepsOf = (required: readonly string[]): object => {
  const running = closed(required, { ...stepFields, run: text, shell: text, "working-directory": text });
  const using = closed(["uses"], { ...stepFields, "continue-on-error": { type: "boolean" }, uses: text, with: texts });
  return { type: "array", minItems: 1, items: { oneOf: [running, using] } };
};

/** The part of GitHub's metadata syntax for composite actions that is used here. */
const composite = closed(["name", "description", "runs"], {
  name: text,
  description: text,
  author: text,
  inputs: named(["description"], { description: text, required: { type: "boolean" }, default: { type: "string" } }),
  outputs: named(["description", "value"], { description: text, value: text }),
  runs: closed(["using", "steps"], { using: { const: "composite" }, steps: stepsOf(["run", "shell"]) }),
});
const workflow = closed(["on", "jobs"], {
  name: text,
  on: {},
  permissions: texts,
  concurrency: closed(["group"], { group: text, "cancel-in-progress": { type: "boolean" } }),
  jobs: named(["runs-on", "steps"], { "runs-on": text, env: texts, steps: stepsOf(["run"]) }),
});

test("the action has the fields of a composite action, and no others", () => {
  expect(schemaProblems(composite, action)).toEqual([]);
  const step = stepOf(action.runs.steps, "Judge");
  const wrong = [
    { ...action, run: {} },
    { ...action, runs: { using: "composite", steps: [{ run: "true" }] } },
    { ...action, runs: { using: "composite", steps: [{ ...step, uses: "a/b@v1" }] } },
  ];
  for (const one of wrong) expect(schemaProblems(composite, one)).not.toEqual([]);
});

for (const [file, yaml] of Object.entries(workflows))
  test(`the workflow in ${file} has the fields of a workflow, and no others`, () =>
    expect(schemaProblems(workflow, parse(yaml))).toEqual([]));

/** Majors that there are. */
const known = [
  "actions/attest@v4",
  "actions/checkout@v4",
  "actions/upload-artifact@v4",
  `OWNER/assay@v${version.split(".")[0]}`,
];

test("every action that is used is one that there is, by its major", () => {
  const used = allSteps.flatMap(({ uses }) => uses ?? []);
  expect([...new Set(used)].sort()).toEqual([...known].sort());
});

/** What is named between `${{` and `}}`, e.g. `inputs.target`. */
const namesIn = (document: unknown): readonly string[] =>
  [...JSON.stringify(document).matchAll(/\$\{\{(.*?)\}\}/g)].flatMap(
    ([, expression = ""]) => expression.replace(/'[^']*'/g, "").match(/[a-z]\w*(?:\.[\w-]+)+/g) ?? [],
  );

/**
 * The outputs that each step of the action, or a step that uses it, has: by a line of its script, or by the action's
 * own list.
 */
function outputsOf(steps: readonly Step[]): readonly string[] {
  return steps.flatMap(({ id, run, uses }) => {
    if (id === undefined) return [];
    const names = uses?.startsWith("OWNER/assay@")
      ? Object.keys(action.outputs)
      : [...(run ?? "").matchAll(/"([\w-]+)=\$/g)].map(([, name = ""]) => name);
    return names.map((name) => `steps.${id}.outputs.${name}`);
  });
}

/** What the action reads of the job beside its inputs and steps: the machine, and where a pull request comes from. */
const ofTheJob = ["runner.temp", "github.event.pull_request.head.repo.fork"];

test("the action uses each of its inputs, and names of the job what it has to know", () => {
  const names = [...new Set(namesIn(action))];
  const inputs = Object.keys(action.inputs).map((name) => `inputs.${name}`);
  expect(inputs.length).toBeGreaterThan(3);
  expect(names.filter((name) => name.startsWith("inputs.")).sort()).toEqual([...inputs].sort());
  expect(names.filter((name) => name.startsWith("steps.")).sort()).toEqual([...outputsOf(action.runs.steps)].sort());
  expect(names.filter((name) => !/^(?:inputs|steps)\./.test(name))).toEqual(ofTheJob);
});

for (const [file, yaml] of Object.entries(workflows))
  test(`${file} names only secrets, outputs of earlier steps, GitHub's token, and inputs that the action has`, () => {
    const steps = stepsIn(yaml);
    for (const [index, step] of steps.entries()) {
      for (const name of namesIn(step).filter((one) => one.startsWith("steps.")))
        expect(outputsOf(steps.slice(0, index)), name).toContain(name);
      if (step.uses?.startsWith("OWNER/assay@"))
        expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(step.with ?? {})));
    }
    const known = /^(?:secrets\.ACME_KEY|github\.token|steps\..*)$/;
    expect(namesIn(parse(yaml)).filter((name) => !known.test(name))).toEqual([]);
  });
