// Histories as files: nights read and appended; what can't be read ends in one paragraph
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import type { Interface } from "../harness/core/interface.ts";
import { memberOf, placeIn, textOfFile } from "../harness/core/memberFile.ts";
import { makeFolder } from "../harness/core/paths.ts";
import { validatorOf } from "../harness/core/schema.ts";
import { appendLine } from "../harness/record/appending.ts";
import type { Target } from "../harness/targets/target.ts";
import type { DocumentChange } from "../reports/history/documentChanges.ts";
import { type Night, nightFormat, opened } from "../reports/history/night.ts";
import { counted } from "../reports/numbers.ts";
import type { HistoryFlags } from "./flags.ts";
import type { Invocation } from "./invocation.ts";
import { readSchema } from "./readSchema.ts";
import { noRoomIn, refuseUnwritable } from "./writeText.ts";

/** Where it is said which lines are damaged. */
type Warning = Pick<Invocation, "warn">;

/** What a line of a file is. */
export interface LineForm<One> {
  readonly name: string;
  /** The newest that can be read. */
  readonly format: number;
  readonly is: (value: unknown) => value is One;
}

const isNight = validatorOf<Night>(readSchema("reports/history.schema.json"));
const isDocumentChange = validatorOf<DocumentChange>(readSchema("reports/history.schema.json"), "/$defs/documents");
const lineForm: LineForm<Night | DocumentChange> = {
  name: "history",
  format: nightFormat,
  // What is damaged within is refused, too.
  is: (value): value is Night | DocumentChange =>
    isDocumentChange(value) || (isNight(value) && Array.isArray(opened(value))),
};

const ending = ".jsonl";

export const fileNameOf = (name: string): string => name.replace(/[^\w.-]+/g, "-");

/** A file as it is named, or the target's in a folder. @throws CommandLineError for a link that leads out of that */
export function historyFileOf(place: string, target: string): string {
  if (place.endsWith(ending)) return place;
  return placeIn(place, `${fileNameOf(target)}${ending}`);
}

/** Null where no history is named. @throws CommandLineError for a vantage alone */
function placeNamed({ history, vantage }: HistoryFlags) {
  if (history !== undefined) return { history, vantage: vantage ?? null };
  if (vantage === undefined) return null;
  throw new CommandLineError("--vantage says where a history's runs are sent from. Add --history, or leave it out.");
}

/** Null for a line that is cut or damaged. @throws CommandLineError for one of a newer format */
export function parsedLine<One>(line: string, where: string, { name, format: newest, is }: LineForm<One>): One | null {
  try {
    const value: unknown = JSON.parse(line);
    const { format = 0 } = value as { readonly format?: unknown };
    if (typeof format === "number" && format > newest)
      throw new CommandLineError(
        `${where} has ${name} format ${format}, of a newer Assay; this version reads format ${newest}. Update Assay.`,
      );
    return is(value) ? value : null;
  } catch (error) {
    if (error instanceof CommandLineError) throw error;
    return null;
  }
}

/** Null for one that is damaged, or no night. */
export function nightIn(line: string, where: string): Night | null {
  const read = parsedLine(line, where, lineForm);
  return read && isOfNight(read) ? read : null;
}

const isOfNight = (line: Night | DocumentChange): line is Night => "packed" in line;

/** What a history holds: runs, and changes of the vendor's documents. */
interface HistoryLines {
  readonly nights: readonly Night[];
  readonly documents: readonly DocumentChange[];
}

/**
 * None where there is no such file. Says on standard error which lines were damaged, and leaves them out.
 * @throws CommandLineError for a newer format, or where no line is of that form
 */
export function linesIn<One>(warning: Warning, file: string, form: LineForm<One>): readonly One[] {
  const lines = existsSync(file) ? textOfFile(file).split("\n") : [];
  const read = lines.map((line, nth) =>
    line.trim() === "" ? [] : parsedLine(line, `Line ${nth + 1} of ${file}`, form),
  );
  const known = read.flatMap((one) => one ?? []);
  const damaged = [...read.keys()].filter((nth) => read[nth] === null).map((nth) => nth + 1);
  if (known.length === 0 && damaged.length > 0)
    throw new CommandLineError(
      `${file} isn't a history: no line fits reports/${form.name}.schema.json. Name a file or a ` +
        "folder that `--history` has made.",
    );
  const others = counted(known.length, "other line was", "other lines were");
  if (damaged.length > 0)
    warning.warn(`Left out of ${file}: line ${damaged.join(", ")}, cut or damaged. ${others} read.`);
  return known;
}

