// assay panel: puts the same questions to several vendors at the same time; who differs, who is behind, who is faster.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { Command } from "commander";
import { realClock } from "../harness/core/clock.ts";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { defaultSeed } from "../harness/core/generation.ts";
import { keyOf, type NamedVariable, type Target } from "../harness/targets/target.ts";
import { isEmbedded } from "../harness/targets/targetFile.ts";
import { Attendance } from "../panel/attendance.ts";
import { PanelFindings } from "../panel/findings.ts";
import { panelFormat } from "../panel/panelReport.ts";
import type { PanelMember } from "../panel/polling.ts";
import { PanelCharges, pricesOf } from "../panel/prices.ts";
import { asList } from "../panel/questions.ts";
import { workloadReport } from "../panel/workload.ts";
import type { Document } from "../reports/document/document.ts";
import { documentMarkdown } from "../reports/document/markdown.ts";
import { documentPage } from "../reports/document/page.tsx";
import { documentLines } from "../reports/document/terminal.ts";
import { askedOperationsIn, panelExitCode } from "../reports/panel/figures.ts";
import type { PanelWithRuns } from "../reports/panel/scorecard.ts";
import { panelDocument } from "../reports/panel/view.ts";
import { envOption, type HistoryFlags, secondsNamed, seedNamed, variablesNamed } from "./flags.ts";
import { jsonOption } from "./forPrograms.ts";
import { type Invocation, shellQuoted } from "./invocation.ts";
import { latestRunsCompared } from "./latestRuns.ts";
import { appendPanels, panelHistoryAt } from "./panelFiles.ts";
import { askedFor, creditsLines, mostRounds, usualRounds } from "./panelOffers.ts";
import { leftText, type PanelVendor, questionsFor, questionsIn } from "./panelQuestions.ts";
import { membersFor, polledPanel } from "./panelRun.ts";
import type { WorkloadFlags } from "./panelWorkload.ts";
import { holdsRun } from "./readRuns.ts";
import { openingLines, vendorIn } from "./target.ts";
import { version } from "./version.ts";
import { refuseUnwritable, writeText } from "./writeText.ts";

type Texts = "reference" | "rounds" | "for" | "questions" | "only" | "seed" | "env" | "config" | "out" | "runs";
type PanelFlags = HistoryFlags &
  WorkloadFlags & { readonly [flag in Texts]?: string } & { readonly json?: boolean; readonly paid?: true };

export const panelCommand = (invocation: Invocation): Command =>
  new Command("panel")
    .description("Ask several vendors the same: who differs, is behind, is faster.")
    .argument("<targets...>", "target files of at least two vendors of one chain")
    .option("--reference <target>", "the vendor to trust instead of the majority")
    .option("--rounds <number>", "how often each question is asked (default: 20)")
    .option("--for <time>", "poll for this long, such as 10m, instead of --rounds")
    .option("--workload <mix>", "ask a mix (wallet, trading, indexer), or a recording")
    .option("--mapping <form>", "how the recording is read, as of `judge`")
    .option("--paid", "read wallets, too: 100 credits a call, within the budget")
    .option("--questions <file>", "further questions: panel/README.md")
    .option("--only <ids>", "only these questions")
    .option("--seed <number>", "pick other accounts, in another order", String(defaultSeed))
    .option(...envOption)
    .option("--out <folder>", "folder to write (default: runs/<time>-panel)")
    .option("--runs <folder>", "where the vendors' runs are (default: runs)")
    .option("--history <place>", "append it to a history")
    .option("--vantage <name>", "where it is sent from")
    .option(...jsonOption("panel", "panel.json"))
    .addHelpText(
      "after",
      "\nExit codes: 0 compared and nobody is wrong, 1 a vendor is wrong, 2 invalid input, 3 nothing compared.",
    )
    .addHelpText("after", "\nExample:\n  npx assay panel a.yaml b.yaml c.yaml --rounds 50")
    .action((files: readonly string[], flags: PanelFlags) => panel(invocation, files, flags));

