// A file that is written whole or not at all.
import { randomUUID } from "node:crypto";
import { lstatSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

/** Names of what a process writes to, such as /dev/stdout; elsewhere anybody may have put a link. */
const isOfSystem = (file: string): boolean => /^\/(dev|proc)\//.test(resolve(file));

/** Whether a file is replaced. A link is, wherever it leads; pipes, devices and the system's links are written into. */
export function isReplaced(file: string): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false });
  return !found || found.isFile() || (found.isSymbolicLink() && !isOfSystem(file));
}

/**
 * Devices and pipes, such as /dev/stdout, are written into.
 * @throws NodeJS.ErrnoException that names the file; an earlier file then stays as it was
 */
export function writeWhole(file: string, text: string): void {
  try {
    if (isReplaced(file)) replaceWhole(file, text);
    else writeFileSync(file, text);
  } catch (error) {
    throw Object.assign(error as NodeJS.ErrnoException, { path: file });
  }
}

/** By a file beside it, under a name that nobody could have put a link at. @param mode of the file */
export function replaceWhole(file: string, text: string, mode = 0o666): void {
  const half = `${file}.${randomUUID()}.new`;
  try {
    writeFileSync(half, text, { flag: "wx", mode });
    renameSync(half, file);
  } catch (error) {
    removeHalf(half);
    throw error;
  }
}

/** What has come of a file that couldn't be written. */
export function removeHalf(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // It is a folder, or below a file. The error that led here says more.
  }
}
