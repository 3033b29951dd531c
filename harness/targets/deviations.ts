// Known deviations of a target: the failures expected, their last day, and their place in a file.
import { CommandLineError, suggestion } from "../core/commandLineError.ts";
import type { Broken, Got } from "../core/finding.ts";
import type { Interface, RequirementId } from "../core/interface.ts";
import { canonical, type Json, starred } from "../core/json.ts";
import { problemsOf, type SchemaNode, type Validator, type YamlFile, yamlFileIfAny } from "../core/yamlFile.ts";

/** An expected failure: a kind of value, one exact value, or (with neither) any value found at the place. */
export interface ExpectedFailure {
  /** JSON pointer into the body, `*` for any index, `status`, or `header <name>`. */
  readonly at: string;
  readonly is?: "absent" | "null" | "boolean" | "number" | "string" | "array" | "object";
  readonly value?: Json;
}

interface Terms {
  readonly requirement: RequirementId;
  readonly reason: string;
  readonly owner?: string;
  readonly link?: string;
  /** The last day on which it is accepted, YYYY-MM-DD. */
  readonly until: string;
  /** Whether it need not show in each run. */
  readonly intermittent?: boolean;
  /** Set where the requirement's own checks don't show it: the requirements whose checks do; none if empty. */
  readonly shownBy?: readonly RequirementId[];
}

export interface WrittenDeviation extends Terms {
  readonly expect: ExpectedFailure | readonly ExpectedFailure[];
}

/** The place of an entry; lines count from 1. */
export interface DeviationEntry {
  readonly file: string;
  readonly line: number;
}

export interface Deviation extends Terms {
  readonly expect: readonly ExpectedFailure[];
  readonly entry: DeviationEntry;
}

export function kindOfGot(got: Got): NonNullable<ExpectedFailure["is"]> {
  if ("is" in got) return got.is;
  if (got.value === null) return "null";
  // JSON has no other types.
  return Array.isArray(got.value) ? "array" : (typeof got.value as "boolean" | "number" | "string" | "object");
}

export const isExpected = ({ expect }: Pick<Deviation, "expect">, { at, got }: Pick<Broken, "at" | "got">): boolean =>
  expect.some((one) => {
    if (one.at !== at && one.at !== starred(at)) return false;
    if (one.value !== undefined) return "value" in got && canonical(got.value) === canonical(one.value);
    return one.is === undefined || one.is === kindOfGot(got);
  });

interface DeviationsForm {
  readonly interface: Interface;
  readonly schema: SchemaNode;
  readonly validator: (part: "deviations") => Validator;
}

/** For people: `acme.deviations.yaml:12`. */
export const entryPlace = ({ file, line }: DeviationEntry): string => `${file}:${line}`;

/** The file beside a target file that may list its deviations. */
export const deviationsFileOf = (targetFile: string): string =>
  `${targetFile.replace(/\.ya?ml$/i, "")}.deviations.yaml`;

/**
 * The deviations of a target, from its own list or from the file beside it.
 * @throws CommandLineError where both list some, or an entry is wrong; it names file and line
 */
export function deviationsOf(
  { schema, validator, interface: tables }: DeviationsForm,
  target: YamlFile,
  own: readonly WrittenDeviation[] | undefined,
): readonly Deviation[] {
  const beside = yamlFileIfAny(deviationsFileOf(target.file));
  if (!beside) return located(tables, own ?? [], target, ["deviations"]);
  if (own)
    throw new CommandLineError(
      `${target.file} lists deviations, and ${beside.file} does too. ` +
        `Keep them in one place: move those of ${target.file} to ${beside.file}.`,
    );
  const written = beside.value ?? [];
  const validate = validator("deviations");
  if (!validate(written))
    throw new CommandLineError(problemsOf(beside, validate.errors ?? [], { ...schema, $ref: "#/$defs/deviations" }));
  return located(tables, written as readonly WrittenDeviation[], beside, []);
}

/** @param path where the file lists them */
function located(
  { requirements }: Interface,
  written: readonly WrittenDeviation[],
  yaml: YamlFile,
  path: readonly string[],
): readonly Deviation[] {
  const known = requirements.map(({ id }): string => id);
  const entries = new Map<RequirementId, DeviationEntry>();
  return written.map((deviation, place) => {
    const entry = { file: yaml.file, line: yaml.placeOf([...path, place]).line };
    const refuse = (problem: string): never => {
      throw new CommandLineError(`${entryPlace(entry)}: ${problem}`);
    };
    const { requirement, until, expect, shownBy = [] } = deviation;
    for (const id of [requirement, ...shownBy]) {
      if (!known.includes(id))
        refuse(
          `deviations names ${id}${suggestion(id, known)}, which isn't a requirement. Correct or remove the entry.`,
        );
    }
    const first = entries.get(requirement);
    if (first) refuse(`${requirement} already has an entry at ${entryPlace(first)}. Merge them: expect takes a list.`);
    if (!isDay(until)) refuse(`until is "${until}", which isn't a calendar date. Correct it.`);
    entries.set(requirement, entry);
    return { ...deviation, expect: [expect].flat(), entry };
  });
}

/** Whether a text is a day of the calendar, YYYY-MM-DD. */
export function isDay(text: string): boolean {
  const time_ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time_ms) && new Date(time_ms).toISOString().startsWith(text);
}
