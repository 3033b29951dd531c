// Steps of an action or a job, run as a CI server does: expressions filled in, one shell per script.
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { type Ended, emptyFolder, read, root, start } from "./assay.ts";

/** The fields that our own files use. */
export interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly if?: string;
  readonly "continue-on-error"?: boolean;
  readonly uses?: string;
  readonly with?: { readonly [input: string]: string };
  readonly env?: { readonly [name: string]: string };
  readonly run?: string;
  readonly shell?: string;
  readonly "working-directory"?: string;
}

/** Our action. */
export const action = parse(read("action.yml")) as {
  readonly inputs: { readonly [name: string]: { readonly required?: boolean; readonly default?: string } };
  readonly outputs: { readonly [name: string]: { readonly value: string } };
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
};

/** The workflow that docs/gate.md gives to copy. */
export const [, gate = ""] = read("docs/gate.md").match(/```yaml\n(on: [\s\S]*?)```/) ?? [];

const [inputsDocument, jobsDocument] = parseAllDocuments(read("ci/gitlab.yml")).map(
  (document) => document.toJS() as unknown,
);

/** What GitLab's template takes. */
export const { inputs: gitlabInputs } = (
  inputsDocument as { readonly spec: { readonly inputs: { readonly [name: string]: { readonly default?: string } } } }
).spec;

/** Its job. */
export const { assay: gitlabJob } = jobsDocument as {
  readonly assay: {
    readonly image: { readonly name: string; readonly entrypoint: readonly string[] };
    readonly script: readonly string[];
    readonly variables: Values;
    readonly cache: readonly unknown[];
    readonly allow_failure: { readonly exit_codes: number };
    readonly artifacts: { readonly reports: { readonly junit: string } };
  };
};

/** The steps of all jobs of a workflow. */
export const stepsIn = (workflow: string): readonly Step[] => {
  const { jobs } = parse(workflow) as {
    readonly jobs: { readonly [job: string]: { readonly steps: readonly Step[] } };
  };
  return Object.values(jobs).flatMap(({ steps }) => steps);
};

export const stepOf = (steps: readonly Step[], name: string): Step => {
  const step = steps.find((one) => one.name === name || one.uses?.startsWith(name));
  if (!step) throw new Error(`no step ${name}`);
  return step;
};

export type Values = { readonly [name: string]: string };

/** The action's inputs: a user's, else the defaults. */
export const inputsOf = (given: Values): Values =>
  Object.fromEntries(
    Object.entries(action.inputs).map(([name, input]) => [`inputs.${name}`, given[name] ?? input.default ?? ""]),
  );

/** As the action would have installed it: the project as it stands. */
export const launcher = join(root, "cli/assay.js");

/** What the job's machine and GitHub say. @param fork `true` where a fork asks, else `false`, or empty without one */
export const inPullRequest = (fork: string): Values => ({
  "runner.temp": emptyFolder(),
  "steps.install.outputs.assay": launcher,
  "github.event.pull_request.head.repo.fork": fork,
});

/** Replaces `${{ name }}` by its value. @throws Error for an unknown name */
export const filled = (text: string, values: Values): string =>
  text.replace(/\$\{\{\s*(.*?)\s*\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`no value for \${{ ${name} }}`);
    return value;
  });

export interface Performed extends Ended {
  readonly outputs: Values;
  readonly summary: string;
}

/** Runs the script of one step as GitHub's runner does: `bash --noprofile --norc -eo pipefail`. */
export async function performStep(
  step: Step,
  values: Values,
  folder: string,
  environment: Values = {},
): Promise<Performed> {
  const own = emptyFolder();
  const [script, outputs, summary] = [join(own, "script.sh"), join(own, "outputs"), join(own, "summary.md")];
  writeFileSync(script, filled(step.run ?? "", values));
  writeFileSync(outputs, "");
  writeFileSync(summary, "");
  const env = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, value]) => [name, filled(value, values)]));
  const ended = await start(
    "bash",
    ["--noprofile", "--norc", "-eo", "pipefail", script],
    { GITHUB_ACTIONS: "true", GITHUB_OUTPUT: outputs, GITHUB_STEP_SUMMARY: summary, ...environment, ...env },
    resolve(folder, filled(step["working-directory"] ?? ".", values)),
  ).ended;
  const lines = readFileSync(outputs, "utf8").trimEnd().split("\n").filter(Boolean);
  return {
    ...ended,
    outputs: Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
    ),
    summary: readFileSync(summary, "utf8"),
  };
}
