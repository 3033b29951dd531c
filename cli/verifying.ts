// Whether the files of a run's folder follow from its journal, and are those that its manifest names.
import { closeSync, fstatSync, openSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { type Json, jsonOrNull, valueAt } from "../harness/core/json.ts";
import { digestOfMember, isThere, sha256Of, textOfMember } from "../harness/core/memberFile.ts";
import { validatorOf } from "../harness/core/schema.ts";
import { endsWithin } from "../harness/record/appending.ts";
import { journalName } from "../harness/record/journal.ts";
import { filesOf, killsFile, type Manifest, manifestFile, reporterOf } from "../harness/record/manifest.ts";
import type { Run } from "../harness/record/run.ts";
import { describedBy } from "../reports/described.ts";
import { formats } from "../reports/formats/formats.ts";
import { isKillMatrix, type KillMatrix } from "../reports/run/killedBy.ts";
import {
  type FileDifference,
  type FoundFile,
  fileDifference,
  isAsNamed,
  manifestDifference,
  reportedDifferences,
} from "./fileDifferences.ts";
import type { Invocation } from "./invocation.ts";
import { contradictionsIn } from "./journalContradictions.ts";
import { type JudgedAnew, judgedAnew } from "./judgedAnew.ts";
import { reportTexts } from "./readers.ts";
import { holdsRun, OtherFormat } from "./readRuns.ts";
import { readSchema } from "./readSchema.ts";
import { runAt, runOfJournal } from "./runAt.ts";
import { version } from "./version.ts";

export interface Verification {
  /** Null where the journal can't be read. */
  readonly run: Run | null;
  readonly exitCode: 0 | 1 | 3;
  /** The SHA-256 of the manifest; null where there is none, or none that is read. */
  readonly manifest: string | null;
  /** Files that are as the manifest names them. */
  readonly files: readonly string[];
  /** Of these, which were made again from the journal. */
  readonly reports: readonly string[];
  readonly differences: readonly FileDifference[];
  /** What couldn't be compared, and why; without full stops. */
  readonly undecided: readonly string[];
  /** Files that are named nowhere. */
  readonly others: readonly string[];
  /** Whether the journal ends within a line. */
  readonly isTorn: boolean;
  /** Null where its answers weren't judged anew. */
  readonly anew: JudgedAnew | null;
}

/** @throws CommandLineError where the folder is that of no run, or damaged without a manifest that could tell how */
export async function verified(invocation: Invocation, folder: string): Promise<Verification> {
  refuseOtherFolders(folder);
  const manifest = manifestOfFolder(folder);
  const journal = journalOfFolder(invocation, folder, manifest.text !== null);
  const reporter = manifest.value ? reporterOf(manifest.value) : (journal.read?.run.version ?? version);
  const found = await filesOfFolder(folder, journal.read?.run ?? null, manifest.value);
  const isReported = manifest.text !== null || formats.some(({ file }) => found.get(file)?.digest);
  const mayBeOurs = reporter === version || journal.read?.run.version === version;
  const again =
    journal.read && isReported && mayBeOurs ? await madeAgain(invocation, folder, journal.read, found) : null;
  // Whatever the manifest says of it: who makes them to the byte wrote them.
  const isOurs = reporter === version || (again !== null && areMade(again, found));
  const made = isOurs ? again : null;
  const compared = { found, made, isOurs, run: journal.read?.recorded ?? null };
  const anew = journal.read ? await answersOf(invocation, journal.read) : nothingAnew;
  const theirs =
    journal.read && !isOurs && found.get("run.json")?.digest ? theirVerdicts(folder, journal.read) : noDifferences;
  const differences = [
    ...manifest.differences,
    ...journal.differences,
    ...(isReported ? [...found.values()].flatMap((file) => fileDifference(folder, file, compared) ?? []) : []),
    ...theirs.differences,
    ...(manifest.text !== null && manifest.differences.length === 0
      ? manifestDifference(manifest.text, manifest.value, compared)
      : []),
    ...(isReported && isOurs && manifest.text === null ? [{ file: manifestFile, says: "is missing" }] : []),
    ...(journal.read ? contradictionsIn(journal.read.run, anew.anew) : []),
  ].filter(({ file, says }, nth, all) => all.findIndex((one) => one.file === file && one.says === says) === nth);
  const undecided = [
    ...journal.undecided,
    ...(isReported || !journal.read ? [] : [`there are no reports yet: \`npx assay report ${folder}\` writes them`]),
    ...(isReported && !isOurs ? othersReports(reporter, manifest.text !== null) : []),
    ...theirs.undecided,
    ...anew.undecided,
  ];
  const differing = new Set(differences.map(({ file }) => file));
  const same = [...found.values()].filter(({ name, digest }) => digest !== null && !differing.has(name));
  return {
    run: journal.read?.run ?? null,
    exitCode: differences.length > 0 ? 1 : undecided.length > 0 ? 3 : 0,
    manifest: manifest.differences.length > 0 ? null : await digestOfMember(folder, manifestFile),
    files: same.flatMap(({ name, named }) => (named === null ? [] : [name])),
    reports: same.flatMap(({ name }) => (made?.has(name) ? [name] : [])),
    differences,
    undecided,
    others: namesIn(folder).filter((name) => name !== manifestFile && !found.has(name)),
    isTorn: journal.read !== null && isTorn(join(folder, journalName)),
    anew: anew.anew,
  };
}

/** @throws CommandLineError */
function refuseOtherFolders(folder: string): void {
  if (!isThere(folder))
    throw new CommandLineError(`There is no folder ${folder}. Name the folder of a run; see runs/.`);
  if (!statSync(folder).isDirectory())
    throw new CommandLineError(`${folder} isn't a folder. Name the folder of a run, with all its files.`);
  const names = namesIn(folder);
  if (holdsRun(folder) || (names.includes(manifestFile) && isOfRun(folder, names))) return;
  throw new CommandLineError(
    isThere(join(folder, "panel.json"))
      ? `The folder ${folder} is that of a panel, which keeps no journal that its figures could be recomputed from. ` +
          "Name the folder of a run."
      : `The folder ${folder} isn't a run: it has neither ${journalName} nor ${manifestFile}. Name a folder written ` +
          "by `assay run`.",
  );
}

/** @throws CommandLineError where it can't be read */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw new CommandLineError(`${folder} can't be read (${(error as NodeJS.ErrnoException).code}). Make it readable.`);
  }
}

