// Files that a command writes where its user says.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { CommandLineError } from "../harness/core/commandLineError.ts";

/** Makes the folder as well. @throws CommandLineError where the file can't be written */
export function writeText(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  } catch (error) {
    throw new CommandLineError(
      `${file} can't be written (${(error as NodeJS.ErrnoException).code}). Name another place.`,
    );
  }
}
