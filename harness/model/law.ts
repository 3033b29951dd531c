// Laws: pure functions over one exchange; each requirement is broken, held or not exercised.
import Big from "big.js";
import type { Finding } from "../core/finding.ts";
import type { OperationId, Protocol, RequirementId } from "../core/interface.ts";
import { exactAt, isObject, type Json, pointerFromPath, valueAt } from "../core/json.ts";
import { answerNameOf } from "../transport/answers.ts";
import type { Answer, Exchange, KnownAsker } from "../transport/exchange.ts";
import { mayBeRewritten } from "./recorded.ts";

/** JSON pointers into T that lead to a V, e.g. `"/total"`; up to three names deep. Any, where T isn't known. */
export type PointerTo<T, V, Depth extends readonly unknown[] = []> = unknown extends T
  ? "" | `/${string}`
  : Depth["length"] extends 3
    ? never
    : T extends readonly (infer Item)[]
      ? `/${number}${PointerOrHere<Item, V, Depth>}`
      : { [K in keyof T & string]: `/${K}${PointerOrHere<T[K], V, [...Depth, 0]>}` }[keyof T & string];

type PointerOrHere<T, V, Depth extends readonly unknown[]> =
  | (NonNullable<T> extends V ? "" : never)
  | (NonNullable<T> extends object ? PointerTo<NonNullable<T>, V, Depth> : never);

/** Thrown with the place where the answer lacks what a law reads; the law is then not exercised. */
export class NotThere extends Error {}

/** The same for what the request lacks. */
export class NotAsked extends NotThere {}

/** An answer read by type. Methods throw NotThere where a value is missing or of another type: schemas judge that. */
export interface LawReading<Body> {
  readonly exchange: Exchange;
  readonly answer: Answer;
  readonly asker: KnownAsker | null;
  /** Params of the JSON-RPC request; undefined where there were none. */
  readonly params: Json | undefined;
  /**
   * The exact decimal value at a place, as it was sent. `plus`, `minus`, `times`, `div`, `abs` and `round(places, 0)`
   * (down) compute with it, `eq`, `lt`, `lte`, `gt` and `gte` compare it, and `toFixed()` writes it; operators such as
   * `+` and `<` would round it to a double.
   */
  number(at: PointerTo<Body, number>): Big;
  /** The string at a place. */
  text(at: PointerTo<Body, string>): string;
  /** The names of the members of an object. */
  names(at: PointerTo<Body, object>): readonly string[];
  /** Exact decimal values of all numeric members of an object, by name. */
  numbers(at: PointerTo<Body, object>): ReadonlyMap<string, Big>;
  /** Any value; undefined where there is none. Numbers are doubles here. */
  any(at: string): Json | undefined;
}

/** One operation, all of one error table, all JSON-RPC methods, or all operations. */
export type LawScope = OperationId | "any" | "any method" | { readonly errorTable: string };

export interface Law {
  readonly operation: LawScope;
  readonly ids: readonly RequirementId[];
  /** Findings of one exchange; an id left out wasn't exercised. */
  judge(exchange: Exchange): ReadonlyMap<RequirementId, Finding>;
  /** JSON pointers to what an answer lacks of what a requirement is about; `*` stands for any item. */
  lackedIn?(exchange: Exchange, id: RequirementId): readonly string[];
}

export const notExercised: ReadonlyMap<RequirementId, Finding> = new Map();

/** The judgement of one requirement; undefined where the answer doesn't exercise it. */
type Clause<Body> = (reading: LawReading<Body>) => Finding | undefined;
type Where = (exchange: Exchange) => boolean;

/** Any answer, a failing HTTP status, one status, or an envelope with a result or an error. */
type Wanted = number | "any" | "failure" | "result" | "error";

/**
 * A law over those answers of a scope that have one outcome, or any.
 * @param where narrows it further, e.g. by the project whose key was sent
 */
