// Laws of schemas: a schema error breaks the requirements that the failing site cites.
import { type Broken, broken, type Finding, held } from "../../harness/core/finding.ts";
import { exactAt, isObject, type Json, listOf, type ParsedJson, starred, valueAt } from "../../harness/core/json.ts";
import { describeKeyword } from "../../harness/core/schemaWords.ts";
import { type Law, notExercised } from "../../harness/model/law.ts";
import { mayBeRecorders } from "../../harness/model/recorded.ts";
import { answerNameOf } from "../../harness/transport/answers.ts";
import { type Answer, type Exchange, mediaTypeOf } from "../../harness/transport/exchange.ts";
import { type OperationId, operations, type Site, sites } from "../../specs/generated/operations.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import * as validators from "../../specs/generated/validators.js";

const validatorOf = validators as { readonly [name: string]: validators.Validator };

export const laws: readonly Law[] = operations.flatMap(({ id, answers }) =>
  answers.map((name) => schemaLaw(id, name, sites[`${id} ${name}`] ?? [])),
);

function schemaLaw(operation: OperationId, name: string, sites: readonly Site[]): Law {
  const validate = validatorOf[`${operation}_${name}`];
  if (!validate) throw new Error(`no validator for ${operation} ${name}`);
  return {
    operation,
    ids: [...new Set(sites.map(({ id }) => id))],
    lackedIn: (exchange, wanted) => {
      const value = exchange.answer?.json?.value;
      const isOfIt = exchange.requestSpec.operation === operation && answerNameOf(exchange) === name;
      if (!isOfIt || value === undefined) return [];
      return sites.flatMap(({ id, at }) => (id === wanted && firstAt(value, at) === undefined ? [at] : []));
    },
    judge: (exchange) => {
      const { answer, requestSpec } = exchange;
      if (
        !answer ||
        requestSpec.operation !== operation ||
        requestSpec.method === "HEAD" ||
        answerNameOf(exchange) !== name
      )
        return notExercised;
      const { json, status } = answer;
      if (!json) return answer.text === "" && hasOddId(exchange) ? notExercised : noJson(answer, sites);
      if (requestSpec.api !== "rpc" && status < 400 && isErrorBody(json.value, sites)) return notExercised;
      const errors = errorsOf(validate, json.value).filter(
        (error) => !mayBeRecorders(error, exchange, (value) => errorsOf(validate, value)),
      );
      return findingsOf(json, [...errors, ...fractionsIn(json, sites)], sites);
    },
  };
}

/** An error body sent with a success status: the laws of refusals judge it. */
const isErrorBody = (value: Json, sites: readonly Site[]): boolean =>
  ["/statusCode", "/message", "/error"].every((pointer) => valueAt(value, pointer) !== undefined) &&
  sites.every(({ at }) => at === "" || valueAt(value, at) === undefined);

/** Wholeness is judged on the literal: doubles have no fractions beyond 2^53, and ajv takes 1e21 for a fraction. */
const fractionsIn = (json: ParsedJson, sites: readonly Site[]): readonly Place[] =>
  sites.flatMap(({ at: site, keyword }) =>
    (keyword === "multipleOf" ? placesAt(json.value, site) : []).flatMap((at) => {
      const exact = exactAt(json, at);
      return exact && !exact.eq(exact.round(0, 0)) ? [{ at, keyword, expected: "a whole number" }] : [];
    }),
  );

/** The places of a site: one for each element of a list. */
function placesAt(value: Json, site: string): readonly string[] {
  const star = site.indexOf("/*");
  if (star < 0) return [site];
  const list = site.slice(0, star);
  const rest = site.slice(star + 2);
  return listOf(valueAt(value, list)).flatMap((_, nth) => placesAt(value, `${list}/${nth}${rest}`));
}

const largestOrdinaryId = 2 ** 31 - 1;

/**
 * Whether it is a call whose id isn't a usual number. What then gets an empty answer may lack one for its id, which is
 * known once other ids are answered: checks of ids judge that (RPC-ENV-02, RPC-ENV-03).
 */
