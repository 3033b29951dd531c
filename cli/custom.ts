// What this process judges: the interface, with the checks of a config beside the target file where there is one.
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { targetForm as own } from "../contracts/targets.ts";
import { loadCustom } from "../custom/loading.ts";
import { formWith } from "../custom/suite.ts";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { readSchema } from "./readSchema.ts";

const names = ["assay.config.mjs", "assay.config.js", "assay.config.ts"];

/**
 * Beside the first target file that the command line names, else in the current folder; ASSAY_CONFIG names another. It
 * is code that could read any variable: with `--env`, which guards them, only ASSAY_CONFIG names one.
 */
function configFile(): string | undefined {
  const { ASSAY_CONFIG: named } = process.env;
  if (named && !existsSync(named))
    throw new CommandLineError(`ASSAY_CONFIG names ${named}, which isn't there. Name a config, or unset it.`);
  const words = process.argv.slice(2);
  if (named === undefined && words.some((word) => /^(--env(=|$)|--help$|-h$|--version$|-V$)/.test(word)))
    return undefined;
  const targets = words.flatMap((word, nth) => {
    const isOther = /^--(?!target$)/.test(words[nth - 1] ?? "");
    return isOther ? [] : (/^(?:--target=)?(.+\.ya?ml)$/i.exec(word)?.[1] ?? []);
  });
  const found = [...targets.map(dirname), "."].flatMap((folder) => names.map((name) => resolve(folder, name)));
  return named ? resolve(named) : found.find((file) => existsSync(file));
}

const file = configFile();

/** Null where no config is found. */
export const custom =
  file === undefined ? null : await loadCustom(file, own.interface, readSchema("custom/config.schema.json"));

export const targetForm = custom ? formWith(own, custom) : own;
