// Reading a target file: validated by its schema, keys taken from the environment.
import { existsSync } from "node:fs";
import { CommandLineError, suggestion } from "../core/commandLineError.ts";
import { type Api, apiOf, featuresOf, type Interface } from "../core/interface.ts";
import { isLoopback } from "../core/loopback.ts";
import type { Role } from "../core/requestSpec.ts";
import { looksLikeKey, redactorOf, Secret, withoutKeys } from "../core/secret.ts";
import { supplemented } from "../core/template.ts";
import { formedBy, readYamlFile, type YamlFile, yamlOf } from "../core/yamlFile.ts";
import { keysInBases, mayBeKeysIn, parseableBase, variablesInBases } from "./bases.ts";
import { deviationsOf, type WrittenDeviation } from "./deviations.ts";
import type { TargetForm } from "./form.ts";
import type { HeldKey, NamedVariable, Target } from "./target.ts";

type Written = Pick<
  Target,
  | "bases"
  | "offers"
  | "samples"
  | "names"
  | "prices"
  | "budget"
  | "quiet"
  | "strict"
  | "settlesWithin_s"
  | "rounding"
  | "allow"
>;

interface TargetDocument extends Pick<Target, "name" | "projects" | "contact">, Partial<Written> {
  readonly [member: string]: unknown;
  readonly platform?: "embedded";
  readonly insecure?: boolean;
  readonly keys: { readonly [R in Role]?: WrittenKey };
  readonly pace?: { readonly perSecond?: number; readonly [limit: string]: number | undefined };
  readonly deviations?: readonly WrittenDeviation[];
}

interface WrittenKey {
  readonly project: string;
  readonly env: string;
}

/** Requests per second of one feature unless the target sets another pace. */
export const defaultPerSecond = 2;

/** A shorter key looks like ordinary text and couldn't be removed from reports. */
const shortestKey = 8;

export interface ReadingOptions {
  readonly embeddedBases?: Target["bases"];
  /** Instead of the file's. */
  readonly text?: string;
  /** Stands for variables that aren't set, where nothing is sent. */
  readonly placeholder?: string;
  /** The only variables that the file may name; by default any. */
  readonly allowedVariables?: readonly string[] | undefined;
}

/**
 * Reads and checks a target file.
 * @param text what the file will hold, where it isn't written yet
 * @throws CommandLineError naming what is wrong, where, and what to do
 */
export function readTarget(
  form: TargetForm,
  file: string,
  environment: NodeJS.ProcessEnv,
  { embeddedBases = {}, text, placeholder, allowedVariables }: ReadingOptions = {},
): Target {
  const { document, yaml } = text === undefined ? readDocument(form, file) : checked(form, yamlOf(file, text));
  const bases = document.platform === "embedded" ? embeddedBases : (document.bases ?? {});
  checkBases(form.interface, file, document, bases);
  const inBases = variablesInBases(bases);
  const variables = [...variablesIn(document), ...inBases];
  refusePastedKeys(file, variables, environment);
  if (allowedVariables) refuseOthers(file, variables, allowedVariables);
  const keys = new Map<Role, HeldKey>();
  // A secret that a workflow lacks is an empty variable.
  const variable = (name: string): string | undefined => valueOf(environment, name) || placeholder;
  for (const [role, key] of Object.entries(document.keys) as [Role, WrittenKey][])
    keys.set(role, heldKey(file, document, role, key, variable));
  const secretsOfRoles = [...keys.values()].map(({ secret }) => secret);
  const baseKeys = keysInBases(file, inBases, variable, secretsOfRoles);
  const undeclared = Object.values<string>(bases).flatMap(mayBeKeysIn);
  const allow = document.allow ?? [];
  const { extras = {}, secrets = [], facts = [] } = form.readExtras?.({ file, document, keys, allow, variable }) ?? {};
  const perSecond = document.pace?.perSecond ?? defaultPerSecond;
  return {
    name: document.name,
    ...(document.contact === undefined ? {} : { contact: document.contact }),
    interface: form.interface,
    isReference: document.platform === "embedded",
    bases,
    baseKeys,
    members: Object.keys(document),
    lines: linesIn(form.interface, document, yaml),
    offers: document.offers ?? featuresOf(form.interface),
    keys,
    projects: document.projects,
    samples: facts.reduce(
      (samples, { at, value }) => (at.startsWith("/samples/") ? supplemented(samples, at, value) : samples),
      document.samples ?? {},
    ),
    assumptions: facts,
    names: document.names ?? {},
    allow,
    deviations: deviationsOf(form, yaml, document.deviations),
    budget: document.budget ?? {},
    prices: document.prices ?? {},
    perSecond,
    apiPerSecond: apiPaces(form.interface, document, perSecond),
    quiet: document.quiet ?? false,
    strict: document.strict ?? false,
    ...(document.settlesWithin_s === undefined ? {} : { settlesWithin_s: document.settlesWithin_s }),
    rounding: document.rounding ?? "nearest",
    variables,
    redact: redactorOf([
      ...secretsOfRoles,
      ...baseKeys.values(),
      ...undeclared.map((part) => new Secret("undeclared", part)),
      ...secrets,
    ]),
    ...extras,
  };
}

