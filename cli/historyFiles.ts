// Histories as files: nights read and appended; what can't be read ends in one paragraph
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import type { Interface } from "../harness/core/interface.ts";
import { type FileSchema, validatorOf } from "../harness/core/schema.ts";
import { appendLine } from "../harness/record/appending.ts";
import type { Target } from "../harness/target/target.ts";
import { type Night, nightFormat, opened } from "../reports/history/night.ts";
import { counted } from "../reports/numbers.ts";
import type { HistoryFlags } from "./flags.ts";
import { noRoomIn, refuseUnwritable } from "./writeText.ts";

const schema = JSON.parse(
  readFileSync(new URL("../reports/history.schema.json", import.meta.url), "utf8"),
) as FileSchema;
const isNight = validatorOf<Night>(schema);

const ending = ".jsonl";

/** A file as it is named, or the target's in a folder. */
export const historyFileOf = (place: string, target: string): string =>
  place.endsWith(ending) ? place : join(place, `${target.replace(/[^\w.-]+/g, "-")}${ending}`);

/** Null for a line that is cut or damaged. @throws CommandLineError for one of a newer format */
export function nightIn(line: string, where: string): Night | null {
  try {
    const value: unknown = JSON.parse(line);
    const { format = 0 } = value as { readonly format?: unknown };
    if (typeof format === "number" && format > nightFormat)
      throw new CommandLineError(
        `${where} has history format ${format}, of a newer Assay; this version reads format ${nightFormat}. Update ` +
          "Assay.",
      );
    if (!isNight(value)) return null;
    // Refuses what is damaged.
    opened(value);
    return value;
  } catch (error) {
    if (error instanceof CommandLineError) throw error;
    return null;
  }
}

/**
 * None where there is no such file. Says on standard error which lines were damaged, and leaves them out.
 * @param more nights that are to be appended
 * @throws CommandLineError for a newer format, another interface, or what is no history
 */
export function readHistory(
  file: string,
  { edition }: Pick<Interface, "edition">,
  more: readonly Night[] = [],
): readonly Night[] {
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  const read = lines.map((line, nth) => (line.trim() === "" ? [] : nightIn(line, `Line ${nth + 1} of ${file}`)));
  const nights = read.flatMap((night) => night ?? []);
  const damaged = [...read.keys()].filter((nth) => read[nth] === null).map((nth) => nth + 1);
  if (nights.length === 0 && damaged.length > 0)
    throw new CommandLineError(
      `${file} is no history: none of its lines is as reports/history.schema.json has it. Name a file or a folder ` +
        "that `assay run --history` has made.",
    );
  const nameOf = ({ name, version }: Night["interface"]): string => `"${name}" ${version}`;
  const other = [...nights, ...more].find((night) => nameOf(night.interface) !== nameOf(edition));
  if (other)
    throw new CommandLineError(
      `${file} is for ${nameOf(edition)}, and ${other.id} judged ${nameOf(other.interface)}. Keep a history for each ` +
        "interface.",
    );
  const others = counted(nights.length, "other line was", "other lines were");
  if (damaged.length > 0)
    console.error(`Left out of ${file}: line ${damaged.join(", ")}, cut or damaged. ${others} read.`);
  return nights;
}

/** All histories of a folder, or the one that is named. @throws CommandLineError where they have no night */
export function historiesAt(
  place: string,
  tables: Pick<Interface, "edition">,
): readonly { readonly file: string; readonly nights: readonly Night[] }[] {
  const names = existsSync(place) && statSync(place).isDirectory() ? readdirSync(place).sort() : null;
  const files = names?.filter((name) => name.endsWith(ending)).map((name) => join(place, name)) ?? [place];
  const histories = files.map((file) => ({ file, nights: readHistory(file, tables) }));
  if (histories.some(({ nights }) => nights.length > 0)) return histories;
  const none = !existsSync(place)
    ? `There is no ${place}.`
    : `${place} holds no history, or an empty one (*${ending}).`;
  throw new CommandLineError(
    `${none} Append runs with \`assay run --history ${place}\`, or \`assay history import runs/* --history ${place}\`.`,
  );
}

/** Where a run of a target is to be appended. */
export type HistoryPlace = NonNullable<ReturnType<typeof historyPlaceOf>>;

/** Refuses, before anything is sent, what couldn't be appended to. @throws CommandLineError */
export function historyPlaceOf(
  { history, vantage }: HistoryFlags,
  { name, interface: tables }: Pick<Target, "name" | "interface">,
) {
  if (history === undefined) {
    if (vantage === undefined) return undefined;
    throw new CommandLineError("--vantage names from where a history's runs are sent. Add --history, or leave it out.");
  }
  const file = historyFileOf(history, name);
  refuseUnwritable("--history", file);
  readHistory(file, tables);
  return { file, vantage: vantage ?? null };
}

/**
 * Appends nights that aren't there yet, each whole or not at all; gives those.
 * @throws CommandLineError where the file can't be written; Unfinished where there is no room
 */
export function appendNights(file: string, nights: readonly Night[]): readonly Night[] {
  // Its lines were checked before, and begin with these members in this order.
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const isThere = ({ id, at, target, vantage }: Night): boolean =>
    text.includes(JSON.stringify({ id, at, target, vantage }).slice(1, -1));
  const fresh = nights.filter((night) => !isThere(night));
  try {
    mkdirSync(dirname(file), { recursive: true });
    for (const night of fresh) appendLine(file, JSON.stringify(night));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw noRoomIn(error, undefined, file) ?? new CommandLineError(`${file} can't be written (${code}). Name another.`);
  }
  return fresh;
}
