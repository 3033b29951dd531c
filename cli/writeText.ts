// Files that a command writes where its user says.
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { makeFolder } from "../harness/core/paths.ts";
import { isReplaced, writeWhole } from "../harness/record/wholeFile.ts";
import type { Invocation } from "./invocation.ts";

/** Ends the command with exit code 3: nothing is wrong with what was typed. Its message is all that the user reads. */
export class Unfinished extends Error {}

const noRoom: readonly (string | undefined)[] = ["ENOSPC", "EDQUOT", "EFBIG", "EROFS", "EIO", "EMFILE", "ENFILE"];

/**
 * Set where an error says that the disk or a limit allows no more.
 * @param file what was written; by default what the error names
 */
export function noRoomIn(error: unknown, advice?: string, file?: string): Unfinished | null {
  if (error instanceof Unfinished) return error;
  if (!(error instanceof Error)) return null;
  const { code, path = "A file", message } = error as NodeJS.ErrnoException;
  if (!noRoom.includes(code)) return null;
  const what = file === undefined ? `${path} can't be read or written` : `${file} can't be written`;
  const usual = code === "EROFS" ? "Make it writable, and run again." : "Make room or raise the limit, and run again.";
  return new Unfinished(`${what} (${message}). ${advice ?? usual}`);
}

/**
 * Whole or not at all; makes the folder as well.
 * @param mode of folders that are made
 * @throws Unfinished where the disk is full or a limit is reached, CommandLineError for any other reason; with `advice`
 */
export function writeText(file: string, text: string, advice = "Name another place.", mode?: number): void {
  try {
    makeFolder(dirname(file), mode);
    writeWhole(file, text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw noRoomIn(error, advice, file) ?? new CommandLineError(`${file} can't be written (${code}). ${advice}`);
  }
}

/** @throws CommandLineError where the file of a flag can't be written, before anything is done for it */
export function refuseUnwritable(flag: string, file: string): void {
  const there = existsSync(file) ? statSync(file) : null;
  if (there?.isDirectory()) throw new CommandLineError(`${flag} is ${file}, a folder. Name a file.`);
  // Devices and pipes are written into, so that it doesn't matter where they are.
  if (there && !isReplaced(file)) return;
  let folder = dirname(resolve(file));
  while (!existsSync(folder)) folder = dirname(folder);
  try {
    accessSync(`${folder}${sep}.`, constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandLineError(`${flag} is ${file}, which can't be written (${code}). Name another place.`);
  }
}

/** Where a file can't be written, the verdicts count all the same: prints why, and gives false. */
export function triedWrite(
  warning: Pick<Invocation, "warn">,
  write: () => void,
  failure: (error: NodeJS.ErrnoException) => string,
): boolean {
  try {
    write();
    return true;
  } catch (error) {
    warning.warn(failure(error as NodeJS.ErrnoException));
    return false;
  }
}
