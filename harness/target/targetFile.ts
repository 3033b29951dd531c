// How does a target file become a target? Read, validated, keys taken from the environment; nothing is half-believed.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { type Feature, features } from "../../specs/generated/operations.ts";
import { CommandLineError, suggestion } from "../core/commandLineError.ts";
import { isLoopback } from "../core/loopback.ts";
import { inBase58, privateKeyOf } from "../core/privateKey.ts";
import { redactorOf, Secret } from "../core/secret.ts";
import type { Role } from "../core/stimulus.ts";
import { problemOf, readYamlFile, type YamlFile } from "../core/yamlFile.ts";
import { deviationsOf, type WrittenDeviation } from "./deviations.ts";
import type { BundleMoney, Consent, HeldKey, KnownProject, LoadProfile, Target } from "./target.ts";

interface TargetDocument {
  readonly name: string;
  readonly platform?: "embedded";
  readonly bases?: { readonly admin?: string; readonly api?: string; readonly rpc?: string };
  readonly insecure?: boolean;
  readonly offers?: readonly Feature[];
  readonly projects: { readonly [name: string]: KnownProject };
  readonly keys: { readonly [R in Role]?: { readonly project: string; readonly env: string } };
  readonly samples?: Target["samples"];
  readonly names?: Target["names"];
  readonly prices?: { readonly [operation: string]: number };
  readonly budget?: Target["budget"];
  readonly pace?: { readonly perSecond?: number; readonly usagePerSecond?: number };
  readonly bundles?: {
    readonly payer?: { readonly env: string };
    readonly tipAccount: string;
    readonly tipLamports?: number;
  };
  readonly quiet?: boolean;
  readonly rounding?: Target["rounding"];
  readonly allow?: readonly Consent[];
  readonly deviations?: readonly WrittenDeviation[];
  readonly load?: Partial<LoadProfile>;
}

/** Requests per second on one surface unless the target says otherwise: under every limit that the interface states (5, §8). */
const defaultPerSecond = 3;

/** The usage endpoint serves 5 per second (§8): one less, so that a window's edge never refuses us. */
const mostUsagePerSecond = 4;

/** Lamports of a tip unless the target says otherwise: the least that the field's engines look at. */
const defaultTip = 1000;

/** A key shorter than this can't be told from ordinary text, so it can't be kept out of reports. */
const shortestKey = 8;

const schemaFile = fileURLToPath(new URL("../../targets/target.schema.json", import.meta.url));
const schema = JSON.parse(readFileSync(schemaFile, "utf8")) as object;
const validate = new Ajv2020({ allErrors: true, strict: false }).compile<TargetDocument>(schema);

/**
 * Reads and checks a target file.
 * @throws Misuse naming what is wrong, where, and what to do.
 */
export function readTarget(file: string, environment: NodeJS.ProcessEnv, embeddedBases?: Target["bases"]): Target {
  const { document, yaml } = readDocument(file);
  const bases = document.platform === "embedded" ? (embeddedBases ?? {}) : (document.bases ?? {});
  checkBases(file, document, bases);
  const keys = new Map<Role, HeldKey>();
  for (const [role, key] of Object.entries(document.keys) as [Role, { project: string; env: string }][]) {
    keys.set(role, heldKey(file, document, role, key, environment));
  }
  checkRoles(file, keys);
  const bundles = bundleMoney(file, document, environment);
  return {
    name: document.name,
    isReference: document.platform === "embedded",
    bases,
    offers: document.offers ?? features,
    keys,
    projects: document.projects,
    samples: document.samples ?? {},
    names: document.names ?? {},
    allow: document.allow ?? [],
    deviations: deviationsOf(yaml, document.deviations),
    budget: document.budget ?? {},
    prices: document.prices ?? {},
    perSecond: document.pace?.perSecond ?? defaultPerSecond,
    usagePerSecond:
      document.pace?.usagePerSecond ?? Math.min(document.pace?.perSecond ?? defaultPerSecond, mostUsagePerSecond),
    quiet: document.quiet ?? false,
    rounding: document.rounding ?? "nearest",
    redact: redactorOf([...[...keys.values()].map(({ secret }) => secret), ...(bundles?.payer ? [bundles.payer] : [])]),
    ...(bundles ? { bundles } : {}),
    load: { seconds: {}, weights: {}, latencyP95_ms: {}, operations: [], ...document.load },
  };
}

/** Whether a target file asks for the embedded reference platform. */
export const isEmbedded = (file: string): boolean => readDocument(file).document.platform === "embedded";

/** What a target is called, and which deviations are known of it; no key is needed. */
export function readKnown(file: string): Pick<Target, "name" | "deviations"> & { readonly listsItself: boolean } {
  const { document, yaml } = readDocument(file);
  return {
    name: document.name,
    deviations: deviationsOf(yaml, document.deviations),
    listsItself: document.deviations !== undefined,
  };
}

function readDocument(file: string): { readonly document: TargetDocument; readonly yaml: YamlFile } {
  if (!existsSync(file)) {
    throw new CommandLineError(
      `There is no target file ${file}. Name an existing YAML file with --target; targets/example.yaml shows the shape.`,
    );
  }
  const yaml = readYamlFile(file);
  const document = yaml.value;
  if (!validate(document))
    throw new CommandLineError(
      `${file}: ${problemOf((validate.errors ?? [])[0], schema)} The shape is in targets/target.schema.json.`,
    );
  return { document, yaml };
}