function linesIn(tables: Interface, document: TargetDocument, { placeOf }: YamlFile): NonNullable<Target["lines"]> {
  const { offers = [] } = document;
  return Object.fromEntries(
    featuresOf(tables).map((feature) => {
      const path = offers.includes(feature)
        ? ["offers", offers.indexOf(feature)]
        : ["bases", apiOf(tables, feature) ?? ""];
      return [feature, placeOf(path).line];
    }),
  );
}

/** The pace in the file, or one less than the limit, so that requests near the edge of a window aren't refused. */
const apiPaces = (
  { limits }: Interface,
  { pace }: TargetDocument,
  perSecond: number,
): { readonly [A in Api]?: number } =>
  Object.fromEntries(
    limits.flatMap((limit) =>
      "api" in limit
        ? [[limit.api, (limit.pace && pace?.[limit.pace]) || Math.min(perSecond, limit.perSecond - 1)]]
        : [],
    ),
  );

export const isEmbedded = (form: TargetForm, file: string): boolean =>
  readDocument(form, file).document.platform === "embedded";

/** The name and the known deviations of a target; needs no keys. */
export function readKnown(
  form: TargetForm,
  file: string,
): Pick<Target, "name" | "deviations"> & { readonly listsItself: boolean } {
  const { document, yaml } = readDocument(form, file);
  return {
    name: document.name,
    deviations: deviationsOf(form, yaml, document.deviations),
    listsItself: document.deviations !== undefined,
  };
}

function readDocument(form: TargetForm, file: string): ReturnType<typeof checked> {
  if (!existsSync(file))
    throw new CommandLineError(
      `There is no target file ${file}. Name an existing YAML file with --target; its format is in ${form.shownIn}.`,
    );
  return checked(form, readYamlFile(file));
}

const checked = ({ validator, schema, shownIn }: TargetForm, yaml: YamlFile) => ({
  document: formedBy(yaml, validator("target"), schema, shownIn) as TargetDocument,
  yaml,
});

