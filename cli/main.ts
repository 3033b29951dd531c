// Which command was asked for? Bad input ends in one paragraph and exit code 2.
import { Command, CommanderError } from "commander";
import { Misuse } from "../harness/misuse.ts";
import { acceptCommand } from "./accept.ts";
import { compareCommand } from "./compare.ts";
import { loadCommand } from "./load.ts";
import { mutantsCommand } from "./mutants.ts";
import { reportCommand } from "./report.ts";
import { requirementsCommand } from "./requirements.ts";
import { runCommand } from "./run.ts";
import { serveCommand } from "./serve.ts";
import { version } from "./version.ts";

const program = new Command("assay")
  .description("Tells whether a blockchain data platform keeps its published interface.")
  .version(version)
  .addHelpText(
    "after",
    "\nExample:\n  npx assay run --target targets/example.yaml\n\nExit codes: 0 nothing broken and something verified, 1 a promise is broken, 2 misuse, 3 inconclusive.",
  );

const commands = [runCommand(), loadCommand(), compareCommand(), acceptCommand(), serveCommand(), mutantsCommand(), reportCommand(), requirementsCommand()];
for (const command of commands) program.addCommand(command.exitOverride().showSuggestionAfterError());

try {
  await program.exitOverride().showSuggestionAfterError().parseAsync();
} catch (error) {
  process.exitCode = codeOf(error);
}

function codeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (!(error instanceof Misuse)) throw error;
  console.error(error.message);
  return 2;
}