/** Other programs have manifests, too. */
const isOfRun = (folder: string, names: readonly string[]): boolean =>
  formats.some(({ file }) => names.includes(file)) || manifestOfFolder(folder).value !== null;

/** Whether all reports that are there are such as this version makes of the journal. */
const areMade = (again: ReadonlyMap<string, readonly string[]>, found: ReadonlyMap<string, FoundFile>): boolean =>
  [...again].every(([file, texts]) => texts.some((text) => sha256Of(text) === found.get(file)?.digest));

const saysOf = (error: unknown): string => {
  if (error instanceof CommandLineError) return error.message.replace(/\.$/, "");
  throw error;
};

const isManifest = validatorOf<Manifest>(readSchema("reports/manifest.schema.json"));

function manifestIn(text: string): Manifest | null {
  const value: unknown = jsonOrNull(text);
  return isManifest(value) ? value : null;
}

function manifestOfFolder(folder: string) {
  try {
    const text = textOfMember(folder, manifestFile);
    return { text, value: manifestIn(text ?? ""), differences: [] };
  } catch (error) {
    return { text: "", value: null, differences: [{ file: manifestFile, says: saysOf(error) }] };
  }
}

type ReadJournal = ReturnType<typeof runOfJournal>;

/** @param hasManifest whether one tells that the journal was changed */
function journalOfFolder({ project }: Invocation, folder: string, hasManifest: boolean) {
  const unread = { read: null, differences: [], undecided: [] };
  try {
    return { ...unread, read: runOfJournal(folder, project.described.tables) as ReadJournal | null };
  } catch (error) {
    const says = saysOf(error);
    if (error instanceof OtherFormat) return { ...unread, undecided: [says] };
    if (!hasManifest) throw error;
    return { ...unread, differences: isThere(join(folder, journalName)) ? [{ file: journalName, says }] : [] };
  }
}

/** Names that lead nowhere else; a manifest may be anybody's. */
const isPlain = (name: string): boolean => /^\w[\w.-]*$/.test(name) && name !== manifestFile;

/** What Assay writes, and what the manifest names, as it is there. */
async function filesOfFolder(folder: string, run: Run | null, manifest: Manifest | null) {
  const named = new Map((manifest?.subject ?? []).map(({ name, digest }) => [name, digest.sha256]));
  const reports = formats.map(({ file }): string => file);
  const written = filesOf(run ?? {}, named.has(killsFile) ? [...reports, killsFile] : reports);
  const names = [...new Set([...written, ...[...named.keys()].filter(isPlain)])].sort();
  const found = new Map<string, FoundFile>();
  for (const name of names) {
    const file = { name, isWritten: written.includes(name), named: named.get(name) ?? null, problem: null };
    try {
      found.set(name, { ...file, digest: await digestOfMember(folder, name) });
    } catch (error) {
      found.set(name, { ...file, digest: null, problem: saysOf(error) });
    }
  }
  return found;
}

