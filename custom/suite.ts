// A user's checks beside those of the interface: one suite, one interface, one form of target files.
import { createHash } from "node:crypto";
import { basename } from "node:path";
import { broken, held } from "../harness/core/finding.ts";
import { type Interface, type OperationId, operationOf, type RequirementId } from "../harness/core/interface.ts";
import { Inconclusive } from "../harness/core/outcomes.ts";
import type { Carrier, PathPart, RequestSpec } from "../harness/core/requestSpec.ts";
import { validatorOf } from "../harness/core/schema.ts";
import { type Check, check, type Ids, scenario } from "../harness/model/check.ts";
import { type Law, type LawReading, law, NotThere, notExercised } from "../harness/model/law.ts";
import type { Suite } from "../harness/model/suite.ts";
import { formsIn, type TargetForm } from "../harness/targets/form.ts";
import type { CustomCheck, CustomChecks, CustomRequest } from "./definition.ts";
import { type AnswerReading, findingIn, readingIn } from "./reading.ts";
import { type Spec, validatorAt } from "./spec.ts";

/** @throws Error for an operation that there isn't, or that can't be undone */
export function requestSpecOf(tables: Interface, customRequest: CustomRequest): RequestSpec {
  const { operation, path = {}, query = {}, json, as = "owner" } = customRequest;
  const described = operationOf(tables, operation);
  if (!described) throw new Error(`there is no operation ${operation}`);
  if (described.irreversible) throw new Error(`${operation} can't be undone, so custom checks don't send it`);
  const carriers: readonly Carrier[] = as === null ? [] : [{ in: "either", key: { keyOf: as } }];
  const call = { jsonrpc: "2.0", id: 1, method: operation, ...(json === undefined ? {} : { params: json }) };
  const body = tables.apis[described.api] === "json-rpc" ? call : json;
  const parts = described.path.split(/\{([^}]+)\}/).map((part, nth): PathPart => {
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

/** Laws decide on it, or a function; shown is the answer that it read last. */
function checkOf(tables: Interface, { proves, request, requests = [], by }: CustomCheck): Check {
  const requestSpec = requestSpecOf(tables, request);
  const feature = operationOf(tables, request.operation)?.feature as Check["feature"];
  if (!by) return check(feature, proves as Ids, requestSpec);
  const needed = [requestSpec, ...requests.map((one) => requestSpecOf(tables, one))];
  return scenario(proves as Ids, { feature, requests: needed }, async ({ ask }) => {
    let exchange = await ask(requestSpec);
    const further = async (request: CustomRequest): Promise<AnswerReading> => {
      exchange = await ask(requestSpecOf(tables, request));
      return readingIn(exchange);
    };
    try {
      const finding = await by(readingIn(exchange), further);
      return [{ exchange, finding: findingIn(finding) }];
    } catch (error) {
      if (!(error instanceof NotThere)) throw error;
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
    [id]: ({ answer: { status }, any }: LawReading<unknown>) => {
      const names = isCall ? ["result"] : [`${status}`, `${Math.floor(status / 100)}XX`, "default"];
      const judge = names.map((name) => judges.get(name)).find(Boolean);
      const place = isCall ? "/result" : "";
      const error = judge?.(any(place));
      if (!error) return judge && held;
      const pointer = `${place}${error.instancePath}`;
      return broken(pointer, error.message ?? error.keyword, any(pointer));
    },
  });
}

function interfaceWith(tables: Interface, config: CustomChecks, spec: Spec, digest: string): Interface {
  const rows = config.requirements.map(({ id, sentence, clause, level = "must" }) => {
    const own = Object.keys(config.mutants ?? {}).filter((name) => name.startsWith(`${id}.`));
    return {
      id: id as RequirementId,
      sentence,
      clause,
      level,
      basis: "explicit" as const,
      needs: [],
      enforce: level === "must" ? ("fail" as const) : ("note" as const),
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
  /** Where each requirement is defined. */
  readonly lines: { readonly [id: string]: { readonly file: string; readonly line: number } };
}

/** @param text of the config @throws Error where a request names what there isn't */
export function customOf(own: Interface, config: CustomChecks, spec: Spec, file: string, text: string): Custom {
  const { answersFit, laws = [], requirements } = config;
  const digest = createHash("sha256").update(spec.digest).update(text).digest("hex").slice(0, 16);
  const tables = interfaceWith(own, config, spec, digest);
  const fit = answersFit === undefined ? [] : spec.operations.map((one) => fittingLaw(spec, answersFit, one.id));
  const checks = config.checks.map((one) => checkOf(tables, one));
  const lineOf = (id: string): number =>
    text.slice(0, Math.max(0, text.search(new RegExp(`id:\\s*["']${id}["']`)))).split("\n").length;
  const place = basename(file);
  const lines = Object.fromEntries(requirements.map(({ id }) => [id, { file: place, line: lineOf(id) }]));
  return { file, config, spec, interface: tables, checks, laws: [...laws, ...fit], lines };
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

/** Target files may offer it, say where it is served, and give its samples. */
export function formWith(form: TargetForm, { config, interface: tables }: Custom): TargetForm {
  const schema = structuredClone(form.schema) as TargetForm["schema"] & {
    $defs: { feature: { enum: string[] } };
    properties: { bases: { properties: object }; samples: { properties: object } };
  };
  const { bases, samples } = schema.properties;
  schema.$defs.feature.enum.push(...(config.spec ? [config.spec.feature] : []));
  bases.properties = { ...(config.spec && { [config.spec.api]: { $ref: "#/$defs/base" } }), ...bases.properties };
  samples.properties = { ...config.samples, ...samples.properties };
  const own = { ...schema, $id: `${schema.$id}/${tables.edition.digest}` };
  return { ...form, interface: tables, schema: own, validator: (part) => validatorOf(own, formsIn[part]) };
}
