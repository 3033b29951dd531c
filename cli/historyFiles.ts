// Histories as files: nights read and appended; what can't be read ends in one paragraph
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import type { Interface } from "../harness/core/interface.ts";
import { type FileSchema, validatorOf } from "../harness/core/schema.ts";
import { appendLine } from "../harness/record/appending.ts";
import type { Target } from "../harness/target/target.ts";
import { type Night, nightFormat } from "../reports/history/night.ts";
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

export interface HistoryFile {
  readonly file: string;
  readonly nights: readonly Night[];
}

type Tables = Pick<Interface, "edition">;

/**
 * Says on standard error which lines were cut or damaged, and leaves them out.
 * @throws CommandLineError for a newer format, another interface, or what is no history
 */
export function readHistory(file: string, tables: Tables): HistoryFile {
  const [nights, damaged]: [Night[], number[]] = [[], []];
  for (const [index, line] of readFileSync(file, "utf8").split("\n").entries()) {
    if (line.trim() === "") continue;
    const value = parsed(line);
    if (typeof value === "object" && value !== null && "format" in value) refuseNewer(file, index + 1, value.format);
    if (value !== undefined && isNight(value)) nights.push(value);
    else damaged.push(index + 1);
  }
  if (nights.length === 0 && damaged.length > 0)
    throw new CommandLineError(
      `${file} is no history: none of its lines is as reports/history.schema.json has it. Name a file or a folder ` +
        "that `assay run --history` has made.",
    );
  refuseOtherInterface(file, nights, tables);
  const others = counted(nights.length, "other line was", "other lines were");
  if (damaged.length > 0)
    console.error(`Left out of ${file}: line ${damaged.join(", ")}, cut or damaged. ${others} read.`);
  return { file, nights };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

function refuseNewer(file: string, line: number, format: unknown): void {
  if (typeof format !== "number" || format <= nightFormat) return;
  throw new CommandLineError(
    `Line ${line} of ${file} has history format ${format}, of a newer Assay; this version reads format ` +
      `${nightFormat}. Update Assay.`,
  );
}

/** @throws CommandLineError */
export function refuseOtherInterface(file: string, nights: readonly Night[], { edition }: Tables): void {
  const nameOf = ({ name, version }: Night["interface"]): string => `"${name}" ${version}`;
  const ours = nameOf(edition);
  const other = nights.find((night) => nameOf(night.interface) !== ours);
  if (!other) return;
  throw new CommandLineError(
    `${file} is for ${ours}, and ${other.id} judged ${nameOf(other.interface)}. Keep a history for each interface.`,
  );
}

/** All histories of a folder, or the one that is named. @throws CommandLineError where there is none */
export function historiesAt(place: string, tables: Tables): readonly HistoryFile[] {
  const [run, old] = [`assay run --history ${place}`, `assay history import runs/* --history ${place}`];
  const none = `Append runs with \`${run}\`, or \`${old}\`.`;
  if (!existsSync(place)) throw new CommandLineError(`There is no ${place}. ${none}`);
  const names = statSync(place).isDirectory() ? readdirSync(place).filter((name) => name.endsWith(ending)) : null;
  if (names?.length === 0) throw new CommandLineError(`The folder ${place} holds no history (*${ending}). ${none}`);
  return names === null
    ? [readHistory(place, tables)]
    : names.sort().map((name) => readHistory(join(place, name), tables));
}

/** Where a run of a target is to be appended. */
export interface HistoryPlace {
  readonly file: string;
  readonly vantage: string | null;
}

/** Refuses, before anything is sent, what couldn't be appended to. @throws CommandLineError */
export function historyPlaceOf(
  { history, vantage }: HistoryFlags,
  { name, interface: tables }: Pick<Target, "name" | "interface">,
): HistoryPlace | undefined {
  if (history === undefined) {
    if (vantage === undefined) return undefined;
    throw new CommandLineError("--vantage names from where a history's runs are sent. Add --history, or leave it out.");
  }
  const file = historyFileOf(history, name);
  refuseUnwritable("--history", file);
  if (existsSync(file)) readHistory(file, tables);
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
