// Files that a command writes where its user says.
import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { CommandLineError } from "../harness/core/commandLineError.ts";

/** Nothing more can be written: exit code 3, as it isn't the command that is wrong. */
export class NoRoom extends Error {}

const noRoom: readonly (string | undefined)[] = ["ENOSPC", "EDQUOT", "EFBIG", "EROFS", "EIO", "EMFILE", "ENFILE"];

/** Set where an error says that nothing more can be written. */
export function noRoomIn(error: unknown, advice = "Make room, and run again."): NoRoom | null {
  if (error instanceof NoRoom) return error;
  const { code, path, message } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  if (!noRoom.includes(code)) return null;
  return new NoRoom(`${path ?? "A file"} can't be written (${message ?? code}). ${advice}`);
}

function removeHalfOf(file: string): void {
  try {
    rmSync(`${file}.new`, { force: true });
  } catch {
    // It isn't ours: a folder, or below a file. The error that brought us here says more.
  }
}

/**
 * Whole or not at all; makes the folder as well.
 * @throws NoRoom where the disk is full or a limit is reached, CommandLineError for any other reason; with `advice`
 */
export function writeText(file: string, text: string, advice = "Name another place."): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  } catch (error) {
    removeHalfOf(file);
    const { code } = error as NodeJS.ErrnoException;
    throw noRoomIn(error, advice) ?? new CommandLineError(`${file} can't be written (${code}). ${advice}`);
  }
}

/** @throws CommandLineError where the file of a flag is a folder, before anything is done for it */
export function refuseFolder(flag: string, file: string): void {
  if (existsSync(file) && statSync(file).isDirectory())
    throw new CommandLineError(`${flag} is ${file}, a folder. Name a file.`);
}
