// A user's checks beside those of the interface: one suite, one interface, one form of target files.
import { createHash } from "node:crypto";
import { basename, relative } from "node:path";
import { inspect } from "node:util";
import type { ErrorObject } from "ajv";
import { suggestion } from "../harness/core/commandLineError.ts";
import { broken, held } from "../harness/core/finding.ts";
import { type Interface, type OperationId, operationOf } from "../harness/core/interface.ts";
import { type Json, pointerFromPath, stepsOf, valueAt } from "../harness/core/json.ts";
import { CustomCheckError, Inconclusive, Unjudgeable } from "../harness/core/outcomes.ts";
import type { Carrier, PathPart, RequestSpec } from "../harness/core/requestSpec.ts";
import { validatorOf } from "../harness/core/schema.ts";
import { describeKeyword } from "../harness/core/schemaWords.ts";
import { givensOf } from "../harness/core/template.ts";
import { type Check, check, type Ids, scenario } from "../harness/model/check.ts";
import { type Law, type LawReading, law, NotThere, notExercised } from "../harness/model/law.ts";
import { mayBeRecorders } from "../harness/model/recorded.ts";
import type { Suite } from "../harness/model/suite.ts";
import { registerRow } from "../harness/record/ownRequirements.ts";
import { formsIn, type TargetForm } from "../harness/targets/form.ts";
import type { CustomCheck, CustomChecks, CustomRequest } from "./definition.ts";
import { lineOfId, linesOfMember, placeInStack } from "./places.ts";
import { type AnswerReading, findingIn, readingIn } from "./reading.ts";
import { type Spec, validatorAt } from "./spec.ts";

/** What requests may name. */
interface Known {
  readonly tables: Interface;
  /** Of samples that a target file can give. */
  readonly sampleNames: readonly string[];
}

/** @throws Error for an operation or a sample that there isn't, or an operation that can't be undone */
function requestSpecOf({ tables, sampleNames }: Known, customRequest: CustomRequest): RequestSpec {
  const { operation, path = {}, query = {}, json, as = "owner" } = customRequest;
  const described = operationOf(tables, operation);
  if (!described) {
    const names = tables.operations.map(({ id }) => id);
    throw new Error(`there is no operation ${operation}${suggestion(operation, names)}`);
  }
  if (described.irreversible) throw new Error(`${operation} can't be undone, so custom checks don't send it`);
  for (const pointer of givensOf([path, query, json ?? null])) {
    const [kind, name = ""] = stepsOf(pointer);
    if (kind === "samples" && !sampleNames.includes(name))
      throw new Error(`neither the config nor target files have a sample ${name}${suggestion(name, sampleNames)}`);
  }
  const carriers: readonly Carrier[] = as === null ? [] : [{ in: "either", key: { keyOf: as } }];
  const call = { jsonrpc: "2.0", id: 1, method: operation, ...(json === undefined ? {} : { params: json }) };
  const body = tables.apis[described.api] === "json-rpc" ? call : json;
  const parts = described.path.split(/\{([^{}]+)\}/).map((part, nth): PathPart => {
    if (nth % 2 === 0) return part;
    const value = path[part] ?? "";
    if (typeof value === "string" && /^\.{0,2}$/.test(value))
      throw new Error(`a request to ${operation} lacks ${part}, which its path needs`);
    return typeof value === "string" ? { id: value } : value;
  });
  return {
    operation: described.id,
    api: described.api,
    method: described.method,
    path: parts,
    carriers,
    ...(Object.keys(query).length > 0 ? { query: Object.entries(query) } : {}),
    ...(body === undefined ? {} : { json: body, headers: [["content-type", "application/json"]] }),
  };
}

/** Gives what a user's function threw its place in the config; what ends a check as it should stays as it is. */
type Placing = (error: unknown) => unknown;

/** @param line of the config, for what has no place of its own; null where it isn't known */
const placingIn =
  (file: string, line: number | null): Placing =>
  (error) => {
    if (error instanceof Unjudgeable || error instanceof NotThere) return error;
    const { message, stack = "" } = error instanceof Error ? error : new Error(inspect(error));
    const [path = basename(file), at = line] = placeInStack(stack, file)?.split(":") ?? [];
    return new CustomCheckError(message, at === null ? path : `${path}:${at}`);
  };