/** Begins a panel; says then whether another round begins. @throws CommandLineError for another number or time */
function lastingAs({ rounds: text, for: time }: PanelFlags): () => (round: number) => boolean {
  if (text !== undefined && time !== undefined)
    throw new CommandLineError("--rounds and --for both say when it ends. Choose one.");
  if (text !== undefined && !/^[1-9]\d{0,6}$/.test(text))
    throw new CommandLineError(`--rounds is "${text}". Use a whole number, at least 1.`);
  if (time === undefined) return () => (round) => round < Number(text ?? usualRounds);
  const lasts_ms = secondsNamed("--for", time) * 1_000;
  return () => {
    const until_ms = Date.now() + lasts_ms;
    return () => Date.now() < until_ms;
  };
}

/** In order of their names, so that histories of the same vendors are one. @throws CommandLineError for other input */
function vendorsIn(invocation: Invocation, files: readonly string[], { env }: PanelFlags): readonly PanelVendor[] {
  if (files.length < 2)
    throw new CommandLineError(
      "A panel compares vendors. Name the target files of at least two, and four to see who is wrong.",
    );
  const own = files.find((file) => isEmbedded(invocation.project.form, file));
  if (own !== undefined)
    throw new CommandLineError(
      `${own} is the embedded platform. Start it with \`npx assay serve\`, and name a target file with its addresses.`,
    );
  const allowedVariables = variablesNamed(env);
  const vendors = files.map((file) => ({ file, target: vendorIn(invocation, file, { allowedVariables }) }));
  const accessOf = (target: Target) => `${target.bases.rpc} ${keyOf(target, "owner")?.secret.open()}`;
  for (const [nth, { file, target }] of vendors.entries())
    for (const other of vendors.slice(0, nth)) {
      const isSame = accessOf(other.target) === accessOf(target);
      if (!isSame && other.target.name !== target.name) continue;
      const both = isSame ? "the same address and key: they always agree" : `the name ${target.name}`;
      throw new CommandLineError(`${other.file} and ${file} both have ${both}. Name another target.`);
    }
  // No other key is sent.
  const sent = vendors.map(({ file, target }) => {
    const owner = keyOf(target, "owner")?.role;
    const isOwners = ({ at: [list, role] }: NamedVariable): boolean => list === "keys" && role === owner;
    return { file, target: { ...target, variables: target.variables.filter(isOwners) } };
  });
  return sent.sort((a, b) => (a.target.name < b.target.name ? -1 : 1));
}

const namesOf = (vendors: readonly PanelVendor[]): readonly string[] => vendors.map(({ target }) => target.name);

/** Null where no history is named. @throws CommandLineError where it couldn't be appended to */
const historyOfPanel = ({ history, vantage }: PanelFlags, vendors: readonly PanelVendor[]) =>
  history === undefined ? null : panelHistoryAt(history, namesOf(vendors), vantage || null);

/** The place of the reference in the panel. @throws CommandLineError where it is none of them */
function referenceIn(vendors: readonly PanelVendor[], named: string | undefined): number | null {
  const at = vendors.findIndex(({ file, target }) => named === target.name || named === file);
  if (named === undefined || at >= 0) return named === undefined ? null : at;
  const names = namesOf(vendors).join(", ");
  throw new CommandLineError(`--reference is ${named}, which isn't in the panel. Name one of ${names}.`);
}

/** One that does what another did. */
const commandOf = (
  program: string,
  files: readonly string[],
  flags: { readonly [name: string]: string | true | undefined },
): string =>
  [
    `${program} panel`,
    ...files.map(shellQuoted),
    ...Object.entries(flags).flatMap(([name, word]) =>
      word === undefined ? [] : [`--${name}`, ...(word === true ? [] : [shellQuoted(word)])],
    ),
  ].join(" ");

const spentBy = (
  members: readonly PanelMember[],
  vendors: readonly { readonly file: string }[],
): PanelWithRuns["vendors"] =>
  members.map(({ target: { name }, transport: { spent } }, nth) => ({ name, file: vendors[nth]?.file ?? "", spent }));

/** The page, and the same as Markdown beside it. */
function writeViews(page: string, document: Document): void {
  writeText(page, documentPage(document));
  writeText(join(dirname(page), "panel.md"), documentMarkdown(document));
}

/** What a panel leaves there. @throws CommandLineError where it can't */
function panelFolder(folder: string) {
  const file = join(folder, "panel.json");
  refuseUnwritable("--out", file);
  if (holdsRun(folder) || existsSync(file))
    throw new CommandLineError(`The folder ${folder} already contains a run or a panel. Name another with --out.`);
  return { file, list: join(folder, "questions.json"), page: join(folder, "index.html") };
}

