// What a command judges by: the interface, with the checks of a config where there is one.
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { targetForm } from "../contracts/targets.ts";
import type { Custom } from "../custom/suite.ts";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import type { TargetForm } from "../harness/targets/form.ts";
import type { Environment } from "../harness/transport/route.ts";
import { areaOf } from "../reports/described.ts";
import { clauseAnchors } from "../specs/generated/clauses.ts";
import { citations, rows, siteLines } from "../specs/generated/lines.ts";
import { areas, newest } from "../specs/generated/tables.ts";
import type { InvokedProject } from "./invocation.ts";
import { readSchema } from "./readSchema.ts";

const names = ["assay.config.mjs", "assay.config.js", "assay.config.ts"];

/**
 * Beside the first target file that the command line names, else in the current folder; ASSAY_CONFIG names another. It
 * is code that could read any variable: with `--env`, which guards them, only ASSAY_CONFIG names one.
 */
function configFile(words: readonly string[], { ASSAY_CONFIG: named }: Environment): string | undefined {
  if (named && !existsSync(named))
    throw new CommandLineError(`ASSAY_CONFIG names ${named}, which isn't there. Name a config, or unset it.`);
  if (named === undefined && words.some((word) => /^(--env(=|$)|--help$|-h$)/.test(word))) return undefined;
  const targets = words.flatMap((word, nth) => {
    const isOther = /^--(?!target$)/.test(words[nth - 1] ?? "");
    return isOther ? [] : (/^(?:--target=)?(.+\.ya?ml)$/i.exec(word)?.[1] ?? []);
  });
  const found = [...targets.map(dirname), "."].flatMap((folder) => names.map((name) => resolve(folder, name)));
  return named ? resolve(named) : found.find((file) => existsSync(file));
}

/** @param words of the command line @throws CommandLineError where a config can't be loaded or is wrong */
export async function projectFor(words: readonly string[], environment: Environment): Promise<InvokedProject> {
  const file = configFile(words, environment);
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

function projectOf(custom: Custom | null, form: TargetForm): InvokedProject {
  const ids = custom?.config.requirements.map(({ id }) => id) ?? [];
  return {
    custom,
    extended: (suite) => suite,
    form,
    described: {
      tables: form.interface,
      areas: { ...areas, ...Object.fromEntries(ids.map((id) => [areaOf(id), "Custom checks"])) },
      lines: {
        rows: { ...rows, ...custom?.lines },
        ...(custom && { config: custom.lines }),
        sites: siteLines,
        citations,
      },
      newest,
      clauses: { file: "docs/INTERFACE.md", anchors: clauseAnchors },
    },
  };
}

/** The interface alone. */
export const ownProject: InvokedProject = projectOf(null, targetForm);
export const { described } = ownProject;
