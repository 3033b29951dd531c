// assay mutants: runs the mutants of the reference and checks that each is killed.
import { Command } from "commander";
import { customMutants, proveCustom } from "../custom/proof.ts";
import { CommandLineError, suggestion } from "../harness/core/commandLineError.ts";
import { isHeldOut, type Killed, pending, type Selection, select } from "../proof/mutants.ts";
import { tryByProperties, trySideBySide } from "../proof/workerPool.ts";
import { benignVariants } from "../reference/generated/benignVariants.ts";
import { mutants } from "../reference/generated/mutants.ts";
import { jsonOption, printForPrograms } from "./forPrograms.ts";
import type { Invocation } from "./invocation.ts";
import { lineOf, runByK6, secondsSince } from "./mutantsByK6.ts";
import { placeholder } from "./target.ts";

interface MutantFlags {
  readonly list?: boolean;
  readonly json?: boolean;
  readonly holdOut?: string;
  readonly heldOut?: string;
  readonly properties?: boolean;
  readonly load?: boolean;
}

export const mutantsCommand = (invocation: Invocation): Command =>
  new Command("mutants")
    .description("Prove that each check can fail: run the mutants of the reference, in this process.")
    .argument("[names...]", "areas (AUTH), requirements or mutants (default: all, or those of assay.config.mjs)")
    .option("--list", "list the mutants, and which aren't implemented; run nothing")
    .option("--hold-out <seed>", "leave out a random tenth")
    .option("--held-out <seed>", "run only that tenth")
    .option("--properties", "judge by generated cases alone; show what only they find")
    .option("--load", "judge mutants of rate limits by real k6 on loopback, for some 15 minutes")
    .option(...jsonOption("mutants", "the kill matrix as JSON"))
    .addHelpText("after", "\nExample:\n  npx assay mutants CYC AUTH-ADM-OWN-01 USG-KEYS-04.streams-in-requests")
    .action((names: readonly string[], flags: MutantFlags) => run(invocation, names, flags));

async function run(invocation: Invocation, names: readonly string[], flags: MutantFlags): Promise<void> {
  if (flags.load === true && flags.properties === true)
    throw new CommandLineError("--load and --properties judge in different ways. Leave one of them out.");
  if (flags.list === true) {
    list(invocation, flags);
    return;
  }
  const selected = (): Selection => chosen(names, flags);
  if (flags.properties === true) return runByProperties(invocation, selected(), flags);
  if (flags.load === true) return runByK6(invocation, { names, selection: selected(), json: flags.json === true });
  const started = performance.now();
  const { honest, results, pending } = await prove(invocation, names, flags);
  const bad = results.filter(({ result }) => result !== "killed" && result !== "silent");
  const count = (...kinds: readonly Killed["result"][]): number =>
    results.filter(({ result }) => kinds.includes(result)).length;
  const sum = [
    `${count("killed")} of ${count("killed", "survived", "misdeclared")} mutants killed`,
    `${count("silent")} of ${count("silent", "flagged")} benign variants silent`,
    `honest platform: ${honest.length} findings`,
    `${pending.length} pending`,
    `${secondsSince(started)} s`,
  ].join(" · ");
  const alarms = honest.map((id) => `FALSE ALARM  the honest platform breaks ${id}`);
  const unproved = pending.map((one) => `PENDING  ${one}`);
  if (flags.json === true) printForPrograms(invocation, { is: "matrix", honest, results, pending });
  else invocation.print([...alarms, ...bad.map(lineOf), ...unproved, sum].join("\n"));
  invocation.exitCode = bad.length || honest.length || pending.length ? 1 : 0;
}

/** Those of the config, by its checks on its platform, where all names are of it; else the reference's. */
async function prove({ project: { custom, form } }: Invocation, names: readonly string[], flags: MutantFlags) {
  const ids = custom ? [...custom.config.requirements.map(({ id }) => id), ...customMutants(custom)] : [];
  const areOwn = names.every((name) => ids.some((id) => id.startsWith(name)));
  if (custom && areOwn) return proveCustom(custom, form, placeholder, names);
  return { ...(await trySideBySide(chosen(names, flags))), pending: pending() };
}