/** What the command line asks for. @throws CommandLineError where something about it is wrong */
async function wantedBy(invocation: Invocation, files: readonly string[], flags: PanelFlags) {
  const lasts = lastingAs(flags);
  const seed = seedNamed(flags.seed);
  const vendors = vendorsIn(invocation, files, flags);
  referenceIn(vendors, flags.reference);
  const named = flags.questions === undefined ? [] : questionsIn(flags.questions);
  const { workload, paid } = await askedFor(invocation, { ...flags, seed }, vendors, named);
  historyOfPanel(flags, vendors);
  return {
    lasts,
    vendors,
    named,
    wanted: { only: flags.only, seed, workload, paid, mix: workload && workloadReport(workload) },
  };
}

async function panel(
  invocation: Invocation,
  files: readonly string[],
  { json: isJson, ...flags }: PanelFlags,
): Promise<void> {
  const { described } = invocation.project;
  const { lasts, vendors, named, wanted } = await wantedBy(invocation, files, flags);
  const { seed, mix } = wanted;
  const startedAt = new Date().toISOString();
  const id = `${startedAt.slice(0, 19).replaceAll(":", "-")}Z-panel`;
  const { file, list, page } = panelFolder(flags.out ?? join("runs", id));
  const { members, close } = membersFor(invocation, vendors);
  const targets = members.map(({ target }) => target);
  let complete = true;
  // A terminal's signal may come twice, as the parent process may forward it.
  const ignoreSignals = invocation.onEnding(() => void (complete = false));
  try {
    if (!isJson) for (const line of openingLines(invocation, ...targets)) invocation.print(line);
    const attendance = new Attendance<PanelMember>(realClock);
    const { questions, left, earlier } = await questionsFor(vendors, members, named, { ...wanted, attendance });
    for (const nth of left) invocation.warn(leftText(vendors, nth));
    const kept = <One>(all: readonly One[]): readonly One[] => all.filter((_, nth) => !left.has(nth));
    const [asked, shown] = [kept(members), kept(vendors)];
    const reference = referenceIn(shown, flags.reference);
    const findings = new PanelFindings(asked.length, reference, described.tables);
    if (!isJson) for (const line of creditsLines(shown, questions, mostRounds(flags), asked)) invocation.print(line);
    const charges = mix && (await PanelCharges.begin(asked, realClock, mix.shares));
    const history = historyOfPanel(flags, shown);
    const conformance = latestRunsCompared(described, kept(targets), flags.runs);
    writeText(list, `${JSON.stringify(asList(questions), null, 2)}\n`, "Name another folder with --out.", 0o700);
    const isTime = lasts();
    const goesOn = (round: number): boolean => complete && isTime(round);
    const polling = { clock: realClock, seed, goesOn, isTimed: flags.for !== undefined, attendance, findings, earlier };
    const { isCutShort, ...also } = await polledPanel(invocation, asked, questions, { ...polling, charges });
    if (isCutShort) complete = false;
    const those = files.filter((one) => shown.some((vendor) => vendor.file === one));
    const replay = { env: flags.env, config: flags.config, reference: flags.reference, questions: list, rounds: "12" };
    const report: PanelWithRuns = {
      format: panelFormat,
      version,
      interface: described.tables.edition,
      id,
      command: invocation.redact(commandOf(invocation.program, files, { ...flags })),
      seed,
      startedAt,
      endedAt: new Date().toISOString(),
      complete,
      vantage: flags.vantage || null,
      reference,
      vendors: spentBy(asked, shown),
      conformance,
      ...also,
      workload: mix,
      prices: await pricesOf(asked, askedOperationsIn({ questions }), charges, complete),
      ...findings.report((only) => commandOf(invocation.program, those, { ...replay, only })),
    };
    const text = JSON.stringify(report, null, 2);
    writeText(file, `${text}\n`);
    invocation.exitCode = panelExitCode(report);
    const document = panelDocument(report);
    if (isJson) invocation.printJson(text);
    else invocation.print([...documentLines(document), page].join("\n"));
    writeViews(page, document);
    if (history !== null) appendPanels(history, [report]);
  } finally {
    ignoreSignals();
    await close();
  }
}
