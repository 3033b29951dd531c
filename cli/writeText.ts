// Files that a command writes where its user says.
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { CommandLineError } from "../harness/core/commandLineError.ts";

/** Whole or not at all; makes the folder as well. @throws CommandLineError with `advice` where it can't be written */
export function writeText(file: string, text: string, advice = "Name another place."): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  } catch (error) {
    throw new CommandLineError(`${file} can't be written (${(error as NodeJS.ErrnoException).code}). ${advice}`);
  }
}
