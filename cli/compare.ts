// assay compare: compares runs, or several vendors, with a baseline.
import { basename, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { Command, Option } from "commander";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import type { Run } from "../harness/record/run.ts";
import { isEmbedded } from "../harness/targets/targetFile.ts";
import type { PanelReport } from "../panel/panelReport.ts";
import { compareRuns, whyNotComparable } from "../reports/compare/compare.ts";
import type { Comparison } from "../reports/compare/comparison.ts";
import { comparisonDocument } from "../reports/compare/view.ts";
import type { Document } from "../reports/document/document.ts";
import { documentMarkdown } from "../reports/document/markdown.ts";
import { documentPage } from "../reports/document/page.tsx";
import { documentLines } from "../reports/document/terminal.ts";
import { comparedWith } from "../reports/history/compared.ts";
import { withLatencies } from "../reports/history/comparedLatencies.ts";
import { historyOf, isOfKind } from "../reports/history/history.ts";
import { nightOf } from "../reports/history/night.ts";
import { groupedBy, listedTogether } from "../reports/lists.ts";
import { counted, numberText } from "../reports/numbers.ts";
import { type PanelChanges, panelChanges, panelChangesDocument } from "../reports/panel/changes.ts";
import { type PanelPlaces, placesOf, vendorsKeyOf, workKeyOf } from "../reports/panel/places.ts";
import { placesDocument } from "../reports/panel/placesView.ts";
import { configOption, envOption, isTargetFile, type JudgingFlags, variablesNamed } from "./flags.ts";
import { printForPrograms, textForPrograms } from "./forPrograms.ts";
import { nightsAt } from "./historyFiles.ts";
import { type Invocation, invocationOf } from "./invocation.ts";
import { namesIn, panelAt } from "./panelFiles.ts";
import { holdsRun } from "./readRuns.ts";
import { runCommand } from "./run.ts";
import { runAt } from "./runAt.ts";
import { vendorIn } from "./target.ts";
import { version } from "./version.ts";
import { refuseUnwritable, Unfinished, writeText } from "./writeText.ts";

interface CompareFlags extends Pick<JudgingFlags, "env" | "config"> {
  readonly against?: string;
  readonly history?: string;
  readonly slower?: string;
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly html?: string;
  readonly out?: string;
}

export const compareCommand = (invocation: Invocation): Command =>
  new Command("compare")
    .description("Compare runs or panels with a baseline. Target files are judged first.")
    .argument("<base>", "the baseline: folder of a run or panel, its run.json, or a target file (.yaml)")
    .argument("[head]", "run, panel or target file to compare")
    .argument(
      "[more...]",
      "further ones, each compared with the baseline; panels from several places stand beside each other",
    )
    .option(...envOption)
    .option("--against <nights>", "one run with its history: last, baseline, median:14")
    .option("--history <place>", "with --against: its file or folder")
    .option("--slower <times>", "exit code 1 where a p95 is surely above so many times the baseline's, such as 1.5")
    .option("--json", "print JSON (reports/compare.schema.json, of panels reports/panels.schema.json)")
    .option("--markdown", "print Markdown, at most 60 lines")
    .option("--html <file>", "write an HTML page")
    .option("--out <folder>", "write index.html, compare.md and compare.json")
    .addHelpText(
      "after",
      "\nExit codes: 0 nothing newly broken, 1 a requirement is newly broken, or a p95 beyond --slower, 2 invalid " +
        "flags or files, 3 inconclusive.\nOther differences never fail the command.",
    )
    .addHelpText("after", "\nExample:\n  npx assay compare runs/yesterday runs/today --slower 1.5 --markdown")
    .action((base: string, head: string | undefined, more: readonly string[], flags: CompareFlags) =>
      compareAll(invocation, [base, ...(head === undefined ? [] : [head]), ...more], flags),
    );

/** How runs or panels differ: for programs, and for people. */
interface Compared {
  readonly changes: Comparison | (PanelChanges & { readonly is: "changes" }) | PanelPlaces;
  readonly document: Document;
}

/** Two panels from one place, or panels from several places. @throws CommandLineError for others */
function panelsCompared(paths: readonly string[], read: readonly (PanelReport | null)[]): Compared {
  const panels = read.flatMap((panel) => panel ?? []);
  const [was, is, ...more] = panels;
  const places = groupedBy(panels, ({ vantage }) => JSON.stringify(vantage));
  if (!was || !is || panels.length < read.length)
    throw new CommandLineError("A panel is compared with another one. Name the folders of two panels.");
  // A place that isn't named may be any place.
  const isUnnamed = more.length === 0 && [was, is].some(({ vantage }) => vantage === null);
  if (places.size === panels.length && !isUnnamed) return placesCompared(paths, [was, is, ...more]);
  if (more.length > 0) {
    const counts = [...places.values()].map(([{ vantage }, ...others]) => {
      return `${counted(others.length + 1, "panel")} from ${vantage ?? "an unnamed place"}`;
    });
    throw new CommandLineError(
      `These are ${listedTogether(counts)}. Name two panels from one place, or one panel from each of several. ` +
        "A history adds up the nights of each place: `assay history import <panels> --history panels/`.",
    );
  }
  const changes = panelChanges(was, is);
  return { changes: { is: "changes", ...changes }, document: panelChangesDocument(changes, version) };
}

/** @throws CommandLineError where they asked other vendors, or other calls */
function placesCompared(paths: readonly string[], panels: readonly [PanelReport, ...PanelReport[]]): Compared {
  const [first] = panels;
  for (const [nth, panel] of panels.entries()) {
    const both = `${paths[0]} and ${paths[nth]}`;
    if (vendorsKeyOf(panel) !== vendorsKeyOf(first)) {
      const [names, others] = [namesIn(first), namesIn(panel)];
      const isReordered = isDeepStrictEqual(names.toSorted(), others.toSorted());
      throw new CommandLineError(
        `${both} are from other places and asked ` +
          `${isReordered ? "these vendors in another order" : "other vendors"}: ` +
          `${names.join(", ")}, and ${others.join(", ")}. Places are compared for the same vendors` +
          `${isReordered ? " in the same order" : ""}.`,
      );
    }
    if (workKeyOf(panel) !== workKeyOf(first))
      throw new CommandLineError(
        `${both} are from other places and asked other calls. Places are compared for the same workload.`,
      );
  }
  const changes = placesOf(panels.map((panel) => [panel]));
  return { changes, document: placesDocument(changes, { version }) };
}

const most_times = 1_000;

/** @throws CommandLineError for what is no bound */
function slowerNamed(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const times = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && times >= 1 && times <= most_times) return times;
  throw new CommandLineError(
    `--slower is "${text}". Write how many times the baseline's p95 is too slow, from 1 to ` +
      `${numberText(most_times)}, such as 1.5.`,
  );
}

