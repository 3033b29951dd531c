// Reads a config of custom checks, and says what is wrong in it.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import type { ErrorObject } from "ajv/dist/2020.js";
import { CommandLineError, suggestion } from "../harness/core/commandLineError.ts";
import type { Interface } from "../harness/core/interface.ts";
import { type Json, listOf, pointerFromPath, valueAt } from "../harness/core/json.ts";
import { CustomCheckError } from "../harness/core/outcomes.ts";
import { type FileSchema, validatorOf } from "../harness/core/schema.ts";
import { type SchemaNode, sentencesOf } from "../harness/core/yamlFile.ts";
import { citedBy } from "../harness/model/check.ts";
import type { Environment } from "../harness/transport/route.ts";
import type { CustomChecks } from "./definition.ts";
import { linesOfMember, placeInStack, placeOfSyntaxError } from "./places.ts";
import { noSpec, readSpec } from "./spec.ts";
import { type Custom, customOf } from "./suite.ts";

/** The message of what was thrown, without values of variables, which may be keys; what the path holds is none. */
function messageOf(error: unknown, file: string, environment: Environment): string {
  const [line = ""] = (error instanceof Error ? error.message : inspect(error)).split("\n");
  const variables = Object.entries(environment).filter(([, value = ""]) => value.length >= 8 && !file.includes(value));
  return variables.reduce((text, [name, value = ""]) => text.replaceAll(value, `<${name}>`), line);
}

/** Of what an import threw. */
function placeOfError(error: unknown, file: string): string | null {
  const place = error instanceof Error ? placeInStack(error.stack ?? "", file) : null;
  return place ?? (error instanceof SyntaxError ? placeOfSyntaxError(file) : null);
}

/** @param place in the folder of a config; null: the config as a whole */
const inFolder = (file: string, place: string | null): string => (place === null ? file : join(dirname(file), place));

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
    const message = messageOf(error, file, environment);
    throw new CommandLineError(`${inFolder(file, placeOfError(error, file))} can't be loaded: ${message}. ${advice}`);
  }
}

interface MalformedConfig {
  readonly file: string;
  readonly text: string;
  readonly config: unknown;
}

/** The lists of a config whose items have names, and a member that only each of them has. */
const named = { checks: { name: "proves", only: "proves" }, requirements: { name: "id", only: "sentence" } } as const;

/** What isn't of the form: of each check and requirement with its line and name, else of the config. */
function formProblems(errors: readonly ErrorObject[], schema: FileSchema, { file, text, config }: MalformedConfig) {
  const problems: string[] = [];
  let rest = errors;
  for (const [list, { name, only }] of Object.entries(named)) {
    const items = listOf((config as { readonly [name: string]: Json })[list]);
    const lines = linesOfMember(text, only, items.length);
    items.forEach((item, nth) => {
      const path = pointerFromPath([list, nth]);
      const isWithin = ({ instancePath }: ErrorObject): boolean => `${instancePath}/`.startsWith(`${path}/`);
      const own = rest.filter(isWithin).map((one) => ({ ...one, instancePath: one.instancePath.slice(path.length) }));
      if (own.length === 0) return;
      rest = rest.filter((one) => !isWithin(one));
      const root = { $defs: schema.$defs, ...schema.properties?.[list]?.items } as SchemaNode;
      const ids = [valueAt(item, `/${name}`)].flat().filter((id) => typeof id === "string");
      const called = ids.length > 0 ? `${list.slice(0, -1)} ${ids.join(", ")}` : `${list}[${nth}]`;
      const place = lines[nth] === undefined ? file : `${file}:${lines[nth]}`;
      problems.push(`${place}: ${called}: ${sentencesOf(own, root, "it").join(" ")}`);
    });
  }
  if (rest.length > 0) problems.push(`${file}: ${sentencesOf(rest, schema).join(" ")}`);
  return problems.join("\n");
}

/** Schemas know no functions. */
function functionErrors({ checks, platform, mutants = {} }: CustomChecks): readonly ErrorObject[] {
  const given: readonly (readonly [path: (string | number)[], value: unknown])[] = [
    ...checks.map(({ by }, nth) => [["checks", nth, "by"], by] as [(string | number)[], unknown]),
    [["platform", "fetch"], platform?.fetch],
    ...Object.entries(mutants).map(([name, mutant]) => [["mutants", name], mutant] as [string[], unknown]),
  ];
  const wrong = given.filter(([, value]) => value !== undefined && typeof value !== "function");
  return wrong.map(([path]) => ({
    keyword: "type",
    instancePath: pointerFromPath(path),
    schemaPath: "",
    params: { type: "function" },
  }));
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
  /** Of samples that target files may give without it. */
  readonly sampleNames: readonly string[];
  /** Its values are hidden in what is said of errors. */
  readonly environment: Environment;
}

/**
 * @throws CommandLineError where the config or its spec is wrong
 */
export async function loadCustom(file: string, options: LoadingOptions): Promise<Custom> {
  const { tables, schema, sampleNames, environment } = options;
  const config = await defaultOf(file, environment);
  if (config === undefined)
    throw new CommandLineError(`${file} has no default export. Write defineChecks({ … }) there.`);
  const validate = validatorOf<CustomChecks>(schema);
  const text = readFileSync(file, "utf8");
  const refused = (errors: readonly ErrorObject[]): CommandLineError =>
    new CommandLineError(formProblems(errors, schema, { file, text, config }));
  if (!validate(config)) throw refused(validate.errors ?? []);
  const misplaced = functionErrors(config);
  if (misplaced.length > 0) throw refused(misplaced);
  try {
    const spec = config.spec ? readSpec(dirname(file), config.spec, schema) : noSpec;
    const { samples: properties = {} } = config;
    validatorOf({ $id: `${pathToFileURL(file).href}/samples`, properties });
    const custom = customOf(tables, spec, { file, text, config, sampleNames });
    const problem = problemIn(custom, tables);
    if (problem === null) return custom;
    throw new CommandLineError(`${file} ${problem}`);
  } catch (error) {
    if (error instanceof CommandLineError) throw error;
    const message = messageOf(error, file, environment);
    if (error instanceof CustomCheckError)
      throw new CommandLineError(`${inFolder(file, error.place)}: ${message}. Correct it.`);
    throw new CommandLineError(`${file}: ${message}. Correct it there, or in its spec.`);
  }
}