export function law<Body>(
  operation: LawScope,
  outcome: Wanted,
  judgements: { readonly [Id in RequirementId]?: Clause<Body> },
  where: Where = () => true,
): Law {
  const clauses = Object.entries(judgements) as [RequirementId, Clause<Body>][];
  const readingIn = (exchange: Exchange): LawReading<Body> | null => {
    if (!exchange.answer || !exchange.requestSpec.operation) return null;
    if (!concerns({ operation }, exchange.requestSpec.operation, exchange.protocol)) return null;
    return matches(outcome, exchange) && where(exchange) ? readingOf<Body>(exchange, exchange.answer) : null;
  };
  return {
    operation,
    ids: clauses.map(([id]) => id),
    judge: (exchange) => {
      const reading = readingIn(exchange);
      if (reading === null) return notExercised;
      const found = new Map<RequirementId, Finding>();
      for (const [id, clause] of clauses) {
        const finding = attempt(() => clause(reading));
        if (finding && !(finding instanceof NotThere)) found.set(id, finding);
      }
      return found;
    },
    lackedIn: (exchange, wanted) => {
      const reading = readingIn(exchange);
      if (reading === null) return [];
      return clauses.flatMap(([id, clause]) => {
        const finding = id === wanted ? attempt(() => clause(reading)) : undefined;
        // A value of another type is there: schemas judge that.
        const isLacked = finding instanceof NotThere && reading.any(finding.message) === undefined;
        return isLacked && !(finding instanceof NotAsked) ? [finding.message] : [];
      });
    },
  };
}

/** Whether a law concerns an operation; callers skip the others to save time. */
export function concerns(
  { operation: scope }: Pick<Law, "operation">,
  operation: OperationId,
  { kind, errorTable }: Protocol,
): boolean {
  if (typeof scope === "object") return scope.errorTable === errorTable;
  return scope === "any" || scope === operation || (scope === "any method" && kind === "json-rpc");
}

/** The requirements that an exchange breaks by these laws. */
export function brokenIdsOf(exchange: Exchange, laws: readonly Law[]): ReadonlySet<string> {
  const broken = new Set<string>();
  for (const law of laws) for (const [id, { outcome }] of law.judge(exchange)) if (outcome === "broken") broken.add(id);
  return broken;
}

function matches(wanted: Wanted, exchange: Exchange): boolean {
  const status = exchange.answer?.status ?? 0;
  if (wanted === "any" || typeof wanted === "number") return wanted === "any" || wanted === status;
  return wanted === "failure" ? status >= 400 : answerNameOf(exchange) === wanted;
}

function attempt(clause: () => Finding | undefined): Finding | NotThere | undefined {
  try {
    return clause();
  } catch (error) {
    if (error instanceof NotThere) return error;
    throw error;
  }
}

export function readingOf<Body>(exchange: Exchange, answer: Answer): LawReading<Body> {
  const any = (at: string): Json | undefined => valueAt(answer.json?.value, at);
  const objectAt = (at: string): { readonly [member: string]: Json } => {
    const value = any(at);
    if (!isObject(value)) throw new NotThere(at);
    return value;
  };
  const numberAt = (at: string): Big => {
    const exact = answer.json ? exactAt(answer.json, at) : undefined;
    const value = any(at);
    if (!exact || mayBeRewritten(exchange, value)) throw new NotThere(at);
    return exchange.recordedAs === undefined ? exact : new Big(value as number);
  };
  return {
    exchange,
    answer,
    asker: exchange.asker,
    params: valueAt(exchange.sent.json, "/params"),
    any,
    number: numberAt,
    text: (at) => {
      const value = any(at);
      if (typeof value !== "string") throw new NotThere(at);
      return value;
    },
    names: (at) => Object.keys(objectAt(at)),
    numbers: (at) =>
      new Map(
        Object.entries(objectAt(at)).flatMap(([name, value]) =>
          typeof value === "number" ? [[name, numberAt(`${at}${pointerFromPath([name])}`)] as const] : [],
        ),
      ),
  };
}

export const lawScopes = { own: (({ isOwn }) => isOwn) satisfies Where };

/** The exact sum of numbers of answers; 0 for none. */
export const sum = (values: Iterable<Big>): Big => [...values].reduce((total, value) => total.plus(value), new Big(0));
