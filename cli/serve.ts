// assay serve: runs the reference platform for any HTTP client.
import { Command } from "commander";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { isDay } from "../harness/targets/deviations.ts";
import { startEmbedded, variantNamed } from "./embedded.ts";
import { type JudgingFlags, mutantOption, portNamed } from "./flags.ts";
import { forClients, linesOf } from "./forClients.ts";
import { jsonOption, printForPrograms } from "./forPrograms.ts";
import type { Invocation } from "./invocation.ts";

interface ServeFlags extends Pick<JudgingFlags, "json" | "mutant"> {
  readonly port?: string;
  readonly date?: string;
}

export const serveCommand = (invocation: Invocation): Command =>
  new Command("serve")
    .description("Run the reference platform on loopback and print what authors of clients need.")
    .option("--port <number>", "port of 127.0.0.1 (default: a free one)")
    .option("--date <day>", "the day on which its clock starts, YYYY-MM-DD (default: today)")
    .option(...jsonOption("serve", "a line of JSON"))
    .option(...mutantOption)
    .addHelpText("after", "\nExample:\n  npx assay serve --port 8787")
    .action(async (flags: ServeFlags) => {
      // From the first line that is printed a signal ends it.
      const ending = invocation.ending();
      const startsAt_ms = startOf(flags.date);
      const port = portNamed("--port", flags.port ?? "0");
      const embedded = await startEmbedded(port, variantNamed(flags.mutant), startsAt_ms);
      const shown = forClients(embedded, startsAt_ms);
      if (flags.json === true) printForPrograms(invocation, shown, 0);
      else invocation.print(linesOf(shown).join("\n"));
      await ending;
      await embedded.close();
    });

/** The made-up history of the chain ends before it. */
const firstDay = "2026-01-01";
/** Years have four digits, and cycles reach a year ahead. */
const lastDay = "9997-12-31";
const day_ms = 86_400_000;

/** Now, on the day named: Unix time in ms. */
function startOf(day: string | undefined): number {
  if (day === undefined) return Date.now();
  if (isDay(day) && day >= firstDay && day <= lastDay) return Date.parse(day) + (Date.now() % day_ms);
  throw new CommandLineError(
    `--date is "${day}", on which the platform can't start. Name a day from ${firstDay} to ${lastDay}.`,
  );
}
