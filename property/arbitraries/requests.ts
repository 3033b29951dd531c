// Valid requests that vary one that a platform serves, and near misses of them by one keyword
import fc from "fast-check";
import { type Json, valueAt } from "../../harness/core/json.ts";
import { filledIn, givenAt, givensOf, isGiven, type Knowledge, type Template } from "../../harness/core/template.ts";
import type { ParamsSchema } from "../../specs/generated/requests.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { type BrokenParams, brokenAt, type More } from "./breakings.ts";
import { filtered } from "./filtered.ts";
import { alikeTo, neighboursOf } from "./samples.ts";
import { breaksAlone, type ParamsValidity, type Request, servedBy, validityOf } from "./schemas.ts";
import { valueArbitrary } from "./values.ts";

/** Params that a platform with this sample data serves. */
export interface ValidRequest {
  readonly operation: string;
  readonly params: Json;
  /** The requirement by which it is served, if any. */
  readonly id: RequirementId | undefined;
}

/** Params with one keyword broken, and nothing else. */
export interface NearMiss extends BrokenParams {
  readonly operation: string;
  readonly keyword: string;
  /** The requirement by which it is refused. */
  readonly id: RequirementId;
}

/** Candidates by result; `accompanied` ones break another keyword too. */
export type ValidityTally = { [S in ParamsValidity | "accompanied" | "near miss"]?: number };

export interface WantedRequests {
  /** The requirement by which they are refused; any by default. */
  readonly id?: RequirementId;
  readonly tally?: ValidityTally;
}

/** Values that may replace a template's. */
function varied(template: Template, node: ParamsSchema | undefined, knowledge: Knowledge): fc.Arbitrary<Json> {
  if (typeof template === "number" && node) return valueArbitrary(node) ?? fc.constant(template);
  if (typeof template !== "object" || template === null) return fc.constant(template);
  if (isGiven(template)) return fc.constantFrom(...neighboursOf(template, knowledge));
  if (Array.isArray(template)) return variedList(template, node, knowledge);
  const nameOf = (name: string): string => Object.keys(filledIn({ [name]: null }, knowledge) as object)[0] ?? name;
  const members = Object.entries(template).map(([name, value]) => [nameOf(name), value] as const);
  const own = Object.fromEntries(
    members.map(([name, value]) => [name, varied(value, node?.properties?.[name], knowledge)]),
  );
  const further = Object.entries(node?.properties ?? {}).flatMap(([name, child]) => {
    const value = Object.hasOwn(own, name) ? null : valueArbitrary(child);
    return value ? [[name, value] as const] : [];
  });
  // Mostly few members, as combinations of many are often unspecified.
  const others = fc.record<{ [member: string]: Json }>(Object.fromEntries(further), { requiredKeys: [] });
  return fc.tuple(fc.record(own), others).map(([first, second]) => ({ ...first, ...second }));
}

/** A list of sample data may be shorter, longer or in another order; in other lists each element varies. */
function variedList(
  template: readonly Template[],
  node: ParamsSchema | undefined,
  knowledge: Knowledge,
): fc.Arbitrary<Json> {
  const [first] = template;
  if (!template.every(isGiven) || !isGiven(first ?? null) || !node?.items) {
    return fc.tuple(...template.map((item, nth) => varied(item, node?.prefixItems?.[nth] ?? node?.items, knowledge)));
  }
  const most = typeof node["maxItems"] === "number" ? node["maxItems"] : undefined;
  const pool = [
    ...new Set(
      template.flatMap((given) => [...neighboursOf(given, knowledge), ...alikeTo(given, most ?? 0, knowledge)]),
    ),
  ];
  const maxLength = Math.min(most ?? pool.length, pool.length);
  const of = (minLength: number): fc.Arbitrary<Json> => fc.shuffledSubarray(pool, { minLength, maxLength });
  // The longest list shows wrong limits.
  return fc.oneof(of(1), of(maxLength));
}

/** Further elements for a list of sample data, without repeats. */
export const moreOf =
  (template: Template, knowledge: Knowledge): More =>
  (at, count) => {
    const here = valueAt(template, at);
    const [first] = Array.isArray(here) ? (here as readonly Template[]) : [];
    return first !== undefined && isGiven(first)
      ? [...new Set([...neighboursOf(first, knowledge), ...alikeTo(first, count, knowledge)])]
      : [];
  };

/** Whether a target has all sample data of a template. */
export const canFill = (template: Template, knowledge: Knowledge): boolean =>
  givensOf(template).every((pointer) => givenAt(knowledge, pointer) !== undefined);

/** Valid variations of params that a platform serves, without unspecified ones. */
export const variationsOf = (template: Template, request: Request, knowledge: Knowledge): fc.Arbitrary<Json> =>
  filtered(
    varied(template, request.schema, knowledge),
    (params) => validityOf(params, request) === "valid",
    `valid params of ${request.operation}`,
  );

/** Valid params, each with the requirement by which it is served. */
export const validOf = (params: fc.Arbitrary<Json>, request: Request): fc.Arbitrary<ValidRequest> =>
  params.map((one) => ({ operation: request.operation, params: one, id: servedBy(one, request) }));

interface Candidate extends BrokenParams {
  readonly site: Request["sites"][number];
}

/** Attempts to break one keyword of one positive control, since for some most values are unspecified. */
const tries = 24;

/**
 * Near misses of valid params, all sites equally often. Only keywords by which a requirement has params refused are
 * broken. Candidates that are unspecified, disputed or break another keyword are discarded and counted.
 * @returns null where no keyword can be broken
 */
export function nearMissesOf(
  valid: fc.Arbitrary<Json>,
  request: Request,
  more: More,
  { id, tally = {} }: WantedRequests = {},
): fc.Arbitrary<NearMiss> | null {
  const sites = request.sites.filter((site) => id === undefined || site.id === id);
  if (sites.length === 0) return null;
  const kindOf = ({ params, at, site }: Candidate): keyof ValidityTally => {
    const standing = validityOf(params, request);
    if (standing !== "invalid") return standing;
    return breaksAlone(params, at, site.keyword, request) ? "near miss" : "accompanied";
  };
  const firstNearMiss = (candidates: readonly Candidate[]): Candidate | undefined => {
    for (const candidate of candidates) {
      const kind = kindOf(candidate);
      tally[kind] = (tally[kind] ?? 0) + 1;
      if (kind === "near miss") return candidate;
    }
    return undefined;
  };
  const missing = (site: Candidate["site"], positiveControl: Json): fc.Arbitrary<Candidate | undefined> => {
    const broken = brokenAt(positiveControl, site, request.schema, more);
    if (!broken) return fc.constant(undefined);
    return fc
      .array(broken, { minLength: tries, maxLength: tries })
      .map((candidates) => firstNearMiss(candidates.map((candidate) => ({ ...candidate, site }))));
  };
  const bySite = sites.map((site) => valid.chain((positiveControl) => missing(site, positiveControl)));
  const { operation } = request;
  return filtered(fc.oneof(...bySite), (one) => one !== undefined, `near miss of ${operation}`).map(
    ({ at, params, positiveControl, site }) => ({
      operation,
      at,
      keyword: site.keyword,
      params,
      positiveControl,
      id: site.id,
    }),
  );
}
