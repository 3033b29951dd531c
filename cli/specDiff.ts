// assay spec diff: what a vendor's documents say of the requirements, and what changed between two editions of them.
import { basename, join } from "node:path";
import { Command, Option } from "commander";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { publishedChanges } from "../published/changes.ts";
import { comparePublished, type PublishedComparison } from "../published/comparison.ts";
import { readDocuments } from "../published/documents.ts";
import { documentMarkdown } from "../reports/document/markdown.ts";
import { documentPage } from "../reports/document/page.tsx";
import { documentLines } from "../reports/document/terminal.ts";
import { documentChangeOf } from "../reports/history/documentChanges.ts";
import { type PublishedFound, type PublishedReport, publishedReport } from "../reports/published/report.ts";
import { publishedDocument } from "../reports/published/view.ts";
import { kindOf, nameOf } from "../reports/words.ts";
import { shownMembers, statements } from "../specs/generated/statements.ts";
import { jsonOption } from "./forPrograms.ts";
import { appendLines, readHistory } from "./historyFiles.ts";
import type { Invocation } from "./invocation.ts";
import { holdsRun } from "./readRuns.ts";
import { runAt } from "./runAt.ts";
import { version } from "./version.ts";
import { refuseUnwritable, writeText } from "./writeText.ts";

interface SpecDiffFlags {
  readonly against?: readonly string[];
  readonly run?: string;
  readonly failOn?: string;
  readonly json?: boolean;
  readonly markdown?: string;
  readonly out?: string;
  readonly history?: string;
}

export const specDiffCommand = (invocation: Invocation): Command =>
  new Command("diff")
    .description("Compare a vendor's OpenAPI or OpenRPC documents with the interface, and with earlier ones.")
    .argument("<documents...>", "files or folders: OpenAPI 3.0 and 3.1, OpenRPC, in YAML or JSON")
    .option("--against <documents...>", "earlier documents: what changed, and which verdicts are in question")
    .option("--run <run>", "with --against: folder of a run, whose verdicts are shown beside what changed")
    .option("--history <file>", "with --against: append what changed to a target's history (*.jsonl)")
    .addOption(
      new Option("--fail-on <state>", "exit code 1 where a requirement is contradicted").choices(["contradicted"]),
    )
    .option(...jsonOption("published"))
    .option("--markdown <file>", "write Markdown, at most 60 lines")
    .option("--out <folder>", "write index.html, published.md and published.json")
    .addHelpText("after", "\nExit codes: 0 compared, 1 contradicted with --fail-on, 2 invalid flags or documents.")
    .addHelpText("after", "\nExample:\n  npx assay spec diff vendor/openapi/ --against vendor-in-may/openapi/")
    .action((paths: readonly string[], flags: SpecDiffFlags) => diff(invocation, paths, flags));

function diff(invocation: Invocation, paths: readonly string[], flags: SpecDiffFlags): void {
  refuseUnusable(invocation, flags);
  const found = foundIn(invocation, paths, flags);
  const report = publishedReport(found, {
    version,
    edition: invocation.project.described.tables.edition,
    failsOnContradicted: flags.failOn !== undefined,
  });
  const document = publishedDocument(report);
  const json = `${JSON.stringify(report, null, 2)}\n`;
  if (flags.out !== undefined) {
    writeText(join(flags.out, "index.html"), documentPage(document));
    writeText(join(flags.out, "published.md"), documentMarkdown(document));
    writeText(join(flags.out, "published.json"), json);
  }
  if (flags.markdown !== undefined) writeText(flags.markdown, documentMarkdown(document));
  if (flags.history !== undefined) append(invocation, flags.history, report);
  if (flags.json) invocation.printJson(json.trimEnd());
  else invocation.print(documentLines(document).join("\n"));
  invocation.exitCode = report.exitCode;
}

/** Before documents are read or anything is written. @throws CommandLineError */
function refuseUnusable(invocation: Invocation, { against, run, history, markdown, out }: SpecDiffFlags): void {
  const [lonely] = Object.entries({ run, history }).filter(([, value]) => value !== undefined && against === undefined);
  if (lonely)
    throw new CommandLineError(`--${lonely[0]} is about what changed. Name earlier documents with --against.`);
  if (out !== undefined && holdsRun(out))
    throw new CommandLineError(
      `The folder ${out} already contains a run, whose page would be overwritten. Name another with --out.`,
    );
  if (markdown !== undefined) refuseUnwritable("--markdown", markdown);
  if (history === undefined) return;
  if (!history.endsWith(".jsonl"))
    throw new CommandLineError(`--history is ${history}. Name the file of one target, such as history/acme.jsonl.`);
  refuseUnwritable("--history", history);
  readHistory(invocation, history, invocation.project.described.tables);
}

/** @throws CommandLineError for documents that can't be read or that describe nothing of the interface */
function foundIn(
  { project: { described } }: Invocation,
  paths: readonly string[],
  { against, run }: SpecDiffFlags,
): PublishedFound {
  const compared = (files: readonly string[]): PublishedComparison => {
    const comparison = comparePublished(readDocuments(files), { ...described.tables, statements, shownMembers });
    if (comparison.described.length > 0) return comparison;
    throw new CommandLineError(
      `${files.join(", ")} describes no operation of the interface, neither by path nor by method name. ` +
        "`npx assay spec openapi` and `npx assay spec openrpc` print what is looked for.",
    );
  };
  const comparison = compared(paths);
  if (against === undefined) return { comparison };
  const earlier = compared(against);
  const judged = run === undefined ? null : runAt(run, described.tables).requirements;
  const verdictOf = (id: string): string => {
    const requirement = judged?.find((one) => one.id === id);
    return requirement ? nameOf(kindOf(requirement)) : "none in that run";
  };
  return {
    comparison,
    earlier: { comparison: earlier, changes: publishedChanges(earlier, comparison) },
    ...(judged && { verdictOf }),
  };
}

/** Nothing where nothing changed. */
function append({ project }: Invocation, file: string, report: PublishedReport): void {
  const { edition } = project.described.tables;
  const change = documentChangeOf(report, { target: basename(file, ".jsonl"), edition, at: new Date() });
  if (change !== null) appendLines(file, [JSON.stringify(change)]);
}