/**
 * As `linesIn`.
 * @param more nights that are to be appended
 * @throws CommandLineError for another interface, too
 */
export function readHistory(
  warning: Warning,
  file: string,
  { edition }: Pick<Interface, "edition">,
  more: readonly Night[] = [],
): HistoryLines {
  const lines = linesIn(warning, file, lineForm);
  const nights = lines.filter(isOfNight);
  const nameOf = ({ name, version }: Night["interface"]): string => `"${name}" ${version}`;
  const other = [...nights, ...more].find((night) => nameOf(night.interface) !== nameOf(edition));
  if (other)
    throw new CommandLineError(
      `${file} is for ${nameOf(edition)}, and ${other.id} judged ${nameOf(other.interface)}. Keep a history for each ` +
        "interface.",
    );
  // A file is of one target, whatever it is called.
  const target = nights.at(-1)?.target;
  const documents = lines.filter((line): line is DocumentChange => !isOfNight(line));
  return { nights, documents: documents.map((change) => ({ ...change, target: target ?? change.target })) };
}

/** All histories of a folder, or the one that is named. @throws CommandLineError where they have no night */
export function historiesAt(
  warning: Warning,
  place: string,
  tables: Pick<Interface, "edition">,
): readonly (HistoryLines & { readonly file: string })[] {
  const names = existsSync(place) && statSync(place).isDirectory() ? readdirSync(place).sort() : null;
  const files = names?.filter((name) => name.endsWith(ending)).flatMap((name) => memberOf(place, name) ?? []) ?? [
    place,
  ];
  const histories = files.map((file) => ({ file, ...readHistory(warning, file, tables) }));
  if (histories.some(({ nights }) => nights.length > 0)) return histories;
  const none = !existsSync(place)
    ? `There is no ${place}.`
    : `${place} contains no history, or only an empty one (*${ending}).`;
  throw new CommandLineError(
    `${none} Append runs with \`assay run --history ${place}\`, or \`assay history import runs/* --history ${place}\`.`,
  );
}

/** Where a run of a target is to be appended. */
export type HistoryPlace = NonNullable<ReturnType<typeof historyPlaceOf>>;

/** Refuses, before anything is sent, what couldn't be appended to. @throws CommandLineError */
export function historyPlaceOf(
  warning: Warning,
  flags: HistoryFlags,
  { name, interface: tables }: Pick<Target, "name" | "interface">,
) {
  const place = placeNamed(flags);
  if (place === null) return undefined;
  const file = historyFileOf(place.history, name);
  refuseUnwritable("--history", file);
  readHistory(warning, file, tables);
  return { file, vantage: place.vantage };
}

/**
 * Appends nights that aren't there yet, each whole or not at all; gives those.
 * @throws CommandLineError where the file can't be written; Unfinished where there is no room
 */
export function appendNights(file: string, nights: readonly Night[]): readonly Night[] {
  // Its lines were checked before, and begin with these members in this order.
  const text = existsSync(file) ? textOfFile(file) : "";
  const isThere = ({ id, at, target, vantage }: Night): boolean =>
    text.includes(JSON.stringify({ id, at, target, vantage }).slice(1, -1));
  const fresh = nights.filter((night) => !isThere(night));
  appendLines(
    file,
    fresh.map((night) => JSON.stringify(night)),
  );
  return fresh;
}

/** @throws CommandLineError where the file can't be written; Unfinished where there is no room */
export function appendLines(file: string, lines: readonly string[]): void {
  try {
    makeFolder(dirname(file));
    for (const line of lines) appendLine(file, line);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw noRoomIn(error, undefined, file) ?? new CommandLineError(`${file} can't be written (${code}). Name another.`);
  }
}

/** All that a file or folder holds. @param mayLack whether it may hold no night @throws as `historiesAt` */
export function historyAt(
  warning: Warning,
  place: string,
  tables: Pick<Interface, "edition">,
  mayLack = false,
): HistoryLines {
  const isLacking = mayLack && !place.endsWith(ending) && !readdirSync(place).some((name) => name.endsWith(ending));
  const files = isLacking ? [] : historiesAt(warning, place, tables);
  return { nights: files.flatMap(({ nights }) => nights), documents: files.flatMap(({ documents }) => documents) };
}

/** All nights of a file or folder. @throws as `historiesAt` */
export const nightsAt = (warning: Warning, place: string, tables: Pick<Interface, "edition">): readonly Night[] =>
  historyAt(warning, place, tables).nights;