async function runsCompared(invocation: Invocation, paths: readonly string[], flags: CompareFlags): Promise<Compared> {
  const slower = slowerNamed(flags.slower);
  const changes =
    flags.against === undefined && flags.history === undefined
      ? compareRuns(await runsOf(invocation, paths, flags), version, invocation.project.described, slower)
      : comparedWithNights(invocation, paths, flags, slower);
  return { changes, document: comparisonDocument(changes) };
}

async function compareAll(invocation: Invocation, paths: readonly string[], flags: CompareFlags): Promise<void> {
  if (flags.json && flags.markdown)
    throw new CommandLineError("--json and --markdown can't both be printed. Choose one, or write both with --out.");
  if (flags.html !== undefined) refuseUnwritable("--html", flags.html);
  if (flags.out !== undefined && holdsRun(flags.out))
    throw new CommandLineError(
      `The folder ${flags.out} already contains a run, whose page would be overwritten. Name another with --out.`,
    );
  const panels = paths.map(panelAt);
  if (flags.slower !== undefined && panels.some((panel) => panel !== null))
    throw new CommandLineError("--slower is for runs and loads, and these are panels. Leave it out.");
  const compared = panels.every((panel) => panel === null)
    ? await runsCompared(invocation, paths, flags)
    : panelsCompared(paths, panels);
  writeFiles(compared, flags);
  const { changes, document } = compared;
  if (flags.json) printForPrograms(invocation, changes);
  else invocation.print(flags.markdown ? documentMarkdown(document).trimEnd() : documentLines(document).join("\n"));
  invocation.exitCode = changes.exitCode;
}

