// --workload of a panel: a mix that comes with Assay, one of the user's own, or a recording.
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { CommandLineError, suggestion } from "../harness/core/commandLineError.ts";
import { isObject, type Json, valueAt } from "../harness/core/json.ts";
import { formed, validatorOf } from "../harness/core/schema.ts";
import { dottedPath, type Template } from "../harness/core/template.ts";
import { beginningOf, readYamlFile, sentencesOf, type YamlFile } from "../harness/core/yamlFile.ts";
import { RecordedCalls } from "../panel/recordedCalls.ts";
import {
  filledFrom,
  MissingSample,
  mostQuestions,
  neverAsked,
  type Workload,
  type WorkloadCall,
} from "../panel/workload.ts";
import { counted, numberText } from "../reports/numbers.ts";
import type { Invocation } from "./invocation.ts";
import type { PanelVendor } from "./panelQuestions.ts";
import { readSchema } from "./readSchema.ts";
import { utf8Beginning } from "./recordingBytes.ts";
import { readMapping, sourceAt, sourceName } from "./recordings.ts";

const folder = fileURLToPath(new URL("../panel/workloads", import.meta.url));
const mostWeight = 1_000_000;
const form = "panel/workload.schema.json";
const questionForm = "panel/questions.schema.json";

/** The mixes that come with Assay. */
const mixNames = (): readonly string[] =>
  readdirSync(folder)
    .map((file) => file.replace(/\.yaml$/, ""))
    .sort();

export interface WorkloadFlags {
  readonly workload?: string;
  readonly mapping?: string;
  readonly questions?: string;
  readonly only?: string;
}

/**
 * What `--workload` names; null where it isn't given.
 * @throws CommandLineError for anything but a mix or a recording with calls that can be asked
 */
export async function workloadNamed(
  invocation: Invocation,
  flags: WorkloadFlags,
  vendors: readonly PanelVendor[],
): Promise<Workload | null> {
  const { workload: named, mapping, questions, only } = flags;
  if (named === undefined) {
    if (mapping === undefined) return null;
    throw new CommandLineError(
      "--mapping says how the recording of --workload is read. Add --workload, or leave it out.",
    );
  }
  const other = questions !== undefined ? "--questions" : only !== undefined ? "--only" : null;
  if (other !== null) throw new CommandLineError(`--workload and ${other} both say what is asked. Choose one.`);
  const file = mixNames().includes(named) ? join(folder, `${named}.yaml`) : named;
  if (file === named && named !== "-" && !existsSync(named))
    throw new CommandLineError(
      `--workload is ${named}, which is neither a mix nor a file${suggestion(named, mixNames())}. ` +
        `The mixes are ${mixNames().join(", ")}; name one of them, the file of another, or a recording.`,
    );
  if (!isMix(file, mapping)) return recordingAt(invocation, file, flags, vendors);
  if (mapping === undefined) return mixIn(file, vendors);
  throw new CommandLineError(`--mapping says how a recording is read, and ${named} is a mix. Leave it out.`);
}

