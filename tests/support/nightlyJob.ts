// The nightly workflow as a CI server runs it: a fresh clone each night, steps by their conditions, artifacts set aside
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { emptyFolder, read } from "./assay.ts";
import {
  action,
  filled,
  inPullRequest,
  inputsOf,
  launcher,
  performStep,
  type Step,
  stepOf,
  stepsIn,
  type Values,
} from "./steps.ts";

export const nightlySteps = stepsIn(read("ci/nightly.yml"));

export const git = (folder: string, ...args: readonly string[]): string =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@localhost", ...args], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  }).toString();

/** A repository on disk whose branch `main` holds the target file; gives its address. */
export function repositoryWith(file: string): string {
  const [remote, seed] = [emptyFolder(), emptyFolder()];
  git(remote, "init", "--quiet", "--bare", "--initial-branch=main");
  git(seed, "init", "--quiet", "--initial-branch=main");
  cpSync(file, join(seed, "acme.yaml"));
  git(seed, "add", "acme.yaml");
  git(seed, "commit", "--quiet", "--message=acme");
  git(seed, "push", "--quiet", remote, "main");
  return `file://${remote}`;
}

export function clonedFrom(repository: string): string {
  const folder = join(emptyFolder(), "workspace");
  git(dirname(folder), "clone", "--quiet", "--depth=1", repository, folder);
  return folder;
}

export interface JobEnd {
  /** The steps that failed, in order. */
  readonly failed: readonly string[];
  readonly summary: string;
  readonly output: string;
  /** Names of files in each artifact. */
  readonly artifacts: { readonly [name: string]: readonly string[] };
}

export interface Job {
  readonly repository: string;
  readonly environment: Values;
  /** What the action gets besides the workflow's inputs. */
  readonly inputs: Values;
  /** Whether Assay can't be installed. */
  readonly isUninstalled?: boolean;
}

const filesIn = (folder: string, paths: string): readonly string[] =>
  paths.split("\n").flatMap((path) => (existsSync(join(folder, path)) ? readdirSync(join(folder, path)) : []));

/** One night. */
export async function nightOn({ repository, environment, inputs, isUninstalled = false }: Job): Promise<JobEnd> {
  const folder = clonedFrom(repository);
  const outputs: { [id: string]: Values } = {};
  const failed: string[] = [];
  const artifacts: { [name: string]: readonly string[] } = {};
  let [summary, output] = ["", ""];

  const hasFiles = (pattern: string): boolean =>
    filesIn(folder, dirname(pattern)).some((name) => name.endsWith(basename(pattern).slice(1)));
  const values = (): Values => ({
    "github.token": "a-token",
    "steps.assay.outputs.assay": outputs["assay"]?.["assay"] ?? "",
    "steps.assay.outputs.exit-code": outputs["assay"]?.["exit-code"] ?? "",
    "steps.load.outputs.exit-code": outputs["load"]?.["exit-code"] ?? "",
  });
  const holds = (term: string): boolean => {
    const [, pattern] = /^hashFiles\('(.*)'\) != ''$/.exec(term) ?? [];
    if (pattern !== undefined) return hasFiles(pattern);
    const [, name] = /^(steps\..*) != ''$/.exec(term) ?? [];
    if (name !== undefined) return filled(`\${{ ${name} }}`, values()) !== "";
    if (term === "!cancelled()") return true;
    throw new Error(`an unknown condition: ${term}`);
  };
  const isDue = ({ if: condition }: Step): boolean =>
    condition === undefined
      ? failed.length === 0
      : condition
          .replace(/^\$\{\{ | \}\}$/g, "")
          .split(" && ")
          .every(holds);

  for (const step of nightlySteps) {
    const { name = "", uses = "", id, with: given = {} } = step;
    if (uses.startsWith("actions/checkout") || !isDue(step)) continue;
    if (uses.startsWith("actions/upload-artifact"))
      artifacts[given["name"] ?? ""] = filesIn(folder, given["path"] ?? "");
    else if (isUninstalled && uses !== "") failed.push(name);
    else {
      const ended =
        uses === ""
          ? await performStep(step, values(), folder, environment)
          : await performStep(
              stepOf(action.runs.steps, "Judge"),
              { ...inputsOf({ ...given, ...inputs }), ...inPullRequest("") },
              folder,
              environment,
            );
      if (id !== undefined) outputs[id] = { ...(uses === "" ? {} : { assay: launcher }), ...ended.outputs };
      if (ended.code !== 0) failed.push(name);
      summary += ended.summary;
      output += `${name}\n${ended.stdout}${ended.stderr}\n`;
    }
  }
  return { failed, summary, output, artifacts };
}
