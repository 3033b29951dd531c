// How a file of a run's folder differs from what the journal gives, and from what the manifest names.
import { canonical } from "../harness/core/json.ts";
import { sha256Of, textOfMember } from "../harness/core/memberFile.ts";
import { journalName } from "../harness/record/journal.ts";
import {
  type Manifest,
  manifestFile,
  manifestOf,
  manifestText,
  packageUrlIn,
  reporterOf,
} from "../harness/record/manifest.ts";
import type { Run } from "../harness/record/run.ts";
import { oneLine } from "../reports/text.ts";
import { firstDifference } from "./firstDifference.ts";
import { packageUrl, version } from "./version.ts";

/** Without a full stop. */
export interface FileDifference {
  readonly file: string;
  readonly says: string;
}

/** A file as it is there. */
export interface FoundFile {
  readonly name: string;
  /** Whether Assay writes it into such a folder. */
  readonly isWritten: boolean;
  /** Its SHA-256; null where it isn't there, or isn't read. */
  readonly digest: string | null;
  /** Why it isn't read, e.g. a link that leads elsewhere. */
  readonly problem: string | null;
  /** Its SHA-256 by the manifest; null where that doesn't name it. */
  readonly named: string | null;
}

interface Compared {
  readonly found: ReadonlyMap<string, FoundFile>;
  /** By file, what it may say by the journal; null where that isn't known. */
  readonly made: ReadonlyMap<string, readonly string[]> | null;
  /** Whether this version wrote the reports: what it writes into a folder is known. */
  readonly isOurs: boolean;
  /** Null where the journal can't be read. */
  readonly run: Run | null;
}

export const isAsNamed = ({ digest, named }: Pick<FoundFile, "digest" | "named">): boolean =>
  named === null || digest === named;

/** Whether the journal is the one that the manifest names, where that names one. */
const isJournalAsNamed = ({ found }: Pick<Compared, "found">): boolean => {
  const journal = found.get(journalName);
  return journal !== undefined && journal.digest !== null && isAsNamed(journal);
};

const follows = ({ name, digest }: FoundFile, { made }: Pick<Compared, "made">): boolean =>
  made?.get(name)?.some((text) => sha256Of(text) === digest) ?? false;

/** A name that this version doesn't write is the manifest's fault, as long as the journal says what was written. */
const isDue = ({ isWritten, named }: FoundFile, { isOurs, run }: Compared): boolean =>
  isOurs && run ? isWritten : named !== null;

export function fileDifference(folder: string, file: FoundFile, compared: Compared): FileDifference | null {
  const { name, digest, problem, named } = file;
  const differs = (says: string): FileDifference => ({ file: name, says });
  if (problem !== null) return differs(problem);
  if (digest === null) return isDue(file, compared) ? differs("is missing") : null;
  const texts = compared.made?.get(name);
  // Which of both was changed can't be told of the others; here the journal tells.
  if (follows(file, compared)) return null;
  if (texts && isJournalAsNamed(compared)) return differs(readDifference(folder, name, texts.at(0) ?? ""));
  if (isAsNamed(file)) return null;
  const effect = name === journalName ? effectOf(folder, compared) : null;
  const other = `isn't the file that ${manifestFile} names (SHA-256 ${shortly(digest)}, there ${shortly(named)})`;
  return differs(`${other}; ${effect ?? "one of the two was changed"}`);
}

const shortly = (digest: string | null): string => `${digest?.slice(0, 12)}…`;

function readDifference(folder: string, name: string, made: string): string {
  const text = textOfMember(folder, name) ?? "";
  return text === made ? "has bytes that aren't UTF-8" : firstDifference(text, made, "by the journal");
}

/** What run.json, as it was written, says otherwise than a journal that was changed since. */
function effectOf(folder: string, { found, made }: Compared): string | null {
  const run = found.get("run.json");
  const [text] = made?.get("run.json") ?? [];
  if (text === undefined || !run?.digest || !isAsNamed(run) || sha256Of(text) === run.digest) return null;
  return `in run.json, ${readDifference(folder, "run.json", text)}`;
}