const apiOfFeature = {
  usage: "admin",
  wallet: "api",
  tokenAccounts: "rpc",
  compression: "rpc",
  bundles: "rpc",
} as const;

function checkBases(file: string, document: TargetDocument, bases: Target["bases"]): void {
  if (document.platform === "embedded") return;
  for (const [name, base] of Object.entries(bases)) {
    if (!URL.canParse(base))
      throw new CommandLineError(
        `${file}: bases.${name} is "${base}", which is no URL. Write it as https://host/prefix.`,
      );
    if (new URL(base).search || new URL(base).hash || new URL(base).username) {
      throw new CommandLineError(
        `${file}: bases.${name} carries a query, a fragment or a user name. Write only https://host/prefix; keys come through the environment.`,
      );
    }
    if (new URL(base).protocol === "http:" && !isLoopback(new URL(base)) && !document.insecure) {
      throw new CommandLineError(
        `${file}: bases.${name} is "${base}", where keys would travel unencrypted. Write it with https://, or say insecure: true if that is meant.`,
      );
    }
  }
  for (const feature of document.offers ?? []) {
    const api = apiOfFeature[feature];
    if (!bases[api])
      throw new CommandLineError(
        `${file}: offers names ${feature}, but bases.${api} is missing. Add the base, or take ${feature} out of offers.`,
      );
  }
  if (Object.keys(bases).length === 0)
    throw new CommandLineError(
      `${file} names no base. Add bases.admin, bases.api or bases.rpc: the addresses of the platform.`,
    );
}

/** Undefined too for what every object has. */
const valueOf = (environment: NodeJS.ProcessEnv, name: string): string | undefined =>
  Object.hasOwn(environment, name) ? environment[name] : undefined;

function heldKey(
  file: string,
  document: TargetDocument,
  role: Role,
  key: { project: string; env: string },
  environment: NodeJS.ProcessEnv,
): HeldKey {
  const project = document.projects[key.project];
  if (!project) {
    throw new CommandLineError(
      `${file}: keys.${role}.project is "${key.project}"${suggestion(key.project, Object.keys(document.projects))}, which isn't under projects. Name one of ${Object.keys(document.projects).join(", ")}.`,
    );
  }
  const value = valueOf(environment, key.env);
  if (!value) {
    throw new CommandLineError(
      `${file}: keys.${role} takes its key from the environment variable ${key.env}, which is not set. Set it (export ${key.env}=…), or take keys.${role} out of the file.`,
    );
  }
  if (value.length < shortestKey || /[\s\p{C}]/u.test(value)) {
    throw new CommandLineError(
      `The environment variable ${key.env} (keys.${role} of ${file}) holds no usable key: it must have at least ${shortestKey} characters and no white space. Set it again.`,
    );
  }
  return { secret: new Secret(role, value), projectName: key.project, project };
}

function bundleMoney(file: string, document: TargetDocument, environment: NodeJS.ProcessEnv): BundleMoney | null {
  const { bundles } = document;
  if (!bundles) return null;
  const { payer, tipAccount, tipLamports = defaultTip } = bundles;
  const tipKey = inBase58(tipAccount);
  if (tipKey?.length !== 32)
    throw new CommandLineError(`${file}: bundles.tipAccount is no address: write its 32 bytes in base58.`);
  // A secret that isn't used needn't be there.
  if (!payer || !document.allow?.includes("sendBundle")) return { tipAccount, tipLamports };
  const value = valueOf(environment, payer.env);
  if (!value) {
    throw new CommandLineError(
      `${file}: bundles.payer takes its secret from the environment variable ${payer.env}, which is not set. Set it (export ${payer.env}=…), or take bundles.payer out of the file.`,
    );
  }
  const seed = privateKeyOf(value);
  if (seed && Buffer.compare(seed, tipKey) === 0) {
    throw new CommandLineError(
      `${file}: bundles.tipAccount is the secret of the payer, which every bundle would publish. Name a designated account.`,
    );
  }
  if (!seed) {
    throw new CommandLineError(
      `The environment variable ${payer.env} (bundles.payer of ${file}) holds no private key: write 32 bytes in base58, or 64 with the public key behind, or the list of numbers of a keypair file. Set it again.`,
    );
  }
  return { payer: new Secret("payer", value), tipAccount, tipLamports };
}

function checkRoles(file: string, keys: ReadonlyMap<Role, HeldKey>): void {
  const wrong = (role: Role, what: string): never => {
    throw new CommandLineError(
      `${file}: keys.${role} belongs to the project "${keys.get(role)?.projectName}", which ${what}. Name a fitting project, or correct what projects says.`,
    );
  };
  const { paid, free, adminOff, unbilled, second, other } = Object.fromEntries(keys) as Partial<Record<Role, HeldKey>>;
  if (paid && paid.project.plan !== "paid") wrong("paid", "is not on a paid plan");
  if (free && free.project.plan !== "free") wrong("free", "is not on a free plan");
  if (adminOff && adminOff.project.admin !== "disabled") wrong("adminOff", "isn't said to have admin: disabled");
  if (unbilled && unbilled.project.billingData !== "missing")
    wrong("unbilled", "isn't said to have billingData: missing");
  if (second && paid && second.projectName !== paid.projectName) wrong("second", "isn't the project of keys.paid");
  if (other && paid && other.projectName === paid.projectName) wrong("other", "is the project of keys.paid too");
}
