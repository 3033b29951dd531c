// Which run does somebody mean who names a folder, or a run.json that was kept?
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { journalName } from "../harness/journal.ts";
import { Misuse } from "../harness/misuse.ts";
import { type Run, runFormat } from "../harness/run.ts";
import { readRun } from "./runFolder.ts";

const schemaFile = fileURLToPath(new URL("../reports/run.schema.json", import.meta.url));

/**
 * The run of a folder, as its run.json has it, else its journal; or of a run.json.
 * @throws Misuse where there is none, it is cut short, or a newer version made it
 */
export function runNamed(path: string): Run {
  if (!existsSync(path)) throw new Misuse(`There is no run ${path}. Name the folder of a run, or its run.json; runs are under runs/.`);
  const file = statSync(path).isDirectory() ? join(path, "run.json") : path;
  if (existsSync(file)) return runIn(file);
  if (!existsSync(join(path, journalName))) throw new Misuse(`The folder ${path} holds no run: neither run.json nor ${journalName}. Name a folder that \`assay run\` has made.`);
  return readRun(path);
}

function runIn(file: string): Run {
  const text = readFileSync(file, "utf8");
  const run = parsed(text);
  const again = existsSync(join(dirname(file), journalName)) ? ` \`assay report ${dirname(file)}\` makes it again.` : " Take it from where the run was made.";
  if (run === undefined) throw new Misuse(`${file} is cut short or no JSON: it ends after ${text.length.toLocaleString("en-GB")} characters.${again}`);
  const format = typeof run === "object" && run !== null && "format" in run ? run.format : undefined;
  if (typeof format === "number" && format > runFormat)
    throw new Misuse(`${file} has format ${format}, and this version of Assay reads format ${runFormat}. Use the version that made it, or a newer one.`);
  const validate = new Ajv2020({ strict: false }).compile<Run>(JSON.parse(readFileSync(schemaFile, "utf8")) as object);
  if (validate(run)) return run;
  const [error] = validate.errors ?? [];
  throw new Misuse(`${file} is no run of Assay: ${error?.instancePath.slice(1).replaceAll("/", ".") || "the document"} ${error?.message}.${again}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