function hasOddId({ sent, protocol }: Exchange): boolean {
  const id = valueAt(sent.json, "/id");
  const isUsual = typeof id === "number" && Number.isInteger(id) && id >= 1 && id <= largestOrdinaryId;
  return protocol.kind === "json-rpc" && !isUsual;
}

/** A malformed body labelled JSON is judged by GEN-JSON-03; one with another label lacks the documented value. */
function noJson(answer: Answer, sites: readonly Site[]): ReadonlyMap<RequirementId, Finding> {
  if (answer.text !== "" && mediaTypeOf(answer) === "application/json") return notExercised;
  const roots = sites.filter(({ at, keyword }) => at === "" && keyword === "type");
  const got = answer.text === "" ? undefined : answer.text.slice(0, 80);
  return new Map(roots.map(({ id }) => [id, broken("", "a JSON object", got)]));
}

interface Place {
  readonly at: string;
  readonly keyword: string;
  readonly expected: string;
}

function errorsOf(validate: validators.Validator, value: Json): readonly Place[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).flatMap((error): Place[] => {
    const { instancePath: at, keyword, params } = error;
    const missing = String(params["missingProperty"]);
    if (keyword === "required")
      return [{ at: `${at}/${missing}`, keyword: "present", expected: `${missing} to be present` }];
    if (error.propertyName !== undefined || keyword === "multipleOf") return [];
    return [{ at, keyword, expected: describeKeyword(keyword, params) ?? error.message ?? keyword }];
  });
}

function findingsOf(json: ParsedJson, errors: readonly Place[], sites: readonly Site[]) {
  const { value } = json;
  const findings = new Map<RequirementId, Finding>();
  const unseen = new Set<RequirementId>();
  // Only the first error of each kind: all accounts of a page may be wrong alike.
  const firsts = new Map<string, Place>();
  for (const error of errors.toReversed()) firsts.set(`${error.keyword} ${starred(error.at)}`, error);
  for (const site of sites) {
    const error = firsts.get(`${site.keyword} ${site.at}`);
    if (error) {
      if (findings.get(site.id)?.outcome !== "broken") findings.set(site.id, brokenAt(json, error));
    } else if (isWithinEmpty(value, site.at)) continue;
    else if (!isSeen(value, site, errors)) unseen.add(site.id);
    else if (!findings.has(site.id)) findings.set(site.id, held);
  }
  for (const id of unseen) if (findings.get(id)?.outcome === "held") findings.delete(id);
  return findings;
}

/** Numbers that no double holds are shown as they were sent. */
function brokenAt(json: ParsedJson, { at, keyword, expected }: Place): Broken {
  const got = valueAt(json.value, at);
  if (keyword === "propertyNames") return broken(at, expected, Object.keys(got ?? {}));
  return broken(at, expected, typeof got === "number" && !Number.isSafeInteger(got) ? exactAt(json, at) : got);
}

/** The value at a site; of an array the first element. */
const firstAt = (value: Json, at: string): Json | undefined => valueAt(value, at.replaceAll("*", "0"));

/** Whether a site lies inside an empty list, so that it requires nothing. */
const isWithinEmpty = (value: Json, at: string): boolean => {
  const list = at.includes("*") ? firstAt(value, at.slice(0, at.lastIndexOf("/*"))) : undefined;
  return Array.isArray(list) && list.length === 0;
};

const parentOf = (at: string): string => at.slice(0, at.lastIndexOf("/"));

/** Whether an answer exercises a keyword; `propertyNames` only counts where all required names are present. */
function isSeen(value: Json, { at, keyword }: Site, errors: readonly Place[]): boolean {
  if (keyword === "present" || keyword === "not") return isObject(firstAt(value, parentOf(at)));
  const here = firstAt(value, at);
  if (here === undefined) return false;
  if (keyword === "propertyNames")
    return isObject(here) && !errors.some((error) => error.keyword === "present" && parentOf(error.at) === at);
  if (keyword === "minimum" || keyword === "multipleOf") return typeof here === "number";
  return keyword === "pattern" ? typeof here === "string" : true;
}