function checkBases(tables: Interface, file: string, document: TargetDocument, bases: Target["bases"]): void {
  if (document.platform === "embedded") return;
  for (const [name, base] of Object.entries(bases as { readonly [api: string]: string })) {
    const refuse = (problem: string): never => {
      throw new CommandLineError(`${file}: bases.${name} ${problem}`);
    };
    const shown = withoutKeys(base);
    if (/\$(?!\{[A-Za-z_]\w*\})/.test(base))
      refuse(`is "${shown}", with a $ that begins no variable. Write variables as \${NAME}, in braces.`);
    if (!URL.canParse(parseableBase(base)))
      refuse(`is "${shown}", which isn't a valid URL. Write it as https://host/prefix.`);
    const url = new URL(parseableBase(base));
    if (url.search || url.hash || url.username)
      refuse(
        "has a query, a fragment or a user name. Write only https://host/prefix; keys come from the environment " +
          "(`${ACME_KEY}` in a path or host that holds one).",
      );
    if (url.protocol === "http:" && !isLoopback(url) && !document.insecure)
      refuse(
        `is "${shown}", which would send keys unencrypted. ` +
          "Use https://, or set insecure: true if that is intended.",
      );
  }
  for (const feature of document.offers ?? []) {
    const api = apiOf(tables, feature);
    if (api === undefined || !bases[api])
      throw new CommandLineError(
        `${file}: offers names ${feature}, but bases.${api} is missing. ` +
          `Add the base, or remove ${feature} from offers.`,
      );
  }
  if (Object.keys(bases).length === 0)
    throw new CommandLineError(
      `${file} names no base. Add the platform's addresses: ${Object.keys(tables.apis)
        .map((api) => `bases.${api}`)
        .join(", ")}.`,
    );
}

/** All that a file names, used or not: everywhere in `env`. */
function variablesIn(document: object, path: readonly string[] = []): readonly NamedVariable[] {
  return Object.entries(document).flatMap(([member, value]: [string, unknown]): readonly NamedVariable[] => {
    const at = [...path, member];
    if (member === "env" && typeof value === "string") return [{ name: value, at }];
    return typeof value === "object" && value !== null ? variablesIn(value, at) : [];
  });
}

/** No variable is named so. */
const isPasted = (name: string): boolean => /[a-z]/.test(name) && name.length >= 20 && looksLikeKey(name);

/** @throws CommandLineError, which doesn't show what may be a key */
function refusePastedKeys(file: string, variables: readonly NamedVariable[], environment: NodeJS.ProcessEnv): void {
  const pasted = variables.find(({ name }) => isPasted(name) && valueOf(environment, name) === undefined);
  if (pasted)
    throw new CommandLineError(
      `${file}: ${pasted.at.join(".")} looks like a key, not like the name of an environment variable. Put the key ` +
        "into a variable (export ACME_KEY=…), and write the variable's name here.",
    );
}

/** A pull request could else have any variable sent to a host of its author. */
function refuseOthers(file: string, variables: readonly NamedVariable[], allowed: readonly string[]): void {
  const other = variables.find(({ name }) => !allowed.includes(name));
  if (other)
    throw new CommandLineError(
      `${file}: ${other.at.join(".")} names the environment variable ${other.name}, but --env allows only ` +
        `${allowed.join(", ")}. Remove it from the file, or add it to --env if its value may be sent there.`,
    );
}

/** Undefined also for names of inherited members. */
const valueOf = (environment: NodeJS.ProcessEnv, name: string): string | undefined =>
  Object.hasOwn(environment, name) ? environment[name] : undefined;

function heldKey(
  file: string,
  document: TargetDocument,
  role: Role,
  key: WrittenKey,
  variable: (name: string) => string | undefined,
): HeldKey {
  const project = document.projects[key.project];
  if (!project) {
    const known = Object.keys(document.projects);
    throw new CommandLineError(
      `${file}: keys.${role}.project is "${key.project}"${suggestion(key.project, known)}, ` +
        `which isn't under projects. Name one of ${known.join(", ")}.`,
    );
  }
  const value = variable(key.env);
  if (!value) {
    throw new CommandLineError(
      `${file}: keys.${role} takes its key from the environment variable ${key.env}, which isn't set. ` +
        `Set it (export ${key.env}=…), or remove keys.${role} from the file.`,
    );
  }
  if (value.length < shortestKey || /[\s\p{C}]/u.test(value)) {
    throw new CommandLineError(
      `The environment variable ${key.env} (keys.${role} of ${file}) doesn't hold a usable key: ` +
        `a key has at least ${shortestKey} characters and no white space. Set it again.`,
    );
  }
  return { secret: new Secret(role, value), projectName: key.project, project };
}
