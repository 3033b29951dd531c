// The entry of the command line. Bad input ends in one paragraph and exit code 2, a crash in one and exit code 3.
import { setFlagsFromString } from "node:v8";
import { Command, CommanderError } from "commander";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { defectOf } from "../harness/core/outcomes.ts";
import { redactorOf, Secret } from "../harness/core/secret.ts";
import { program as invocation } from "./flags.ts";
import { version } from "./version.ts";
import { noRoomIn } from "./writeText.ts";

/** A shorter value of a variable is no key. */
const shortestKey = 8;

// V8 lets a heap grow to several times what is in use; a run stands beside others, for minutes, and mostly waits.
setFlagsFromString("--heap-growing-percent=15");

for (const event of ["uncaughtException", "unhandledRejection"])
  process.removeAllListeners(event).on(event, (error: unknown) => process.exit(codeOf(error)));
/** Nothing is left that could settle what is awaited: Node would end with a code of its own, and say nothing. */
const endStuck = (): never => process.exit(codeOf(new Error("it waits for what can't come any more")));
process.on("beforeExit", endStuck);
// Without a listener the signal kills; with one, the write that is too long fails.
process.on("SIGXFSZ", () => undefined);
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw noRoomIn(error, undefined, "The output") ?? error;
    // The reader, such as `head`, has read enough. A run ends with its reports, and isn't green.
    const isRunning = process.listenerCount("SIGTERM") > 0;
    if ((isRunning || process.exitCode !== undefined) && stream === process.stdout)
      console.error("The output was closed before all was printed; the run's folder has the rest.");
    if (isRunning) process.emit("SIGTERM");
    else process.exit(process.exitCode === 1 ? 1 : 3);
  });

/** Lines to copy name the command as it was started. */
const asStarted = (text: string): string => text.replaceAll("npx assay", invocation);
const output = {
  writeOut: (text: string) => process.stdout.write(asStarted(text)),
  writeErr: (text: string) => process.stderr.write(asStarted(text)),
};

const program = new Command("assay")
  // Flags of a command that has commands of its own stand before their names.
  .enablePositionalOptions()
  .helpCommand(false)
  .configureOutput(output)
  .description("Tests whether a blockchain data platform keeps its published interface.")
  .version(version)
  .addHelpText(
    "after",
    "\nExample: npx assay run --target targets/example.yaml. Exit codes: 0 nothing broken and something " +
      "verified, 1 a requirement is broken, 2 invalid flags or files, 3 inconclusive.",
  );

/** In the order of the help. */
const commands: { readonly [name: string]: () => Promise<Command> } = {
  init: async () => (await import("./init.ts")).initCommand(),
  doctor: async () => (await import("./doctor.ts")).doctorCommand(),
  run: async () => (await import("./run.ts")).runCommand(),
  judge: async () => (await import("./judge.ts")).judgeCommand(),
  proxy: async () => (await import("./proxy.ts")).proxyCommand(),
  merge: async () => (await import("./merge.ts")).mergeCommand(),
  load: async () => (await import("./load.ts")).loadCommand(),
  panel: async () => (await import("./panel.ts")).panelCommand(),
  compare: async () => (await import("./compare.ts")).compareCommand(),
  history: async () => (await import("./history.ts")).historyCommand(),
  metrics: async () => (await import("./metrics.ts")).metricsCommand(),
  accept: async () => (await import("./accept.ts")).acceptCommand(),
  serve: async () => (await import("./serve.ts")).serveCommand(),
  mutants: async () => (await import("./mutants.ts")).mutantsCommand(),
  generate: async () => (await import("./generate.ts")).generateCommand(),
  report: async () => (await import("./report.ts")).reportCommand(),
  spec: async () => (await import("./spec.ts")).specCommand(),
  requirements: async () => (await import("./requirements.ts")).requirementsCommand(),
};

// Only the named command is loaded: the others, and the reference platform with them, take time and memory.
const [named = ""] = process.argv.slice(2);
for (const name of Object.hasOwn(commands, named) ? [named] : Object.keys(commands)) {
  const command = await commands[name]?.().catch((error: unknown) => {
    // The user's config; what is wrong with Assay itself is the launcher's to say.
    if (error instanceof CommandLineError) process.exit(codeOf(error));
    throw error;
  });
  if (!command) continue;
  for (const one of [command, ...command.commands])
    one.configureOutput(output).exitOverride().showSuggestionAfterError();
  program.addCommand(command);
}

try {
  await program.exitOverride().showSuggestionAfterError().parseAsync();
} catch (error) {
  process.exitCode = codeOf(error);
}
process.off("beforeExit", endStuck);

function codeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const known = error instanceof CommandLineError ? error : noRoomIn(error);
  console.error(asStarted(known ? known.message : crashOf(error)));
  return error instanceof CommandLineError ? 2 : 3;
}

/** Which variables hold keys isn't known here, so that the values of all are removed. */
function crashOf(error: unknown): string {
  const values = Object.entries(process.env).filter(([, value = ""]) => value.length >= shortestKey);
  const { message, at } = defectOf(error, redactorOf(values.map(([name, value = ""]) => new Secret(name, value))));
  return (
    `Assay ${version} failed by itself, which says nothing of the platform: "${message}" ${at}. Please report it to ` +
    "the maintainers, with the command and the run's folder if there is one."
  );
}
