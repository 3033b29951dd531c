// assay verify: whether the files of a run's folder follow from its journal, and what nobody can tell from them.
import { Command } from "commander";
import type { Run } from "../harness/record/run.ts";
import { listedTogether } from "../reports/lists.ts";
import { counted, numberText, whenText } from "../reports/numbers.ts";
import { capped, oneLine } from "../reports/text.ts";
import type { FileDifference } from "./fileDifferences.ts";
import { jsonOption, printForPrograms } from "./forPrograms.ts";
import type { Invocation } from "./invocation.ts";
import type { JudgedAnew } from "./judgedAnew.ts";
import { type Verification, verified } from "./verifying.ts";

export const verifyCommand = (invocation: Invocation): Command =>
  new Command("verify")
    .description("Say whether a run's reports follow from its journal, and whether any file was changed.")
    .argument("<folder>", "folder of the run")
    .option(...jsonOption("verify"))
    .addHelpText(
      "after",
      "\nExit codes: 0 all is the same, 1 a file differs or is missing, 2 the folder isn't a run, 3 not all can be " +
        "told.\n\nExample:\n  npx assay verify runs/2026-11-21T10-40-12Z-acme",
    )
    .action(async (folder: string, { json = false }: { readonly json?: boolean }) => {
      const verification = await verified(invocation, folder);
      if (json) printForPrograms(invocation, jsonOf(verification));
      else invocation.print(linesOf(verification).join("\n"));
      invocation.exitCode = verification.exitCode;
    });

const results = { 0: "same", 1: "different", 3: "undecided" } as const;

const jsonOf = ({ run, exitCode, isTorn, ...rest }: Verification): object => ({
  result: results[exitCode],
  exitCode,
  run: run && { id: run.id, version: run.version, complete: run.complete, exitCode: run.exitCode, totals: run.totals },
  ...rest,
  isTorn,
  unprovable: run ? unprovable(run) : [],
});

const mostNamed = 4;
/** The names, as far as a sentence holds them. */
const someOf = (names: readonly string[]): string =>
  listedTogether(
    names.length > mostNamed
      ? [...names.slice(0, mostNamed - 1), `${numberText(names.length - mostNamed + 1)} more`]
      : names,
  );

const differenceText = ({ file, says }: FileDifference): string => `${file}: ${says}`;

const asNamed = (files: readonly string[]): string =>
  counted(files.length, "file is as manifest.json names it", "files are as manifest.json names them");

/** The first sentence is what its reader came for. */
function headlineOf({ exitCode, run, differences, reports, files, undecided }: Verification): string {
  const names = [...new Set(differences.map(({ file }) => file))];
  const [first, ...others] = differences;
  if (first && others.length === 0) return `Not the same: ${differenceText(first)}.`;
  if (exitCode === 1) return `Not the same: ${someOf(names)} ${names.length === 1 ? "differs" : "differ"}.`;
  if (exitCode === 3) return `Not everything can be checked: ${undecided.at(0) ?? ""}.`;
  const verdicts = counted(run?.requirements.length ?? 0, "verdict");
  return (
    `The same: ${verdicts}, the totals and ${counted(reports.length, "report")} follow from the journal, and ` +
    `${asNamed(files)}. For the journal itself only a signature vouches.`
  );
}

const linesOf = (verification: Verification): readonly string[] => {
  const { run, manifest, differences, undecided, others, isTorn, anew } = verification;
  return [
    headlineOf(verification),
    ...(differences.length > 1 ? differences.map((difference) => `  ${differenceText(difference)}`) : []),
    ...undecided.slice(verification.exitCode === 3 ? 1 : 0).map((text) => `Not checked: ${text}.`),
    ...(verification.exitCode === 0 ? [] : sameLines(verification)),
    ...(run && !run.complete ? [`The run was cut short: ${run.cutShort ?? "its journal has no end"}.`] : []),
    ...(isTorn
      ? ["Its journal ends without a line feed, as that of a run that was killed; a last line that was cut isn't read."]
      : []),
    ...(anew && run ? anewLines(anew, run) : []),
    ...(others.length > 0 ? [`Not in the manifest, so not evidence: ${shownNames(others)}.`] : []),
    ...(manifest === null ? [] : [`manifest.json: sha256:${manifest}`]),
    ...(run ? [`${unprovableIntro}:`, ...unprovable(run).map((text) => `  ${text}`)] : []),
  ].map((line) => oneLine(line));
};

const mostShown = 10;
const shownNames = (names: readonly string[]): string =>
  [
    ...names.slice(0, mostShown).map((name) => capped(name, 80)),
    ...(names.length > mostShown ? [`${numberText(names.length - mostShown)} more`] : []),
  ].join(", ");

function sameLines({ run, manifest, files, reports }: Verification): readonly string[] {
  const following = run && reports.length > 0 ? [`${someOf(reports)} follow from the journal`] : [];
  const named = manifest !== null && files.length > 0 ? [asNamed(files)] : [];
  const all = [...following, ...named];
  return all.length > 0 ? [`The same: ${all.join("; ")}.`] : [];
}

function anewLines({ answers, breaches, notAgain, contradicted, unsaid }: JudgedAnew, run: Run): readonly string[] {
  const { exchanges, spent, load, recording } = run;
  const isLess = !load && !recording && exchanges.length < spent.requests;
  const recorded = `${counted(exchanges.length, "recorded exchange")} of ${counted(spent.requests, "request")}`;
  const has = isLess ? [`The journal has ${recorded} that it counts.`] : [];
  if (answers === 0) {
    const why = exchanges.length === 0 ? "" : ": none is of an operation and a base that are known here";
    return [...has, `No recorded answer could be judged anew${why}.`];
  }
  const { named, again } = breaches;
  const found = named === 0 ? "" : `; ${numberText(again)} of ${counted(named, "breach", "breaches")} found again`;
  const none = named === 0 && contradicted.length === 0 ? "; none breaks what the run says holds" : "";
  const rest = "isn't shown by one recorded answer: checks see some in several answers, or in what isn't recorded";
  return [
    ...has,
    `Judged anew by all laws: ${counted(answers, "recorded answer")}${found}${none}.`,
    ...(notAgain.length > 0 ? [`Not found again: ${someOf(notAgain)}, which ${rest}.`] : []),
    ...(unsaid.length > 0 ? [`Broken by these answers, and without a verdict in the run: ${someOf(unsaid)}.`] : []),
  ];
}

const unprovableIntro =
  "No folder shows the following; the person who ran it can vouch for it by signing manifest.json (docs/evidence.md)";

const unprovable = ({ target: { bases, name }, exchanges, startedAt, recording }: Run): readonly string[] => {
  const hosts = [...new Set(Object.values(bases))].join(", ");
  const cut = exchanges.filter(({ answer }) => answer?.cutAt_chars != null).length;
  const source = recording ? ` to the one who recorded ${someOf(recording.sources)}` : "";
  const platform = capped(`${name}${hosts === "" ? "" : ` at ${hosts}`}`, 200);
  return [
    `that ${platform} sent these answers${source}, and that nobody made up the whole journal`,
    `that it ran at ${whenText(startedAt)}, as the clock there said`,
    "that the keys were of the roles that the journal names",
    "that no other run, which ended otherwise, was left out",
    ...(cut > 0 ? [`${counted(cut, "answer")} continued as was judged: the journal has the beginning`] : []),
  ];
};
