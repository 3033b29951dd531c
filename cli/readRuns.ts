// Is a file or folder a run that can be read? What isn't ends in one paragraph.
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { journalName } from "../harness/record/journal.ts";
import { type Run, runFormat } from "../harness/record/run.ts";
import { described } from "./described.ts";
import { readRun } from "./runFolder.ts";

const schema = JSON.parse(readFileSync(new URL("../reports/run.schema.json", import.meta.url), "utf8")) as object;
const validate = new Ajv2020({ strict: false }).compile<Run>(schema);

/**
 * @param path folder of a run, or its run.json
 * @throws Misuse where there is no whole run of a format that is known
 */
export function runAt(path: string): Run {
  if (!existsSync(path))
    throw new CommandLineError(
      `There is no ${path}. Name the folder of a run (they are under runs/), its run.json, or a target file that ends in .yaml.`,
    );
  if (!statSync(path).isDirectory()) return checked(parsed(path), path);
  const file = join(path, "run.json");
  if (existsSync(file)) return checked(parsed(file), file);
  // A run that was killed has left its journal alone.
  if (existsSync(join(path, journalName)))
    return checked(JSON.parse(JSON.stringify(readRun(path, described.tables))), join(path, journalName));
  throw new CommandLineError(
    `The folder ${path} holds no run: neither run.json nor ${journalName} is in it. Name a folder that \`assay run\` has made.`,
  );
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError))
      throw new CommandLineError(`${file} can't be read (${(error as NodeJS.ErrnoException).code}).`);
    const journal = join(dirname(file), journalName);
    const remedy = existsSync(journal)
      ? `\`npx assay report ${dirname(file)}\` makes it again from the journal beside it.`
      : "Copy it once more, or judge the target again.";
    throw new CommandLineError(`${file} is no whole JSON document: it was cut off or damaged. ${remedy}`);
  }
}

function checked(value: unknown, file: string): Run {
  const format = typeof value === "object" && value !== null && "format" in value ? value.format : undefined;
  if (typeof format === "number" && format > runFormat)
    throw new CommandLineError(
      `${file} was written by a newer Assay: its format is ${format}, and this version reads ${runFormat}. Use that version, or judge the target again with this one.`,
    );
  if (validate(value)) return value;
  const [error] = validate.errors ?? [];
  const isOld =
    format === runFormat
      ? " An older version may have written it: judge the target again."
      : " Name the run.json, or the folder, that `assay run` has made.";
  throw new CommandLineError(
    `${file} is no run as reports/run.schema.json has it: ${error?.instancePath || "the document"} ${error?.message ?? "is malformed"}.${isOld}`,
  );
}