/** How HAR files and lines of JSON begin. */
const beginsRecording = /^\s*\{(\s*"log"|.*\}\r?\n\{)/;

/** Also of JSON, unless it begins as a recording does, or a mapping says that it is one. */
const isMix = (file: string, mapping: string | undefined): boolean =>
  /\.ya?ml$/i.test(file) ||
  (/\.json$/i.test(file) &&
    mapping === undefined &&
    statSync(file).isFile() &&
    !beginsRecording.test(utf8Beginning(beginningOf(file, 64 * 1024)).toString("utf8")));

type WrittenCall = number | { readonly weight: number; readonly params?: readonly Template[] };
interface WrittenMix {
  readonly name: string;
  readonly why: string;
  readonly calls: { readonly [operation: string]: WrittenCall };
}

const placeText = (yaml: YamlFile, path: readonly (string | number)[]): string => {
  const { line, column } = yaml.placeOf(path);
  return `${yaml.file}:${line}:${column}`;
};

/** @throws CommandLineError for what isn't a mix, and for samples that no target gives */
function mixIn(file: string, vendors: readonly PanelVendor[]): Workload {
  const yaml = readYamlFile(file);
  const written = valueAt(yaml.value as Json, "/calls");
  for (const [operation, why] of Object.entries(neverAsked))
    if (isObject(written) && Object.hasOwn(written, operation))
      throw new CommandLineError(
        `${placeText(yaml, ["calls", operation])}: ${operation} is never asked: ${why}. Remove it.`,
      );
  checkWeights(yaml, written);
  const { name, why, calls } = formed(yaml, readSchema(form), form) as WrittenMix;
  const read = Object.entries(calls).map(([operation, call]): WorkloadCall => {
    if (typeof call === "number") return { operation, weight: call, params: null };
    const params = call.params?.map((template, nth) => ({
      value: paramsAt(yaml, ["calls", operation, "params", nth], template, vendors),
      weight: 1,
    }));
    return { operation, weight: call.weight, params: params ?? null };
  });
  const count = read.reduce((sum, { params }) => sum + (params?.length ?? 0), 0);
  if (count > mostQuestions)
    throw new CommandLineError(
      `${placeText(yaml, ["calls"])}: calls has ${count} params, more than the ${mostQuestions} that a panel ` +
        "asks often enough. Remove some.",
    );
  return { name, is: "mix", why: why.trim(), calls: read, left: [] };
}

/** @throws CommandLineError for no operation, and for a weight that is no number above zero */
function checkWeights(yaml: YamlFile, calls: Json | undefined): void {
  if (!isObject(calls)) return;
  if (Object.keys(calls).length === 0)
    throw new CommandLineError(
      `${placeText(yaml, ["calls"])}: calls names no operation. Name at least one, as in \`getTokenAccounts: 1\`.`,
    );
  for (const [operation, call] of Object.entries(calls)) {
    const weight = isObject(call) ? call["weight"] : call;
    if (weight === undefined || (typeof weight === "number" && weight > 0 && weight <= mostWeight)) continue;
    throw new CommandLineError(
      `${placeText(yaml, ["calls", operation])}: calls.${operation} has no weight from above 0 to ` +
        `${numberText(mostWeight)}. Write such a number, or leave the operation out.`,
    );
  }
}

/** Params with samples filled in. @throws CommandLineError where they aren't those of the operation */
function paramsAt(
  yaml: YamlFile,
  path: readonly (string | number)[],
  template: Template,
  vendors: readonly PanelVendor[],
): Json {
  const operation = String(path[1]);
  const refuse = (problem: string): never => {
    throw new CommandLineError(`${placeText(yaml, path)}: ${problem}`);
  };
  try {
    const targets = vendors.map(({ target }) => target);
    const params = filledFrom(template, targets);
    const schema = readSchema(questionForm);
    if (!Object.hasOwn(schema.items?.properties ?? {}, operation))
      return refuse(`${operation} takes no params. Remove them.`);
    const validate = validatorOf<Json>(schema, `/items/properties/${operation}`);
    if (validate(params)) return params;
    const [problem = ""] = sentencesOf(validate.errors ?? [], schema, path.join("."));
    return refuse(`${problem} The form of params is in ${questionForm}.`);
  } catch (error) {
    if (!(error instanceof MissingSample)) throw error;
    return refuse(
      `no target gives ${dottedPath(error.at)}. Add it to one of the target files, or write a value in its place.`,
    );
  }
}

/** @throws CommandLineError where it has no call that can be asked */
async function recordingAt(
  invocation: Invocation,
  path: string,
  { mapping }: WorkloadFlags,
  vendors: readonly PanelVendor[],
): Promise<Workload> {
  const { entries } = await sourceAt(path, readMapping(mapping), invocation.stdin);
  const [first] = vendors;
  if (!first) throw new Error("a panel without vendors");
  const recorded = new RecordedCalls(first.target);
  invocation.hide(recorded.redact);
  const cuts: string[] = [];
  for await (const entry of entries((what) => cuts.push(what))) recorded.add(entry);
  const { calls, left } = recorded.workload;
  const name = path === "-" ? sourceName(path) : recorded.redact(basename(path));
  if (calls.length > 0) {
    for (const cut of cuts) invocation.warn(`${cut}: only what was read before is asked.`);
    return { name, is: "recording", why: null, calls, left };
  }
  const read = `${name} has ${counted(recorded.entries, "entry", "entries")}`;
  const [cut] = cuts;
  throw new CommandLineError(
    `${cut === undefined ? read : `${read} (${cut})`}, and no call that a panel can ask` +
      `${left.length > 0 ? `: ${leftSentence(left)}` : ""}. Name a recording of reads of the interface.`,
  );
}

export const leftSentence = (left: Workload["left"]): string =>
  left.map(({ what, calls, why }) => `${what}${calls > 0 ? `, ${counted(calls, "call")}` : ""} (${why})`).join("; ");