/** How the verdicts and totals of a run.json of another version differ from those of the journal. */
export function reportedDifferences(reported: Run, run: Run): readonly FileDifference[] {
  const verdictsIn = ({ requirements }: Run): object =>
    Object.fromEntries(requirements.map(({ id, verdict, enforced }) => [id, { verdict, enforced }]));
  return [
    [verdictsIn(reported), verdictsIn(run)],
    [{ totals: reported.totals }, { totals: run.totals }],
  ].flatMap(([is, made]) => {
    // Versions may order members otherwise.
    const [text, other] = [canonical(is), canonical(made)];
    return text === other ? [] : [{ file: "run.json", says: firstDifference(text, other, "by the journal") }];
  });
}

export function manifestDifference(
  text: string,
  manifest: Manifest | null,
  compared: Compared,
): readonly FileDifference[] {
  const { found, run, isOurs } = compared;
  const differs = (says: string): readonly FileDifference[] => [{ file: manifestFile, says }];
  const files = [...found.values()];
  const url = packageUrlIn(manifest, packageUrl);
  const madeOf = (digestIn: (file: FoundFile) => string | null): string | null => {
    const digests = new Map(files.flatMap((file) => pairOf(file.name, digestIn(file))));
    return run && manifestText(manifestOf(run, digests, version, url));
  };
  if (!manifest) {
    const made = isOurs ? madeOf(({ digest }) => digest) : null;
    const how = made === null ? "" : `: ${firstDifference(text, made, "by the folder")}`;
    return differs(`isn't a manifest as Assay writes it${how}`);
  }
  const elsewhere = manifest.subject.find(({ name }) => !found.has(name));
  if (elsewhere) return differs(`names ${oneLine(elsewhere.name)}, which is no file of the folder; it wasn't read`);
  const unnamed = files.find(({ isWritten, digest, named }) => isWritten && digest !== null && named === null);
  if (unnamed) return differs(`doesn't name ${unnamed.name}`);
  const wrong = files.find((file) => !isAsNamed(file) && follows(file, compared));
  if (wrong) return differs(`names another SHA-256 of ${wrong.name}, which follows from the journal`);
  const reporter = reporterOf(manifest);
  if (reporter === null) return differs("names no version of Assay that wrote the reports");
  if (isOurs && reporter !== version)
    return differs(`names Assay ${reporter} as what wrote the reports, which ${version} makes to the byte`);
  if (!isOurs && run?.version === version) return predicateDifference(manifest, run);
  if (!isOurs) return [];
  const unwritten = run && files.find(({ isWritten }) => !isWritten);
  if (unwritten) return differs(`names ${unwritten.name}, which Assay doesn't write there`);
  // From a journal that was changed, nothing follows for it.
  const made = (isJournalAsNamed(compared) ? madeOf(({ named }) => named) : null) ?? manifestText(manifest);
  return text === made ? [] : differs(firstDifference(text, made, "by the folder"));
}

/** Verdicts follow from the journal, whichever version wrote the reports. */
function predicateDifference({ predicate }: Manifest, run: Run): readonly FileDifference[] {
  const sorted = (ids: readonly string[] = []): readonly string[] => [...ids].sort();
  const lists = ({ result, passedTests, warnedTests, failedTests }: Manifest["predicate"]): string =>
    canonical({
      result,
      passedTests: sorted(passedTests),
      warnedTests: sorted(warnedTests),
      failedTests: sorted(failedTests),
    });
  const [is, made] = [lists(predicate), lists(manifestOf(run, new Map(), version, packageUrl).predicate)];
  return is === made ? [] : [{ file: manifestFile, says: firstDifference(is, made, "by the journal") }];
}

const pairOf = (name: string, digest: string | null): readonly (readonly [string, string])[] =>
  digest === null ? [] : [[name, digest]];