/** A table of what each property finds; beside the selection, subtle mutants that no example finds. */
async function runByProperties(
  invocation: Invocation,
  { mutants: some, benignVariants: benign }: Selection,
  { json }: MutantFlags,
): Promise<void> {
  const { sharesOf, subtleNames } = await import("../proof/mutantsByProperties.ts");
  const started = performance.now();
  const foundBy = await tryByProperties([...some, ...benign].map(({ id }): string => id).concat(subtleNames));
  const isFound = (id: string): boolean =>
    foundBy.some(({ mutant, properties }) => mutant === id && properties.length > 0);
  const alarms = foundBy.filter(
    ({ mutant, properties }) => properties.length > 0 && (mutant === null || benign.some(({ id }) => id === mutant)),
  );
  const missed = subtleNames.filter((id) => !isFound(id));
  const found = some.filter(({ id }) => isFound(id)).length;
  const subtle = { found: subtleNames.length - missed.length, of: subtleNames.length };
  if (json === true) {
    const registered = { found, of: some.length };
    printForPrograms(invocation, { is: "properties", registered, subtle, shares: sharesOf(foundBy), foundBy });
  } else {
    invocation.print("mutants found · by no other property · nor by any example");
    for (const { property, found, alone, only } of sharesOf(foundBy))
      invocation.print(`${[found, alone, only].map((count) => String(count).padStart(5)).join("")}  ${property}`);
    for (const { mutant, properties } of alarms)
      invocation.print(
        `FALSE ALARM  ${mutant ?? "the honest platform"} gives a counterexample of ${properties.join(", ")}`,
      );
    for (const id of missed) invocation.print(`SURVIVED  ${id}`);
    const share = some.length ? ` (${Math.round((100 * found) / some.length)} %)` : "";
    invocation.print(
      [
        `${found} of ${some.length} mutants${share} found by properties`,
        `${subtle.found} of ${subtle.of} subtle ones`,
        `${alarms.length} false alarms`,
        `${secondsSince(started)} s`,
      ].join(" · "),
    );
  }
  invocation.exitCode = alarms.length || missed.length ? 1 : 0;
}

function chosen(names: readonly string[], { holdOut, heldOut }: MutantFlags): ReturnType<typeof select> {
  const everything = [...mutants, ...benignVariants].map(({ id }): string => id);
  for (const name of names) {
    const found = select([name]);
    if (found.mutants.length + found.benignVariants.length > 0) continue;
    const known = pending().includes(name)
      ? ", which the reference doesn't implement yet (pending)"
      : suggestion(name, everything);
    throw new CommandLineError(
      `There is no mutant ${name}${known}. Name an area, a requirement or a mutant; --list names them all.`,
    );
  }
  const selection = select(names);
  const seed = seedOf(holdOut ?? heldOut);
  if (seed === null) return selection;
  return {
    mutants: selection.mutants.filter(({ id }) => isHeldOut(id, seed) === (heldOut !== undefined)),
    benignVariants: selection.benignVariants,
  };
}

function seedOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const seed = Number(text);
  if (Number.isInteger(seed)) return seed;
  throw new CommandLineError(`The seed is "${text}". Use a whole number.`);
}

function list(invocation: Invocation, { json }: MutantFlags): void {
  const { custom } = invocation.project;
  const own = custom ? customMutants(custom) : [];
  const ids = [...own, ...[...mutants, ...benignVariants].map(({ id }) => id)];
  if (json === true) printForPrograms(invocation, { is: "list", mutants: ids, pending: pending() });
  else for (const line of [...ids, ...pending().map((id) => `pending  ${id}`)]) invocation.print(line);
}