/** By file, what it says by the journal; where that can be one of several texts, that of which most is there first. */
async function madeAgain(
  { project }: Invocation,
  folder: string,
  { run, recorded, tables }: ReadJournal,
  found: ReadonlyMap<string, FoundFile>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const described = describedBy(tables, project.described);
  const all: { readonly texts: ReadonlyMap<string, string>; readonly fitting: number }[] = [];
  const matrices = killsOf(folder, found);
  for (const source of sourcesOf(folder, recorded, run))
    for (const kills of matrices) {
      const made = await reportTexts({ run: source, described, kills });
      const texts = new Map(formats.map(({ name, file }) => [file as string, made.get(name) ?? ""]));
      const fitting = [...texts].filter(([file, text]) => sha256Of(text) === found.get(file)?.digest).length;
      all.push({ texts, fitting });
    }
  all.sort((one, other) => other.fitting - one.fitting);
  const kills = found.get(killsFile);
  const files = formats
    .map(({ file }): string => file)
    .filter((file) => !kills || isAsNamed(kills) || file !== pageName);
  return new Map(files.map((file) => [file, all.map(({ texts }) => texts.get(file) ?? "")]));
}

const pageName = "index.html";

/** `assay report` has lines of its own to copy, as a run may name any program. */
function sourcesOf(folder: string, recorded: Run, run: Run): readonly Run[] {
  if (JSON.stringify(recorded) === JSON.stringify(run)) return [run];
  const command = valueAt(jsonOrNull(readableText(folder, "run.json") ?? "") as Json, "/command");
  return command === run.command ? [run, recorded] : [recorded, run];
}

/** Null where it isn't there, or isn't read: that is said elsewhere. */
function readableText(folder: string, name: string): string | null {
  try {
    return textOfMember(folder, name);
  } catch (error) {
    if (!(error instanceof CommandLineError)) throw error;
    return null;
  }
}

/** What the page may have been made with: the kill matrix beside it, or none. */
function killsOf(folder: string, found: ReadonlyMap<string, FoundFile>): readonly (KillMatrix | undefined)[] {
  const kills: unknown = jsonOrNull(readableText(folder, killsFile) ?? "");
  if (!isKillMatrix(kills)) return [undefined];
  if (found.has(killsFile)) return [kills];
  return found.get(pageName)?.named == null ? [undefined, kills] : [undefined];
}

const othersReports = (reporter: string | null, hasManifest: boolean): readonly string[] => [
  `the reports were written by ${reporter === null ? "another Assay" : `Assay ${reporter}`}, and only that version ` +
    `makes the same again (this is ${version})`,
  ...(hasManifest ? [] : [`it left no ${manifestFile}, which would tell what was changed since`]),
];

const noDifferences: { readonly differences: readonly FileDifference[]; readonly undecided: readonly string[] } = {
  differences: [],
  undecided: [],
};

/** Verdicts and totals of the run.json of another version, as far as this one reads it. */
function theirVerdicts(folder: string, { run, tables }: ReadJournal): typeof noDifferences {
  try {
    return { ...noDifferences, differences: reportedDifferences(runAt(folder, tables), run) };
  } catch (error) {
    return { ...noDifferences, undecided: [`its run.json can't be read (${saysOf(error)})`] };
  }
}

const nothingAnew = { anew: null, undecided: [] };

/** Laws change from version to version. */
async function answersOf(
  invocation: Invocation,
  { run, lines }: ReadJournal,
): Promise<{ readonly anew: JudgedAnew | null; readonly undecided: readonly string[] }> {
  if (run.version !== version)
    return { anew: null, undecided: [`Assay ${run.version} judged it, whose laws aren't those of ${version}`] };
  const anew = await judgedAnew(invocation, run, lines);
  return typeof anew === "string"
    ? { anew: null, undecided: [`its answers can't be judged anew (${anew.replace(/\.$/, "")})`] }
    : { anew, undecided: [] };
}

function isTorn(file: string): boolean {
  const fd = openSync(file, "r");
  try {
    return endsWithin(fd, fstatSync(fd).size);
  } finally {
    closeSync(fd);
  }
}
