// assay history report: what a platform kept over a period, for those who pay it.
import { statSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { Command } from "commander";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { documentMarkdown } from "../reports/document/markdown.ts";
import { documentPage } from "../reports/document/page.tsx";
import { documentLines } from "../reports/document/terminal.ts";
import type { Night } from "../reports/history/night.ts";
import { periodHistories } from "../reports/history/period.ts";
import type { Period } from "../reports/history/periodIncidents.ts";
import { type PeriodReport, periodDocument, periodHeadline } from "../reports/history/periodView.ts";
import { nightDay } from "../reports/history/strips.ts";
import { fileNameOf, nightsAt } from "./historyFiles.ts";
import type { Invocation } from "./invocation.ts";
import { version } from "./version.ts";
import { refuseUnwritable, writeText } from "./writeText.ts";

interface PeriodFlags extends Period {
  readonly html?: string;
  readonly markdown?: boolean;
  readonly forVendor?: string;
}

export const historyReportCommand = (invocation: Invocation): Command =>
  new Command("report")
    .description("Report on a period: what held, what was measured, incidents, and how that is counted.")
    .argument("<place>", "history of one target (*.jsonl), or a folder with no other")
    .requiredOption("--from <day>", "its first day (UTC), as in 2026-09-01")
    .requiredOption("--to <day>", "its last day, as in 2026-11-30")
    .option("--html <file>", "the page (default: <target>-<from>-<to>.html beside the history)")
    .option("--markdown", "print Markdown alone")
    .option("--for-vendor <file>", "write only a report for the vendor: .html or .md")
    .addHelpText("after", "\nExample:\n  npx assay history report history/ --from 2026-09-01 --to 2026-11-30")
    .action((place: string, flags: PeriodFlags) => reportPeriod(invocation, place, flags));

function reportPeriod(invocation: Invocation, place: string, flags: PeriodFlags): void {
  const { html, markdown, forVendor } = flags;
  const period = periodIn(flags);
  if (forVendor !== undefined) {
    const other = html !== undefined ? "--html" : markdown ? "--markdown" : null;
    if (other !== null) throw new CommandLineError(`--for-vendor writes only one file. Leave ${other} out.`);
    const render = { ".html": documentPage, ".md": documentMarkdown }[extname(forVendor)];
    if (!render)
      throw new CommandLineError(`--for-vendor is ${forVendor}, whose format isn't known. End it with .html or .md.`);
    refuseUnwritable("--for-vendor", forVendor);
    const report = reportOn(invocation, place, period, true);
    writeText(forVendor, render(periodDocument(report)));
    invocation.print(`${forVendor}: ${periodHeadline(report)}. Read it before you send it.`);
    return;
  }
  const report = reportOn(invocation, place, period, false);
  const folder = statSync(place).isDirectory() ? place : dirname(place);
  const file = html ?? join(folder, `${fileNameOf(report.target)}-${period.from}-${period.to}.html`);
  refuseUnwritable("--html", file);
  const document = periodDocument(report);
  writeText(file, documentPage(document));
  invocation.print(
    markdown
      ? documentMarkdown(document).trimEnd()
      : [...documentLines({ ...document, sections: [] }), file].join("\n"),
  );
}

/** @throws CommandLineError for what isn't a day, and for a period that ends before it begins */
function periodIn({ from, to }: Period): Period {
  for (const [flag, day] of [
    ["--from", from],
    ["--to", to],
  ] as const)
    if (!isDay(day))
      throw new CommandLineError(`${flag} is "${day}", which isn't a day. Write it as in ${flag} 2026-09-01.`);
  if (from > to) throw new CommandLineError(`--from ${from} is after --to ${to}. Swap them.`);
  return { from, to };
}

function isDay(text: string): boolean {
  const at_ms = Date.parse(text);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(at_ms) && nightDay(new Date(at_ms).toISOString()) === text;
}

/** @throws CommandLineError where the history has several targets, or no night of the period */
function reportOn(invocation: Invocation, place: string, period: Period, isForVendor: boolean): PeriodReport {
  const { described } = invocation.project;
  const nights = nightsAt(invocation, place, described.tables);
  const targets = [...new Set(nights.map(({ target }) => target))].sort();
  if (targets.length > 1)
    throw new CommandLineError(
      `${place} has nights of ${targets.join(", ")}, and a report is about one of them. Name its file (*.jsonl).`,
    );
  const histories = periodHistories(nights, period, described);
  const last = histories.flatMap(({ nights: some }) => some).length === 0 ? null : nights.at(-1);
  if (!last) throw new CommandLineError(noNightIn(place, period, nights));
  const today = nightDay(new Date().toISOString());
  return { target: last.target, interface: last.interface, period, today, histories, version, isForVendor };
}

function noNightIn(place: string, { from, to }: Period, nights: readonly Night[]): string {
  const days = nights.map(({ at }) => nightDay(at)).sort();
  const others = `its nights are from ${days[0]} to ${days.at(-1)}`;
  return `${place} has no night from ${from} to ${to}: ${others}. Name another period.`;
}
