// A file that is written whole or not at all.
import { renameSync, rmSync, statSync, writeFileSync } from "node:fs";

/**
 * Devices and pipes, such as /dev/stdout, are written into.
 * @throws NodeJS.ErrnoException that names the file; an earlier file then stays as it was
 */
export function writeWhole(file: string, text: string): void {
  const isPlain = statSync(file, { throwIfNoEntry: false })?.isFile() ?? true;
  const half = isPlain ? `${file}.new` : file;
  try {
    writeFileSync(half, text);
    if (isPlain) renameSync(half, file);
  } catch (error) {
    if (isPlain) removeHalf(half);
    throw Object.assign(error as NodeJS.ErrnoException, { path: file });
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
