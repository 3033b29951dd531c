// What a user defines beside a target: requirements of an interface of their own, with checks, laws and mutants.
import { inspect } from "node:util";
import type { Finding } from "../harness/core/finding.ts";
import type { OperationId } from "../harness/core/interface.ts";
import type { Role } from "../harness/core/requestSpec.ts";
import type { Given, Template } from "../harness/core/template.ts";
import { type Law, type LawReading, law } from "../harness/model/law.ts";
import { type AnswerReading, answerReading, findingIn } from "./reading.ts";

export type { AnswerReading };

/** A request to an operation of the spec, or of the interface. */
export interface CustomRequest {
  /** Its `operationId`, or the name of a JSON-RPC method; none that can't be undone, as requests are repeated. */
  readonly operation: string;
  /** What stands for `{name}` in the path. */
  readonly path?: { readonly [name: string]: string | Given };
  readonly query?: { readonly [name: string]: string | Given };
  /** The JSON body, or the params of a JSON-RPC method. */
  readonly json?: Template;
  /** Whose key is sent: that of a role in the target file, by default the owner's; null for none. */
  readonly as?: Role | "owner" | null;
}

/**
 * Judges an answer, perhaps by answers to further requests.
 * @param answer to the check's `request`
 * @param ask sends a further request and gives its answer; it is paced, paid for and shown in reports as the first is.
 *   What was read last is what a breach is shown in
 */
export type CustomOracle = (
  answer: AnswerReading,
  ask: (request: CustomRequest) => Promise<AnswerReading>,
) => Finding | Promise<Finding>;

export interface CustomCheck {
  readonly proves: string | readonly string[];
  readonly request: CustomRequest;
  /** Decides instead of laws. */
  readonly by?: CustomOracle;
  /** What `by` requests besides, so that it is planned and paid for. */
  readonly requests?: readonly CustomRequest[];
}

export interface CustomRequirement {
  /** Area, subject and number, as `INV-SUM-01`; no other requirement has it. */
  readonly id: string;
  /** A sentence that can be false. */
  readonly sentence: string;
  /** Where it is promised, as `§3 Invoices`. */
  readonly clause: string;
  /** `must` by default; other breaches don't fail a run. */
  readonly level?: "must" | "may";
}

/** An honest platform, by which `assay mutants` proves that each check can fail. */
export interface CustomPlatform {
  readonly samples?: { readonly [name: string]: unknown };
  /** As that of servers made with web standards. */
  fetch(request: Request): Response | Promise<Response>;
}

/** Changes an honest answer so that it breaks the requirement of its name, as `INV-SUM-01.forgets-tax`. */
export type CustomMutant = (answer: Response, request: Request) => Response | Promise<Response>;

export interface CustomSpec {
  /** An OpenAPI 3.1 document or an OpenRPC one, as YAML or JSON, beside the config. */
  readonly file: string;
  /** The member of `bases` in target files where it is served: one that is known, or one of your own. */
  readonly api: string;
  /** What target files call it under `offers`. */
  readonly feature: string;
}

export interface CustomChecks {
  /** Operations that the interface doesn't have. */
  readonly spec?: CustomSpec;
  readonly requirements: readonly CustomRequirement[];
  /** The requirement that each answer with a schema is of that schema. */
  readonly answersFit?: string;
  /** JSON Schemas of what target files give under `samples`, by name. */
  readonly samples?: { readonly [name: string]: object };
  readonly laws?: readonly Law[];
  readonly checks: readonly CustomCheck[];
  readonly platform?: CustomPlatform;
  readonly mutants?: { readonly [name: string]: CustomMutant };
}

/** Checks of one's own, for the default export of `assay.config.mjs`. */
export const defineChecks = (checks: CustomChecks): CustomChecks => checks;

/** Judges an answer; undefined where the answer doesn't exercise the requirement. */
export type CustomClause<Body> = (answer: AnswerReading<Body>) => Finding | undefined;

/**
 * What each such answer of an operation must keep, by anybody who asked: checked in every exchange.
 * @param answer an HTTP status, or `result` or `error` of a JSON-RPC method
 * @param clauses by requirement
 */
export const defineLaw = <Body = unknown>(
  operation: string,
  answer: number | "result" | "error",
  clauses: { readonly [requirement: string]: CustomClause<Body> },
): Law => {
  // A config is often JavaScript that no compiler has seen.
  const given: unknown = answer;
  if (typeof given !== "number" && given !== "result" && given !== "error")
    throw new TypeError(`a law of ${operation} is about an HTTP status, "result" or "error", not ${inspect(given)}`);
  const wrong = Object.entries<unknown>(clauses).find(([, clause]) => typeof clause !== "function");
  if (wrong) throw new TypeError(`the clause of ${wrong[0]} must be a function, not ${inspect(wrong[1])}`);
  return law<Body>(
    operation as OperationId,
    answer,
    Object.fromEntries(
      Object.entries(clauses).map(([id, clause]) => [
        id,
        (reading: LawReading<Body>) => {
          const finding = clause(answerReading(reading));
          return finding && findingIn(finding);
        },
      ]),
    ),
  );
};

/** What a target file gives under `samples`. */
export { sample } from "../harness/core/template.ts";