/** Finds every invalid argument before anything is sent or written. */
async function runsOf(invocation: Invocation, paths: readonly string[], flags: CompareFlags): Promise<readonly Run[]> {
  const { described, form } = invocation.project;
  if (paths.length < 2) throw new CommandLineError("Name two runs to compare, or one with --against and --history.");
  const read = paths.map((path) => (isTargetFile(path) ? null : runAt(path, described.tables)));
  const allowedVariables = variablesNamed(flags.env);
  for (const path of paths.filter(isTargetFile))
    if (!isEmbedded(form, path)) vendorIn(invocation, path, { allowedVariables });
  const known = paths.map((path, index) => read[index] ?? { id: path, interface: described.tables.edition });
  const reason = whyNotComparable(known);
  if (reason !== null) throw new CommandLineError(reason);
  // Side by side, so that slots can be compared between targets.
  return Promise.all(
    paths.map(
      async (path, index) => read[index] ?? runAt(await judged(invocation, path, index, flags), described.tables),
    ),
  );
}

/** @throws CommandLineError for other arguments; Unfinished where the history has no earlier night of its kind */
function comparedWithNights(
  invocation: Invocation,
  [path = "", ...others]: readonly string[],
  { against, history }: CompareFlags,
  slower: number | undefined,
): Comparison {
  const { described } = invocation.project;
  if (against === undefined || history === undefined || others.length > 0)
    throw new CommandLineError(
      "--against compares one run with its history. Write `assay compare <run> --against last --history <place>`.",
    );
  const [, word, count] = /^(last|baseline|median:(\d{1,3}))$/.exec(against) ?? [];
  if (word === undefined || Number(count) < 1)
    throw new CommandLineError(`--against is "${against}". Write last, baseline or median:14, the number of nights.`);
  const run = runAt(path, described.tables);
  const known = nightsAt(invocation, history, described.tables);
  const head =
    known.find(({ id, at }) => id === run.id && at === run.startedAt) ?? nightOf(run, null, described.tables);
  const nights = known.filter((one) => isOfKind(one, head) && Date.parse(one.at) < Date.parse(head.at));
  const found = historyOf([head, ...nights], described, head);
  const last = found.nights.length - 1;
  const first = word === "baseline" ? 0 : Math.max(0, last - (count === undefined ? 1 : Number(count)));
  const earlier = word === "baseline" ? [0] : [...found.nights.keys()].slice(first, last);
  const [one, ...more] = earlier.flatMap((nth) => found.nights[nth] ?? []);
  if (last > 0 && one)
    return withLatencies(comparedWith(found, earlier, version, described), [one, ...more], { head, slower });
  throw new Unfinished(`${history} has no earlier night of ${head.target} to compare ${run.id} with.`);
}

/**
 * Judges a target as `assay run` does; gives the run's folder.
 * @throws CommandLineError where the target is invalid
 */
async function judged(
  invocation: Invocation,
  file: string,
  index: number,
  { env, config }: CompareFlags,
): Promise<string> {
  const began = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
  const folder = join("runs", `${began}Z-compared-${index + 1}-${basename(file).replace(/\.ya?ml$/i, "")}`);
  const given = Object.entries({ env, config }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
  const flags = ["--target", file, "--out", folder, ...given];
  // Its output goes to standard error, apart from the comparison's.
  const own = invocationOf({ ...invocation, stdout: invocation.stderr }, invocation.project);
  const command = runCommand(own).addOption(new Option(...configOption));
  await Promise.race([command.parseAsync(flags, { from: "user" }), own.ended]);
  return folder;
}

function writeFiles({ changes, document }: Compared, { html, out }: CompareFlags): void {
  if (html !== undefined) writeText(html, documentPage(document));
  if (out === undefined) return;
  writeText(join(out, "index.html"), documentPage(document));
  writeText(join(out, "compare.md"), documentMarkdown(document));
  writeText(join(out, "compare.json"), `${textForPrograms(changes)}\n`);
}
