// The target of a command: what a target file names, or the embedded reference.
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { targetForm as ownForm } from "../contracts/targets.ts";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { hostIn, mayBeKeysIn } from "../harness/targets/bases.ts";
import type { Target } from "../harness/targets/target.ts";
import { isEmbedded, type ReadingOptions, readTarget } from "../harness/targets/targetFile.ts";
import { counted } from "../reports/numbers.ts";
import { keyVariable } from "./declaredBases.ts";
import type { Embedded } from "./embedded.ts";
import { type JudgingFlags, variablesNamed } from "./flags.ts";
import type { Invocation } from "./invocation.ts";
import { besideOthers } from "./otherCommands.ts";
import { version } from "./version.ts";

export const referenceFile = fileURLToPath(new URL("../targets/reference.yaml", import.meta.url));

/**
 * Works on a target, and stops what was started for it.
 * A plan sends nothing, so that it needs no keys.
 * @throws CommandLineError where the file is invalid, or a mutant is named for another platform
 */
export async function onTarget(
  invocation: Invocation,
  { target: file = referenceFile, env, mutant, plan = false }: Pick<JudgingFlags, "target" | "env" | "mutant" | "plan">,
  work: (target: Target) => Promise<void>,
): Promise<void> {
  const isOwn = isEmbedded(invocation.project.form, file);
  // Vendors are judged without loading the reference, which takes time and memory.
  const allowedVariables = variablesNamed(env);
  if (!isOwn && mutant === undefined) {
    const vendor = vendorIn(invocation, file, { allowedVariables, ...(plan ? { placeholder } : {}) });
    const { target, end } = besideOthers(vendor, invocation.env, !plan);
    return work(target).finally(end);
  }
  const { variantNamed, startEmbedded } = await import("./embedded.ts");
  const variant = variantNamed(mutant);
  if (!isOwn)
    throw new CommandLineError(
      "--mutant works on the embedded reference platform only. Leave out --target or --mutant.",
    );
  const embedded = await startEmbedded(0, variant);
  try {
    await work({ ...targetOf(file, embedded), interface: invocation.project.form.interface });
  } finally {
    await embedded.close();
  }
}

/** A vendor as a target file describes it. */
export function vendorIn({ project, env, hide }: Invocation, file: string, options: ReadingOptions = {}): Target {
  const target = readTarget(project.form, file, env, options);
  hide(target.redact);
  return { ...target, version };
}

/** Which config judges, as its code was run for that; none where there is none. */
export function configLines({ project: { custom }, cwd }: Pick<Invocation, "project" | "cwd">): readonly string[] {
  if (!custom) return [];
  const count = counted(custom.config.requirements.length, "requirement");
  return [`Config: ${relative(cwd, custom.file)} (${count} of your own)`];
}

/** Which config judges, and which variables go to which hosts: the first lines of what sends them. */
export const openingLines = (invocation: Invocation, ...targets: readonly Target[]): readonly string[] => [
  ...configLines(invocation),
  ...targets.flatMap(variableLines),
];

/** Which variables go to which hosts, and who else does so, for the first lines; none of the reference's own. */
export function variableLines(target: Target): readonly string[] {
  const { isReference, variables, bases, bundles } = target;
  if (isReference) return [];
  const hosts = [...new Set(Object.values<string>(bases).map(hostIn))].join(", ");
  const sent = variables.flatMap(({ name, at: [list, member] }) => {
    if (list !== "bundles") return [`  sends ${name} to ${hosts}`];
    if (member === "blockhashFrom") return [`  asks the address in ${name} for blockhashes`];
    return bundles?.payer ? [`  signs bundles for ${hosts} with ${name}, which isn't sent`] : [];
  });
  return [...new Set([...sent, ...pastedLines(target), ...(target.others?.sentences() ?? [])])];
}

/** What bases hold of keys in clear, and how to declare it. */
function pastedLines({ name, bases, keys, variables }: Target): readonly string[] {
  return Object.entries<string>(bases).flatMap(([api, base]) => {
    const [role] = [...keys].find(([, { secret }]) => base.includes(secret.open())) ?? [];
    const known = variables.find(({ at: [list, member] }) => list === "keys" && member === role)?.name;
    if (known === undefined && mayBeKeysIn(base).length === 0) return [];
    const what = known === undefined ? "has a part that looks like a key" : `holds the key of ${known}`;
    const variable = `\${${known ?? keyVariable(name, api)}}`;
    return [`  bases.${api} ${what}, which isn't shown. Write a variable in its place: ${variable}`];
  });
}

/** What to set before a target can be judged; none of the reference's own, or where all are set. */
export const unsetVariables = (
  { env }: Pick<Invocation, "env">,
  { isReference, variables }: Target,
): readonly string[] =>
  isReference ? [] : [...new Set(variables.map(({ name }) => name))].filter((name) => !env[name]);

/** The same as a line, after a plan. */
export function unsetLines(invocation: Pick<Invocation, "env">, target: Target): readonly string[] {
  const names = unsetVariables(invocation, target);
  return names.length === 0 ? [] : [`not set: ${names.join(", ")}; a run needs ${names.length === 1 ? "it" : "them"}`];
}

/** A key like any other, and 32 bytes in base58 that no answer holds, unlike those of known addresses. */
export const placeholder = "EgFeFv5xfJRzLENQNQ11NmvjAw56C57qaRk7ELFiGwog";

/** The embedded reference as a target file describes it; it serves nothing of a user's own. */
export function targetOf(file: string, { base, environment, control }: Embedded): Target {
  const embeddedBases = { admin: base, api: base, rpc: base };
  return { ...readTarget(ownForm, file, environment, { embeddedBases }), control, version };
}
