// Files of a folder that somebody else may have made: links there lead nowhere else, and nothing there has no end.
import { createHash } from "node:crypto";
import { createReadStream, lstatSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { join, sep } from "node:path";
import { CommandLineError } from "./commandLineError.ts";

/** Some fifty times the journal of a whole run. */
const largest_bytes = 150_000_000;

/** Links that lead nowhere included, as what is written there would be made where they lead. */
export const isThere = (file: string): boolean => foundAt(file) !== undefined;

function foundAt(file: string): Stats | undefined {
  try {
    return lstatSync(file);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["ENOENT", "ENOTDIR"].includes(code)) return undefined;
    throw new CommandLineError(`${file} can't be read (${code}). Name another, or make it readable.`);
  }
}

/** Whether a path, all links on it followed, is below a folder. */
export function isBelow(folder: string, file: string): boolean {
  const real = realpathSync(folder);
  return realpathSync(file).startsWith(real.endsWith(sep) ? real : `${real}${sep}`);
}

/**
 * The path of a file in a folder; null where there is none.
 * @throws CommandLineError for a link that leads out of the folder, and for a pipe, a device or a folder
 */
export function memberOf(folder: string, name: string): string | null {
  const file = join(folder, name);
  const found = foundAt(file);
  if (found === undefined) return null;
  if (found.isSymbolicLink() && !leadsInside(folder, file))
    throw new CommandLineError(
      `${file} is a link that leads out of its folder, and isn't followed: it could show or change any file ` +
        "of yours. Put the file itself there.",
    );
  if (!found.isFile() && !statSync(file).isFile())
    throw new CommandLineError(`${file} isn't a file, as it would be in a folder that Assay wrote. Remove it.`);
  return file;
}

/** Where a file is or would be in a folder. @throws CommandLineError as `memberOf` */
export const placeIn = (folder: string, name: string): string => memberOf(folder, name) ?? join(folder, name);

/** A link that leads nowhere leads out: what is written to it would be made there. */
function leadsInside(folder: string, file: string): boolean {
  try {
    return isBelow(folder, file);
  } catch {
    return false;
  }
}

/** @throws CommandLineError where it can't be read, or has more than any that Assay writes */
function readWith<Result>(file: string, read: () => Result): Result {
  try {
    const { size } = statSync(file);
    if (size <= largest_bytes) return read();
    throw new CommandLineError(
      `${file} has ${Math.round(size / 1e6)} MB, more than the ${largest_bytes / 1e6} MB that such a file can have. ` +
        "Name another.",
    );
  } catch (error) {
    throw unreadable(file, error);
  }
}

const unreadable = (file: string, error: unknown): CommandLineError =>
  error instanceof CommandLineError
    ? error
    : new CommandLineError(`${file} can't be read (${(error as NodeJS.ErrnoException).code}). Name another.`);

/**
 * What a file says, which is named by the command line or found by `memberOf`.
 * @throws CommandLineError as `readWith`
 */
export const textOfFile = (file: string): string => readWith(file, () => readFileSync(file, "utf8"));

/** What a file of a folder says; null where there is none. @throws CommandLineError as `memberOf` and `textOfFile` */
export function textOfMember(folder: string, name: string): string | null {
  const file = memberOf(folder, name);
  return file === null ? null : textOfFile(file);
}

/** In hexadecimal. */
export const sha256Of = (text: string | Buffer): string => createHash("sha256").update(text).digest("hex");

/** The SHA-256 of a file of a folder; null where there is none. @throws CommandLineError as `textOfMember` */
export async function digestOfMember(folder: string, name: string): Promise<string | null> {
  const file = memberOf(folder, name);
  if (file === null) return null;
  const hash = createHash("sha256");
  const chunks = readWith(file, () => createReadStream(file, { highWaterMark: 1024 * 1024, end: largest_bytes }));
  try {
    for await (const chunk of chunks as AsyncIterable<Buffer>) hash.update(chunk);
  } catch (error) {
    throw unreadable(file, error);
  }
  return hash.digest("hex");
}