const placedLaw = (own: Law, placed: Placing): Law => ({
  ...own,
  judge: (exchange) => {
    try {
      return own.judge(exchange);
    } catch (error) {
      throw placed(error);
    }
  },
});

/** Laws decide on it, or a function; shown is the answer that it read last. */
function checkOf(known: Known, { proves, request, requests = [], by }: CustomCheck, placed: Placing): Check {
  const requestSpec = requestSpecOf(known, request);
  const feature = operationOf(known.tables, request.operation)?.feature as Check["feature"];
  if (!by) return check(feature, proves as Ids, requestSpec);
  const needed = [requestSpec, ...requests.map((one) => requestSpecOf(known, one))];
  return scenario(proves as Ids, { feature, requests: needed }, async ({ ask }) => {
    let exchange = await ask(requestSpec);
    const further = async (request: CustomRequest): Promise<AnswerReading> => {
      exchange = await ask(requestSpecOf(known, request));
      return readingIn(exchange);
    };
    try {
      const finding = await by(readingIn(exchange), further);
      return [{ exchange, finding: findingIn(finding) }];
    } catch (error) {
      if (!(error instanceof NotThere)) throw placed(error);
      const detail = `the answer's ${error.message} is missing, or of another type than the check reads`;
      throw new Inconclusive({ kind: "notSeen", detail });
    }
  });
}

/** Each answer that has a schema fits it: that of its status, else of its range, else of `default`. */
function fittingLaw(spec: Spec, id: string, operation: OperationId): Law {
  const judges = new Map(
    spec.answers.flatMap((one) => (one.operation === operation ? [[one.name, validatorAt(spec, one.at)]] : [])),
  );
  const isCall = spec.kind === "json-rpc";
  return law<unknown>(operation, isCall ? "result" : "any", {
    [id]: ({ answer: { status }, any, exchange }: LawReading<unknown>) => {
      const names = isCall ? ["result"] : [`${status}`, `${Math.floor(status / 100)}XX`, "default"];
      const judge = names.map((name) => judges.get(name)).find(Boolean);
      const place = isCall ? "/result" : "";
      const errorIn = (value: Json | undefined) => {
        const error = judge?.(value);
        return error ? placedError(error, place) : null;
      };
      const error = errorIn(any(place));
      if (!error) return judge && held;
      if (mayBeRecorders(error, exchange, (body) => [errorIn(valueAt(body, place)) ?? []].flat())) return undefined;
      return broken(error.at, error.expected, any(error.at));
    },
  });
}

/** Where a schema's error is, and what the schema expects there. */
function placedError({ instancePath, keyword, params, message }: ErrorObject, place: string) {
  const pointer = `${place}${instancePath}`;
  if (keyword !== "required")
    return { at: pointer, keyword, expected: describeKeyword(keyword, params) ?? message ?? keyword };
  const missing = String(params["missingProperty"]);
  return { at: `${pointer}${pointerFromPath([missing])}`, keyword, expected: `${missing} to be present` };
}

function interfaceWith(tables: Interface, spec: Spec, digest: string, { file, text, config }: Source): Interface {
  const rows = config.requirements.map(({ id, sentence, clause, level = "must" }) => {
    const own = Object.keys(config.mutants ?? {}).filter((name) => name.startsWith(`${id}.`));
    const definedAt = { file: relative(process.cwd(), file), line: lineOfId(text, id) };
    return {
      ...registerRow({ id, sentence, clause, level, definedAt }),
      mutants: Object.fromEntries(own.map((name) => [name.slice(id.length + 1), name])),
    };
  });
  const { operations } = spec;
  return {
    ...tables,
    edition: { ...tables.edition, digest: `${tables.edition.digest}+${digest}` },
    requirements: [...tables.requirements, ...rows],
    operations: [...tables.operations, ...operations],
    apis: { ...tables.apis, ...Object.fromEntries(operations.map(({ api }) => [api, spec.kind])) },
    errorTables: { ...tables.errorTables, ...Object.fromEntries(operations.map(({ errors }) => [errors, []])) },
  };
}

/** What a user's checks judge, beside the interface. */
export interface Custom {
  /** Of the config, absolute. */
  readonly file: string;
  readonly config: CustomChecks;
  readonly spec: Spec;
  /** With their requirements and operations. */
  readonly interface: Interface;
  readonly checks: readonly Check[];
  readonly laws: readonly Law[];
}

