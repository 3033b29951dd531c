// assay init: writes a target file for a platform, from flags or answers and a first look at it.
import { existsSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { Command } from "commander";
import type { SeenApi, SeenKey, Survey } from "../contracts/survey.ts";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import type { Role } from "../harness/core/requestSpec.ts";
import type { Target } from "../harness/targets/target.ts";
import { defaultPerSecond, readTarget } from "../harness/targets/targetFile.ts";
import { declaredBases, type GivenBases } from "./declaredBases.ts";
import { ofApi, ofKey } from "./doctor.ts";
import { addSamples } from "./initFrom.ts";
import type { Invocation } from "./invocation.ts";
import { lookAt, type PlatformLook, planOf, unlockLines, unlocksOf } from "./looking.ts";
import { variableLines } from "./target.ts";
import { foundIn, type Noted, targetText } from "./targetText.ts";
import { writeText } from "./writeText.ts";

interface InitFlags extends Partial<Record<Exclude<keyof typeof questions, "key">, string>> {
  readonly out: string;
  readonly key?: readonly string[];
  readonly paid?: boolean;
  readonly from?: string;
}

const collected = (value: string, all: readonly string[] = []): readonly string[] => [...all, value];

export const initCommand = (invocation: Invocation): Command =>
  new Command("init")
    .description("Write a target file for a platform, from flags or answers and a few calls.")
    .option("--out <file>", "the target file", "target.yaml")
    .option("--name <name>", "name of the platform")
    .option("--admin <address>", "base address of the usage endpoint")
    .option("--api <address>", "base address of the wallet endpoints")
    .option("--rpc <address>", "base address of the JSON-RPC methods")
    .option("--key <variable[=id]>", "environment variable of a key, and its project's id; may be repeated", collected)
    .option("--project <id>", "project id of keys that have none")
    .option("--chain <chain>", "solana-mainnet, solana-devnet or none: use its public facts")
    .option("--paid", "also learn names by calls of 100 credits, at most 11")
    .option("--from <run>", "add the samples that a run found to the target file instead")
    .addHelpText("after", "\nExample:\n  npx assay init --name acme --rpc https://rpc.acme.example --key ACME_KEY")
    .action((flags: InitFlags) =>
      flags.from === undefined ? init(invocation, flags) : addSamples(invocation, flags.out, flags.from),
    );

const apis = ["admin", "api", "rpc"] as const;
const questions = {
  name: "Name of the platform: ",
  admin: "Base address of the usage endpoint (empty: none): ",
  api: "Base address of the wallet endpoints (empty: none): ",
  rpc: "Base address of the JSON-RPC methods (empty: none): ",
  key: "Environment variable of a key: ",
  project: "Id of its project (empty: not known): ",
  chain: "Chain (solana-mainnet, solana-devnet or none): ",
} as const;

/** Asks for what flags leave out, at a terminal only. */
async function asked(flags: InitFlags): Promise<InitFlags> {
  if (!process.stdin.isTTY) return flags;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answers: { [name: string]: string | readonly string[] } = {};
  // Flags that name one address name all.
  const hasBase = apis.some((api) => flags[api] !== undefined);
  for (const [name, question] of Object.entries(questions)) {
    if (flags[name as keyof InitFlags] !== undefined || (hasBase && name !== "key")) continue;
    const answer = (await terminal.question(question)).trim();
    if (answer !== "") answers[name] = name === "key" ? [answer] : answer;
  }
  terminal.close();
  return { ...answers, ...flags };
}

interface Draft {
  readonly variable: string;
  readonly look: PlatformLook;
  readonly key: SeenKey | undefined;
  readonly project: string | undefined;
}

async function init(started: Invocation, given: InitFlags): Promise<void> {
  if (existsSync(given.out))
    throw new CommandLineError(`${given.out} exists already. Name another file with --out, or remove it first.`);
  const flags = await asked(given);
  const keys = flags.key ?? [];
  const givenBases = apis.flatMap((api) => (flags[api] ? [[api, flags[api]] as const] : []));
  if (keys.length === 0 || givenBases.length === 0)
    throw new CommandLineError(
      "assay init needs a base address and a key: --admin, --api or --rpc, and --key with the name of the " +
        "environment variable that holds the key.",
    );
  refuseUnset(started, keys);
  const named = keys.map((key) => key.split("="));
  const variables = named.map(([variable = ""]) => variable);
  const { bases, made, lines } = declaredBases(givenBases, flags.name ?? "platform", variables, started.env);
  const invocation = { ...started, env: { ...started.env, ...made } };
  const drafts: Draft[] = [];
  for (const [variable = "", project = flags.project] of named) {
    const draft = drafted(invocation, flags, bases, { env: variable, id: project });
    for (const line of variableLines(draft)) invocation.print(line);
    const look = await lookAt(invocation, draft, ["paid"], drafts.length > 0 ? "keys" : flags.paid ? "paid" : "all");
    drafts.push({ variable, look, project, key: look.survey.keys[0] });
  }
  refuseUnusable(flags, bases, drafts);
  const [{ look }] = drafts as [Draft];
  writeText(given.out, textOf(invocation, flags, bases, drafts));
  const files = drafts.map(
    ({ variable, key }) => `  ${variable}: ${key ? ofKey(key) : "not tried: no usage endpoint or no id"}`,
  );
  invocation.print(
    [`wrote ${given.out}`, ...lines, ...look.survey.apis.map((api) => `  ${ofApi(api)}`), ...files].join("\n"),
  );
  invocation.print(`Next: npx assay doctor --target ${given.out}, or npx assay run --target ${given.out}`);
}

/**
 * What isn't a variable may be the key itself, so that it isn't shown.
 * @throws CommandLineError where a variable isn't set
 */
function refuseUnset({ env }: Invocation, keys: readonly string[]): void {
  const nth = keys.findIndex((key) => !Object.hasOwn(env, key.split("=")[0] ?? ""));
  if (nth === -1) return;
  throw new CommandLineError(
    `Nothing was written: --key ${keys.length > 1 ? `number ${nth + 1} ` : ""}doesn't name an environment variable ` +
      "that is set. Put the key into a variable (export ACME_KEY=…) and pass the variable's name (--key ACME_KEY). " +
      "What you passed isn't shown here, as it may be the key itself.",
  );
}

/** @throws CommandLineError where a target file would name what can't be used: what was answered, what to change */
function refuseUnusable(flags: InitFlags, bases: GivenBases, drafts: readonly Draft[]): void {
  const refuse = (why: string): never => {
    throw new CommandLineError(`Nothing was written: ${why}`);
  };
  const [{ look }] = drafts as [Draft];
  const { apis } = look.survey;
  if (apis.length === 0)
    refuse(
      `the usage endpoint ${flags.admin} has the project's id in its path, and none is given. Pass it with --project ` +
        "(the platform's dashboard shows it), or another address with --api or --rpc.",
    );
  if (!apis.some(({ isReachable }) => isReachable)) refuse(`${apis.map(ofApi).join("; ")}. Correct the addresses.`);
  const other = apis.find(({ isReachable, isInterface }) => isReachable && !isInterface);
  if (other) {
    const [, base] = bases.find(([api]) => api === other.api) ?? [];
    refuse(
      `${base} answered ${other.outcome} to requests of this interface. Correct the path of --${other.api}, or leave ` +
        `--${other.api} out if the platform doesn't offer that API.`,
    );
  }
  const refused = drafts.filter(({ key }) => key?.is === "unknown" || key?.is === "other project");
  if (refused.length < drafts.length) return;
  const texts = refused.map(({ variable, key }) => `${variable}: ${key ? ofKey(key) : ""}`);
  refuse(
    `the platform refuses ${drafts.length === 1 ? "the key" : "each key"} (${texts.join("; ")}). ` +
      "Check the variable's value, --project and the addresses: all must be of the same platform and project.",
  );
}

/** @param apis what was seen of them, to be noted */
const startOf = (flags: InitFlags, bases: GivenBases, apis: readonly SeenApi[] = []): readonly Noted[] => [
  { at: "/name", value: flags.name ?? "platform" },
  ...bases.map(([name, value]): Noted => {
    const seen = apis.find(({ api }) => api === name);
    return { at: `/bases/${name}`, value, ...(seen ? { note: ofApi(seen) } : {}) };
  }),
  ...(flags.chain === undefined ? [] : [{ at: "/chain", value: flags.chain }]),
];

/** The target with one key alone. */
function drafted(
  invocation: Invocation,
  flags: InitFlags,
  bases: GivenBases,
  { env, id }: { readonly env: string; readonly id: string | undefined },
): Target {
  const project = { plan: "paid", ...(id === undefined ? {} : { id }) };
  const offers = invocation.project.form.interface.operations.filter(({ api }) => bases.some(([base]) => base === api));
  return read(invocation, flags, [
    ...startOf(flags, bases),
    { at: "/offers", value: [...new Set(offers.map(({ feature }): string => feature))] },
    { at: "/projects/main", value: project },
    { at: "/keys/paid", value: { project: "main", env } },
  ]);
}

/** The target of a draft file, read by the rules of every target file. */
function read({ project, env, hide }: Invocation, { out }: InitFlags, all: readonly Noted[]): Target {
  const target = readTarget(project.form, out, env, { text: targetText("a draft", all, []) });
  hide(target.redact);
  return target;
}

/** The usual pace, or less where rate headers state a lower rate. */
function paceBy({ rates }: Survey): readonly Noted[] {
  if (rates.length === 0) return [];
  const stated = Math.min(...rates);
  const value = Math.min(defaultPerSecond, Math.max(1, Math.floor(8 * stated)) / 10);
  return [{ at: "/pace/perSecond", value, note: `rate headers state ${stated} requests per second` }];
}

/** @param main the id of the project of the key that is called paid, where it is given */
function rolesFor({ key, project }: Draft, main: string | undefined): readonly Role[] {
  if (key?.is === "admin interface off") return ["adminOff"];
  if (key?.project.plan === "free") return ["free"];
  const isElsewhere = project !== undefined && main !== undefined && project !== main;
  return isElsewhere || key?.is === "other project" ? ["other"] : ["paid", "second"];
}

/** The role of a key, by what was seen of it, its project, and which roles are taken. */
function roleOf(draft: Draft, taken: ReadonlyMap<Role, Draft>): Role | null {
  if (draft.key?.is === "unknown") return null;
  return rolesFor(draft, taken.get("paid")?.project).find((role) => !taken.has(role)) ?? null;
}

type Used = Draft & { readonly role: Role };

/** Each project once, by its id; one whose id isn't known has its key's role for a name. */
function projectsOf(used: readonly Used[]): readonly Noted[] {
  return used.flatMap(({ role, key, project: id }): readonly Noted[] => {
    if (role === "second") return [];
    const isOther = key?.is === "other project";
    const seen = { plan: "paid", ...key?.project };
    const admin =
      key?.is === "known" ? { admin: "enabled" } : key?.is === "admin interface off" ? { admin: "disabled" } : {};
    const value = { ...(id === undefined || isOther ? {} : { id }), ...seen, ...admin };
    const noted = { at: `/projects/${projectNameOf(role)}`, value };
    if (isOther) return [{ ...noted, note: "belongs to another project; add its id to judge more" }];
    return [key?.is === "known" ? noted : { ...noted, note: "plan unknown: correct it" }];
  });
}

const projectNameOf = (role: Role): string => (role === "paid" || role === "second" ? "main" : role);

function textOf(invocation: Invocation, flags: InitFlags, bases: GivenBases, drafts: readonly Draft[]): string {
  const taken = new Map<Role, Draft>();
  const named = drafts.map((draft) => {
    const role = roleOf(draft, taken);
    if (role !== null) taken.set(role, draft);
    return { ...draft, role };
  });
  const [{ look }] = drafts as [Draft];
  const { survey, target } = look;
  const missing = survey.features.filter(({ is }) => is === "not offered");
  const used = named.filter((one): one is Used => one.role !== null);
  const unused = named.filter(({ role }) => role === null);
  const all: readonly Noted[] = [
    ...startOf(flags, bases, survey.apis),
    {
      at: "/offers",
      value: [...target.offers],
      note:
        missing.map(({ feature, outcome }) => `${feature} isn't offered (${outcome})`).join("; ") ||
        "every feature that answered",
    },
    ...projectsOf(used),
    ...used.map(({ role, variable, key }) => ({
      at: `/keys/${role}`,
      value: { project: projectNameOf(role), env: variable },
      note: key ? ofKey(key) : "not tried",
    })),
    ...foundIn(survey.samples),
    ...survey.names
      .filter(({ isTaken }) => isTaken)
      .map(({ at, name }): Noted => ({ at, value: name, note: "tried, and it had an effect" })),
    ...paceBy(survey),
    { at: "/allow", value: [], note: "throttle, sendBundle, paidProbes and load need your consent" },
    {
      at: "/quiet",
      value: false,
      note: "set it to true if nobody else uses these projects during a run; then charges are judged",
    },
  ];
  const known = read(invocation, flags, all);
  return targetText(
    `Written by assay init on ${new Date().toISOString().slice(0, 10)}; targets/example.yaml shows every field.`,
    all,
    [
      ...unused.map(({ variable, key }) => `${variable} isn't used: ${key ? ofKey(key) : "another key has its role"}`),
      ...unlockLines(unlocksOf(planOf(invocation, known), known)),
    ],
  );
}
