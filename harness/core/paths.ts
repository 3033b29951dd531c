// Paths of folders: those around one, what is within one, where a link leads, and one that is made.
import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** A folder, and those that hold it, the nearest first. */
export const foldersAbove = (folder: string): readonly string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...foldersAbove(dirname(folder))];

/** Whether a path is a folder, or lies below it; links aren't followed. */
export const isInFolder = (path: string, folder: string): boolean => {
  const from = relative(folder, path);
  return from === "" || (!isAbsolute(from) && from.split(sep)[0] !== "..");
};

/** Without symbolic links, also of what isn't there yet. */
export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realOf(dirname(path)), basename(path));
  }
}

/**
 * With those above it; what is there stays, be it a file. Node's own `recursive` never ends where a system says of a
 * folder that it can't make that the one above it lacks, as Linux does in /proc.
 * @param mode of each that is made
 */
export function makeFolder(folder: string, mode = 0o777): void {
  for (const path of foldersAbove(resolve(folder)).toReversed())
    try {
      if (!existsSync(path)) mkdirSync(path, { mode });
    } catch (error) {
      // Another process may have been faster.
      if (!existsSync(path)) throw error;
    }
}
