// Lines appended to a file that several processes write: whole or not at all, none lost
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { replaceWhole } from "./wholeFile.ts";

/** Whether a file ends within a line, as a writer that was killed may leave it. */
export function endsWithin(fd: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return size > 0 && readSync(fd, last, 0, 1, size - 1) === 1 && last.toString() !== "\n";
}

/** On a local disk one write to the end of a file is never mixed with another's. */
function appendOnce(file: string, line: string): boolean {
  const fd = openSync(file, "a+", 0o600);
  try {
    const { size, ino } = fstatSync(fd);
    const bytes = Buffer.from(`${endsWithin(fd, size) ? "\n" : ""}${line}\n`);
    const written = writeSync(fd, bytes);
    if (written < bytes.length) {
      if (fstatSync(fd).size === size + written) ftruncateSync(fd, size);
      throw Object.assign(new Error("no space left"), { code: "ENOSPC", path: file });
    }
    fsyncSync(fd);
    return statSync(file, { throwIfNoEntry: false })?.ino === ino;
  } finally {
    closeSync(fd);
  }
}

/** @throws NodeJS.ErrnoException for a full disk or a missing permission; the file then stays as it was */
export function appendLine(file: string, line: string): void {
  // A file that was rewritten meanwhile has to get it, too.
  while (!appendOnce(file, line));
}

/**
 * Replaces each line of a file. What others append meanwhile stays, perhaps twice; what follows the last line feed
 * goes, unless its writer is still at it.
 */
export function rewrite(file: string, change: (line: string) => string): void {
  const fd = openSync(file, "r");
  try {
    const wholeLines = (from: number): Buffer => {
      const bytes = Buffer.alloc(fstatSync(fd).size - from);
      readSync(fd, bytes, 0, bytes.length, from);
      return bytes.subarray(0, bytes.lastIndexOf("\n") + 1);
    };
    const before = wholeLines(0);
    replaceWhole(file, before.toString().split("\n").map(change).join("\n"), 0o600);
    // Who is writing into the old file sees that it was replaced, and appends again.
    const appended = wholeLines(before.length).toString().trimEnd();
    if (appended !== "") appendLine(file, appended);
  } finally {
    closeSync(fd);
  }
}
