// The command line as a function. Bad input ends in one paragraph and exit code 2, a crash in one and exit code 3.
import { Command, CommanderError, Option } from "commander";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { defectOf } from "../harness/core/outcomes.ts";
import { redactorOf, Secret } from "../harness/core/secret.ts";
import { inert, visible } from "../reports/text.ts";
import { type CommandEntry, commands } from "./commands.ts";
import { configOption, isTargetFile } from "./flags.ts";
import {
  type HidingSurroundings,
  hidingSurroundings,
  type Invocation,
  type InvokedProject,
  invocationOf,
  type Surroundings,
  startedAs,
} from "./invocation.ts";
import type { ConfigChoice } from "./project.ts";
import { version } from "./version.ts";
import { noRoomIn } from "./writeText.ts";

/**
 * Runs one command. Where another folder is named than the process is in, the process changes to it meanwhile.
 * @param argv the words after the program's name
 * @returns the exit code: 0 nothing broken and something verified, 1 a requirement is broken, 2 invalid flags or files,
 *   3 inconclusive
 * @throws Error where a part of Assay is missing or damaged
 */
export const main = async (argv: readonly string[], surroundings: Surroundings): Promise<number> =>
  (await ranToItsEnd(argv, surroundings)).exitCode;

export interface CommandEnd {
  readonly exitCode: number;
  /** Whether it is what the command has found, and not that it has nothing to say. */
  readonly isFound: boolean;
}

/** As `main`. */
export async function ranToItsEnd(argv: readonly string[], shown: Surroundings): Promise<CommandEnd> {
  const surroundings = hidingSurroundings(shown);
  const before = process.cwd();
  const isElsewhere = surroundings.cwd !== before;
  if (isElsewhere && underWay > 0) throw new Error("a process has one working directory, and a command runs in it");
  if (isElsewhere) process.chdir(surroundings.cwd);
  underWay += 1;
  try {
    return await called(argv, surroundings);
  } catch (error) {
    if (error instanceof NotLoaded) throw error.cause;
    return { exitCode: codeOf(error, surroundings), isFound: false };
  } finally {
    underWay -= 1;
    if (isElsewhere) process.chdir(before);
  }
}

/** How many commands run in this process. */
let underWay = 0;

/** A part of Assay can't be loaded, which is the launcher's to say. */
class NotLoaded extends Error {}

async function called(argv: readonly string[], surroundings: HidingSurroundings): Promise<CommandEnd> {
  const program = programFor(surroundings);
  const [name = ""] = argv;
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!entry) {
    // Nothing else is loaded for the help, the version, and a name that isn't known.
    for (const [other, { summary }] of Object.entries(commands)) program.command(other).description(summary);
    await program.parseAsync(argv, { from: "user" });
    return { exitCode: 0, isFound: false };
  }
  const [{ ownProject, projectFor }, commandFor] = await Promise.all([import("./project.ts"), entry.load()]).catch(
    (cause: unknown): never => {
      throw new NotLoaded("", { cause });
    },
  );
  const invocation: Invocation & { project: InvokedProject } = invocationOf(surroundings, ownProject);
  const command = commandFor(invocation);
  for (const described of [command, ...command.commands])
    quietly(described, surroundings).addOption(new Option(...configOption).hideHelp(!entry.judges));
  program.addCommand(command).hook("preAction", async (_, leaf) => {
    invocation.project = await projectFor(invocation, configChoice(entry, leaf.args, leaf.opts()));
  });
  const done = program.parseAsync(argv, { from: "user" }).then(() => invocation.exitCode);
  // Once a signal has ended the command, later errors don't change its exit code.
  const exitCode = await Promise.race([done, invocation.ended]);
  return { exitCode: exitCode ?? 0, isFound: exitCode !== null };
}

/** @param flags of every command, as parsed: one target file, or several */
function configChoice(
  { judges }: CommandEntry,
  words: readonly string[],
  flags: { readonly config?: string; readonly env?: string; readonly target?: string | readonly string[] },
): ConfigChoice {
  return {
    named: flags.config,
    judges: judges?.(words, flags) ?? false,
    isGuarded: flags.env !== undefined,
    targets: [flags.target ?? [], words].flat().filter(isTargetFile),
  };
}

function programFor(surroundings: Surroundings): Command {
  const program = new Command("assay")
    // Flags of a command that has commands of its own stand before their names.
    .enablePositionalOptions()
    .helpCommand(false)
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .description("Tests whether a blockchain data platform keeps its published interface.")
    .version(version)
    .addHelpText(
      "after",
      // Without a line between, so that it fits one screen.
      "Example: npx assay run --target acme.yaml. Exit codes: 0 nothing broken and something " +
        "verified, 1 a requirement is broken or a bound exceeded, 2 invalid flags or files, 3 inconclusive.",
    );
  return quietly(program, surroundings);
}

/** Without a terminal. */
const plainWidth = 80;

/** Prints where the caller says, and throws instead of ending the process. */
function quietly(command: Command, { stdout, stderr, launcher, cwd }: Surroundings): Command {
  const asStarted = (text: string): string => text.replaceAll("npx assay", startedAs(launcher, cwd));
  return command
    .configureOutput({
      writeOut: (text) => stdout.write(asStarted(text)),
      writeErr: (text) => stderr.write(asStarted(text)),
      getOutHelpWidth: () => stdout.columns ?? plainWidth,
      getErrHelpWidth: () => stderr.columns ?? plainWidth,
    })
    .exitOverride()
    .showSuggestionAfterError();
}

/** Says what went wrong; gives the exit code. */
export function codeOf(error: unknown, { stderr, env, launcher, cwd }: Surroundings): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const known = error instanceof CommandLineError ? error : (noRoomIn(error) ?? deniedBy(error));
  // Lines to copy name the command as it was started.
  const text = (known ? known.message : crashOf(error, env)).replaceAll("npx assay", startedAs(launcher, cwd));
  stderr.write(`${inert(visible(text))}\n`);
  return known instanceof CommandLineError ? 2 : 3;
}

/** What Node's permission model denies; null for any other error. */
function deniedBy(error: unknown): CommandLineError | null {
  const { code, permission } = Object(error) as NodeJS.ErrnoException & { readonly permission?: string };
  return code === "ERR_ACCESS_DENIED" ? new CommandLineError(`Node denies Assay ${permission}.`) : null;
}

/** Values of variables that are shorter can't be keys. */
const shortestKey = 8;

/** Which variables hold keys isn't known here, so that the values of all are removed. */
function crashOf(error: unknown, env: Surroundings["env"]): string {
  const values = Object.entries(env).filter(([, value = ""]) => value.length >= shortestKey);
  const { message, at } = defectOf(error, redactorOf(values.map(([name, value = ""]) => new Secret(name, value))));
  return (
    `Assay ${version} crashed, which says nothing about the platform: "${message}" ${at}. Please report it to ` +
    "the maintainers, with the command and the run's folder if there is one."
  );
}
