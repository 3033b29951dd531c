// Which requests does a schema allow, and which miss it by one keyword? Valid ones vary a request that a platform serves.
import fc from "fast-check";
import type { Json } from "../../harness/core/json.ts";
import { filledIn, givenAt, givensOf, isGiven, type Knowledge, type Template } from "../../harness/core/template.ts";
import type { ParamsSchema } from "../../specs/generated/requests.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { type Broken, brokenAt, type More } from "./breakings.ts";
import { filtered } from "./filtered.ts";
import { alikeTo, neighboursOf } from "./samples.ts";
import { breaksAlone, type Request, type Standing, servedBy, standingOf } from "./schemas.ts";
import { valueOf } from "./values.ts";

/** Params that a platform with these samples serves. */
export interface ValidRequest {
  readonly operation: string;
  readonly params: Json;
  /** By which requirement it is served; undefined where none says so. */
  readonly id: RequirementId | undefined;
}

/** Params with one keyword broken, and nothing else. */
export interface NearMiss {
  readonly operation: string;
  /** JSON pointer of the place, e.g. `/0/2`. */
  readonly at: string;
  readonly keyword: string;
  readonly params: Json;
  /** The same without the breach. */
  readonly twin: Json;
  /** By which requirement it is refused. */
  readonly id: RequirementId;
}

/** How many candidates were near misses, and how many were not and why: `accompanied` ones break something else too. */
export type Tally = { [S in Standing | "accompanied" | "near miss"]?: number };

export interface Wanted {
  /** Refused by this requirement; by any where it is left out. */
  readonly id?: RequirementId;
  readonly tally?: Tally;
}

/** What may stand in the place of a template's value. */
function varied(template: Template, node: ParamsSchema | undefined, known: Knowledge): fc.Arbitrary<Json> {
  if (typeof template === "number" && node) return valueOf(node) ?? fc.constant(template);
  if (typeof template !== "object" || template === null) return fc.constant(template);
  if (isGiven(template)) return fc.constantFrom(...neighboursOf(template, known));
  if (Array.isArray(template)) return variedList(template, node, known);
  const nameOf = (name: string): string => Object.keys(filledIn({ [name]: null }, known) as object)[0] ?? name;
  const members = Object.entries(template).map(([name, value]) => [nameOf(name), value] as const);
  const own = Object.fromEntries(
    members.map(([name, value]) => [name, varied(value, node?.properties?.[name], known)]),
  );
  const further = Object.entries(node?.properties ?? {}).flatMap(([name, child]) => {
    const value = Object.hasOwn(own, name) ? null : valueOf(child);
    return value ? [[name, value] as const] : [];
  });
  // Mostly few members: of many together more is open.
  const others = fc.record<{ [member: string]: Json }>(Object.fromEntries(further), { requiredKeys: [] });
  return fc.tuple(fc.record(own), others).map(([first, second]) => ({ ...first, ...second }));
}

/** A list of samples is as good with fewer or more of their kind, in any order; of other lists each element varies. */
function variedList(
  template: readonly Template[],
  node: ParamsSchema | undefined,
  known: Knowledge,
): fc.Arbitrary<Json> {
  const [first] = template;
  if (!template.every(isGiven) || !isGiven(first ?? null) || !node?.items) {
    return fc.tuple(...template.map((item, nth) => varied(item, node?.prefixItems?.[nth] ?? node?.items, known)));
  }
  const most = typeof node["maxItems"] === "number" ? node["maxItems"] : undefined;
  const pool = [
    ...new Set(template.flatMap((given) => [...neighboursOf(given, known), ...alikeTo(given, most ?? 0, known)])),
  ];
  const maxLength = Math.min(most ?? pool.length, pool.length);
  const of = (minLength: number): fc.Arbitrary<Json> => fc.shuffledSubarray(pool, { minLength, maxLength });
  // The longest that is allowed is where limits slip.
  return fc.oneof(of(1), of(maxLength));
}

/** Further elements of a list of samples, none of them twice. */
export const moreOf =
  (template: Template, known: Knowledge): More =>
  (at, count) => {
    const steps = at.split("/").slice(1);
    const here = steps.reduce<Template | undefined>(
      (holder, step) =>
        typeof holder === "object" && holder !== null
          ? (holder as { readonly [name: string]: Template })[step]
          : undefined,
      template,
    );
    const [first] = Array.isArray(here) ? (here as readonly Template[]) : [];
    return first !== undefined && isGiven(first)
      ? [...new Set([...neighboursOf(first, known), ...alikeTo(first, count, known)])]
      : [];
  };

/** Whether a target gives all that a template takes from it. */
export const canFill = (template: Template, known: Knowledge): boolean =>
  givensOf(template).every((pointer) => givenAt(known, pointer) !== undefined);

/** Variations of what a platform serves that are valid, and of which nothing is open. */
export const variationsOf = (template: Template, request: Request, known: Knowledge): fc.Arbitrary<Json> =>
  filtered(
    varied(template, request.schema, known),
    (params) => standingOf(params, request) === "valid",
    `valid params of ${request.operation}`,
  );

/** Each with the requirement by which it is served. */
export const validOf = (params: fc.Arbitrary<Json>, request: Request): fc.Arbitrary<ValidRequest> =>
  params.map((one) => ({ operation: request.operation, params: one, id: servedBy(one, request) }));

interface Candidate extends Broken {
  readonly site: Request["sites"][number];
}

/** Ways in which one keyword of one twin is tried to be broken: of some most are open. */
const tries = 24;

/**
 * Near misses of valid params, each site as often as another. Only keywords that a requirement has refused are broken;
 * what is open, what the validators differ about, and what breaks more than one keyword is discarded and counted.
 * @returns null where no keyword can be broken
 */
export function nearMissesOf(
  valid: fc.Arbitrary<Json>,
  request: Request,
  more: More,
  { id, tally = {} }: Wanted = {},
): fc.Arbitrary<NearMiss> | null {
  const sites = request.sites.filter((site) => id === undefined || site.id === id);
  if (sites.length === 0) return null;
  const isNearMiss = ({ params, at, site }: Candidate): boolean => {
    const standing = standingOf(params, request);
    const found =
      standing === "invalid"
        ? breaksAlone(params, at, site.keyword, request)
          ? "near miss"
          : "accompanied"
        : standing;
    tally[found] = (tally[found] ?? 0) + 1;
    return found === "near miss";
  };
  const missing = (site: Candidate["site"], twin: Json): fc.Arbitrary<Candidate | undefined> => {
    const broken = brokenAt(twin, site, request.schema, more);
    if (!broken) return fc.constant(undefined);
    return fc
      .array(broken, { minLength: tries, maxLength: tries })
      .map((some) => some.map((one) => ({ ...one, site })).find(isNearMiss));
  };
  const bySite = sites.map((site) => valid.chain((twin) => missing(site, twin)));
  return filtered(fc.oneof(...bySite), (candidate) => candidate !== undefined, `near miss of ${request.operation}`).map(
    (candidate) => {
      if (!candidate) throw new Error("what isn't there was let through");
      const { at, params, twin, site } = candidate;
      return { operation: request.operation, at, keyword: site.keyword, params, twin, id: site.id };
    },
  );
}
