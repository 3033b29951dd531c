// Paths of folders: those around one, what is within one, and where a link leads.
import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";

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