/** A config as it was read. */
interface Source {
  readonly file: string;
  readonly text: string;
  readonly config: CustomChecks;
  /** Of samples that target files may give without it. */
  readonly sampleNames: readonly string[];
}

/** @throws CustomCheckError where a request names what there isn't */
export function customOf(own: Interface, spec: Spec, source: Source): Custom {
  const { file, text, config } = source;
  const { answersFit, laws = [], samples = {} } = config;
  const digest = createHash("sha256").update(spec.digest).update(text).digest("hex").slice(0, 16);
  const tables = interfaceWith(own, spec, digest, source);
  const fit = answersFit === undefined ? [] : spec.operations.map((one) => fittingLaw(spec, answersFit, one.id));
  const known = { tables, sampleNames: [...source.sampleNames, ...Object.keys(samples)] };
  const lineOfCheck = linesOfMember(text, "proves", config.checks.length);
  const checks = config.checks.map((custom, nth) => {
    const placed = placingIn(file, lineOfCheck[nth] ?? null);
    try {
      return checkOf(known, custom, placed);
    } catch (error) {
      const checked = `check ${[custom.proves].flat().join(", ")}`;
      throw placed(new Error(`${checked}: ${(error as Error).message}`, { cause: error }));
    }
  });
  const placedLaws = laws.map((law) => {
    const row = tables.requirements.find(({ id }) => id === law.ids[0]);
    return placedLaw(law, placingIn(file, row?.definedAt?.line ?? null));
  });
  return { file, config, spec, interface: tables, checks, laws: [...placedLaws, ...fit] };
}

/** The interface requires nothing of operations that it doesn't describe. */
function besides(law: Law, { operations }: Spec): Law {
  const own = new Set(operations.map(({ id }) => id));
  const isOwn = ({ operation }: RequestSpec): boolean => operation !== null && own.has(operation);
  return { ...law, judge: (exchange) => (isOwn(exchange.requestSpec) ? notExercised : law.judge(exchange)) };
}

export const suiteWith = <Of extends Suite>(suite: Of, { spec, checks, laws }: Custom): Of => ({
  ...suite,
  checks: [...suite.checks, ...checks],
  // What only laws judge is to be served.
  healthChecks: checks.flatMap(({ ids, feature, needs: { requests } }) =>
    ids.length > 0 ? [] : requests.map((owner) => ({ api: owner.api, features: [feature], owner })),
  ),
  laws: [...suite.laws.map((law) => besides(law, spec)), ...laws],
});

type TargetSchema = TargetForm["schema"] & {
  $defs: { feature: { enum: string[] } | { type: "string" } };
  properties: { [name in "bases" | "samples"]: { properties: object; additionalProperties: unknown } };
};

/** @param id what tells its schema from others */
function changedForm(
  form: TargetForm,
  tables: Interface,
  id: string,
  change: (schema: TargetSchema) => void,
): TargetForm {
  const schema = structuredClone(form.schema) as TargetSchema;
  change(schema);
  const own = { ...schema, $id: `${schema.$id}/${id}` };
  return { ...form, interface: tables, schema: own, validator: (part) => validatorOf(own, formsIn[part]) };
}

/** Target files may offer it, say where it is served, and give its samples. */
export const formWith = (form: TargetForm, { config, interface: tables }: Custom): TargetForm =>
  changedForm(form, tables, tables.edition.digest, ({ $defs: { feature }, properties: { bases, samples } }) => {
    if ("enum" in feature) feature.enum.push(...(config.spec ? [config.spec.feature] : []));
    bases.properties = { ...(config.spec && { [config.spec.api]: { $ref: "#/$defs/base" } }), ...bases.properties };
    samples.properties = { ...config.samples, ...samples.properties };
  });

/** Target files may name what only a config describes, which isn't loaded. @param tables with its requirements */
export const formWithout = (form: TargetForm, tables: Interface): TargetForm =>
  changedForm(form, tables, "any-config", (schema) => {
    schema.$defs.feature = { type: "string" };
    schema.properties.bases.additionalProperties = { $ref: "#/$defs/base" };
    schema.properties.samples.additionalProperties = true;
  });
