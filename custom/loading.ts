// Reads a config of custom checks, and says what is wrong in it.
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { CommandLineError, suggestion } from "../harness/core/commandLineError.ts";
import type { Interface } from "../harness/core/interface.ts";
import { type FileSchema, validatorOf } from "../harness/core/schema.ts";
import { sentencesOf } from "../harness/core/yamlFile.ts";
import { citedBy } from "../harness/model/check.ts";
import type { Environment } from "../harness/transport/route.ts";
import type { CustomChecks } from "./definition.ts";
import { noSpec, readSpec } from "./spec.ts";
import { type Custom, customOf } from "./suite.ts";

/** The message of what was thrown, without values of variables, which may be keys. */
function messageOf(error: unknown, environment: Environment): string {
  const [line = ""] = (error instanceof Error ? error.message : inspect(error)).split("\n");
  const variables = Object.entries(environment).filter(([, value = ""]) => value.length >= 8);
  return variables.reduce((text, [name, value = ""]) => text.replaceAll(value, `<${name}>`), line);
}

/** @throws CommandLineError where it can't be run */
async function defaultOf(file: string, environment: Environment): Promise<unknown> {
  try {
    return ((await import(pathToFileURL(file).href)) as { readonly default?: unknown }).default;
  } catch (error) {
    const { code } = Object(error) as NodeJS.ErrnoException;
    const advice =
      code === "ERR_UNKNOWN_FILE_EXTENSION"
        ? "Write it as assay.config.mjs with JSDoc types; Node 22.18 or newer runs assay.config.ts."
        : "Fix it and retry.";
    throw new CommandLineError(`${file} can't be loaded: ${messageOf(error, environment)}. ${advice}`);
  }
}

/** What is wrong, as the end of a sentence that begins with the file; null where nothing is wrong. */
function problemIn({ config, spec, checks, laws }: Custom, tables: Interface): string | null {
  const own = config.requirements.map(({ id }) => id);
  const areaOf = (id: string): string => id.split("-")[0] ?? "";
  const areas = new Set(tables.requirements.map(({ id }) => areaOf(id)));
  const taken = own.find((id, nth) => areas.has(areaOf(id)) || own.indexOf(id) !== nth);
  if (taken !== undefined) return `has the requirement ${taken}, but its area or id is taken. Name it otherwise.`;
  const operation = spec.operations.find(({ id }) => tables.operations.some((one) => one.id === id));
  if (operation) return `has the operation ${operation.id} of its spec, which the interface has, too. Rename it.`;
  const { api, feature } = config.spec ?? {};
  if (tables.operations.some((one) => one.feature === feature))
    return `names the feature ${feature}, which the interface has. Name its operations' feature otherwise.`;
  const kind = new Map<string | undefined, string>(Object.entries(tables.apis)).get(api) ?? spec.kind;
  if (kind !== spec.kind) return `serves ${spec.kind} by bases.${api}, which is ${kind}. Name a base of your own.`;
  const cited: readonly string[] = [...checks.flatMap(citedBy), ...laws.flatMap(({ ids }) => ids)];
  const mutated = Object.keys(config.mutants ?? {}).map((name) => name.split(".")[0] ?? "");
  const called = laws.find((law) => !tables.operations.concat(spec.operations).some(({ id }) => id === law.operation));
  if (called) return `has a law about ${inspect(called.operation)}, which isn't an operation. Correct its name.`;
  const unknown = [...cited, ...mutated].find((id) => !own.includes(id));
  if (unknown !== undefined)
    return `names the requirement ${unknown}${suggestion(unknown, own)}, which isn't under requirements. Add it there.`;
  return null;
}

export interface LoadingOptions {
  /** The interface beside which it stands. */
  readonly tables: Interface;
  /** Of what a config exports by default. */
  readonly schema: FileSchema;
  /** Its values are hidden in what is said of errors. */
  readonly environment: Environment;
}

/**
 * @throws CommandLineError where the config or its spec is wrong
 */
export async function loadCustom(file: string, { tables, schema, environment }: LoadingOptions): Promise<Custom> {
  const config = await defaultOf(file, environment);
  if (config === undefined)
    throw new CommandLineError(`${file} has no default export. Write defineChecks({ … }) there.`);
  const validate = validatorOf<CustomChecks>(schema);
  if (!validate(config)) throw new CommandLineError(`${file}: ${sentencesOf(validate.errors ?? [], schema).join(" ")}`);
  try {
    const spec = config.spec ? readSpec(dirname(file), config.spec, schema) : noSpec;
    const { samples: properties = {} } = config;
    validatorOf({ $id: `${pathToFileURL(file).href}/samples`, properties });
    const custom = customOf(tables, config, spec, file, readFileSync(file, "utf8"));
    const problem = problemIn(custom, tables);
    if (problem === null) return custom;
    throw new CommandLineError(`${file} ${problem}`);
  } catch (error) {
    if (error instanceof CommandLineError) throw error;
    throw new CommandLineError(`${file}: ${messageOf(error, environment)}. Correct it there, or in its spec.`);
  }
}
