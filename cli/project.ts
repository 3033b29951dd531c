// What a command judges by: the interface, with the checks of a config where there is one.
import { existsSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { targetForm } from "../contracts/targets.ts";
import type { Custom } from "../custom/suite.ts";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { foldersAbove } from "../harness/core/paths.ts";
import type { TargetForm } from "../harness/targets/form.ts";
import { describedBy } from "../reports/described.ts";
import { clauseAnchors } from "../specs/generated/clauses.ts";
import { citations, rows, siteLines } from "../specs/generated/lines.ts";
import { areas, newest } from "../specs/generated/tables.ts";
import { type Invocation, type InvokedProject, shellQuoted } from "./invocation.ts";
import { readSchema } from "./readSchema.ts";

const names = ["assay.config.mjs", "assay.config.js", "assay.config.ts"];

/** How a command comes to a config, which is code. */
export interface ConfigChoice {
  /** By --config. */
  readonly named?: string | undefined;
  /** Whether it judges, by the checks of the project in whose folder it is called. */
  readonly judges: boolean;
  /** Whether --env guards variables, any of which a config could read. */
  readonly isGuarded: boolean;
  /** Target files on the command line. */
  readonly targets: readonly string[];
}

const configIn = (folder: string): string | undefined =>
  names.map((name) => resolve(folder, name)).find((file) => existsSync(file));

/** The folder of the nearest package.json, from the current one upward; null where there is none. */
const projectFolder = (): string | null =>
  foldersAbove(process.cwd()).find((folder) => existsSync(join(folder, "package.json"))) ?? null;

/** What it says of configs that one may expect to be loaded, here or beside a target file, and that aren't. */
function unloadedLines(targets: readonly string[], project: string | null, loaded: string | undefined) {
  const folders = [...(project === null ? [] : [project]), ".", ...targets.map((file) => dirname(file))];
  const others = new Set(folders.flatMap((folder) => configIn(folder) ?? []).filter((file) => file !== loaded));
  return [...others].map((file) => {
    const path = relative(process.cwd(), file);
    const why =
      dirname(file) === project
        ? "a config is code, which could read variables that --env guards"
        : "a config is code, so only that beside the nearest package.json, here or above, is loaded";
    return `${path} isn't loaded: ${why}. To load it, add --config ${shellQuoted(path)}`;
  });
}

/** @throws CommandLineError where a named config isn't there */
function configFile({ named, judges, isGuarded, targets }: ConfigChoice, warn: Invocation["warn"]): string | undefined {
  if (named !== undefined && !statSync(named, { throwIfNoEntry: false })?.isFile())
    throw new CommandLineError(`--config names ${named}, which isn't a file. Name that of a config.`);
  if (named !== undefined) return resolve(named);
  if (!judges) return undefined;
  const project = projectFolder();
  const own = isGuarded || project === null ? undefined : configIn(project);
  for (const line of unloadedLines(targets, project, own)) warn(line);
  return own;
}

/** @throws CommandLineError where a config can't be loaded or is wrong */
export async function projectFor(
  { env: environment, warn }: Pick<Invocation, "env" | "warn">,
  choice: ConfigChoice,
): Promise<InvokedProject> {
  const file = configFile(choice, warn);
  if (file === undefined) return ownProject;
  const [{ loadCustom }, { formWith, suiteWith }] = await Promise.all([
    import("../custom/loading.ts"),
    import("../custom/suite.ts"),
  ]);
  const schema = readSchema("custom/config.schema.json");
  const sampleNames = Object.keys(targetForm.schema.properties?.["samples"]?.properties ?? {});
  const custom = await loadCustom(file, { tables: targetForm.interface, schema, sampleNames, environment });
  return { ...projectOf(custom, formWith(targetForm, custom)), extended: (suite) => suiteWith(suite, custom) };
}

const projectOf = (custom: Custom | null, form: TargetForm): InvokedProject => ({
  custom,
  extended: (suite) => suite,
  form,
  described: describedBy(form.interface, {
    tables: form.interface,
    areas,
    lines: { rows, sites: siteLines, citations },
    newest,
    clauses: { file: "docs/INTERFACE.md", anchors: clauseAnchors },
  }),
});

/** The interface alone. */
export const ownProject: InvokedProject = projectOf(null, targetForm);
export const { described } = ownProject;
