// Failures of a run: which are alike, how often they come and go, and how many must agree to count.
import { describeOutcome, isLastingRefusal, isServed, rpcErrorOf, suspicion } from "../transport/answers.ts";
import type { Exchange } from "../transport/exchange.ts";
import { foreignnessOf } from "../transport/foreign.ts";
import { Streaks } from "./streaks.ts";

/** How often the same failure must occur, with health checks between, before it counts (amendment 4). */
const fewestAttempts = 3;
const mostAttempts = 8;
/** The accepted risk that failures that come and go look reproducible. */
const acceptedRisk = 1e-5;

/** Failures of the same cause are alike, whatever their details. One corrupt answer isn't the failure that it holds. */
export function causeOf(exchange: Exchange): string {
  const foreign = foreignnessOf(exchange);
  if (exchange.fault) return exchange.fault.kind;
  if (rpcErrorOf(exchange) && (foreign === null || foreign.isOwn)) return describeOutcome(exchange);
  return foreign?.says ?? `HTTP ${exchange.answer?.status}`;
}

export class Failures {
  #asked = 0;
  #gone = 0;
  /** Whether something was answered in a form of the interface. */
  #isPlatform = false;
  /** Of answers in the same foreign form. */
  readonly #streaks = new Streaks<string | undefined>();

  /** How many attempts must fail alike, by how often failures have come and gone so far. */
  get enough(): number {
    const rate = this.#gone / Math.max(1, this.#asked);
    const attempts = rate === 0 ? fewestAttempts : 1 + Math.ceil(Math.log(acceptedRisk) / Math.log(rate));
    return Math.min(mostAttempts, Math.max(fewestAttempts, attempts));
  }

  /** Counts an answer. Gives whether enough of its operation in a row had the same foreign form. */
  note(exchange: Exchange): boolean {
    this.#asked += 1;
    const { says: cause, isOwn = false } = foreignnessOf(exchange) ?? {};
    if (exchange.protocol.errorTable !== null && (isOwn || suspicion(exchange) === null)) this.#isPlatform = true;
    const count = this.#streaks.note(exchange.requestSpec.operation, cause);
    return cause !== undefined && count >= this.enough && this.#isPlatform && !isAccess(exchange);
  }

  comeAndGone(): void {
    this.#gone += 1;
  }

  areAlike(failure: Exchange, other: Exchange): boolean {
    if (isInOpenForm(failure) && !isRefusal(failure))
      return (
        isInOpenForm(other) && failure.answer?.status === other.answer?.status && hasJson(failure) === hasJson(other)
      );
    const mayBeRefused = isRefusal(failure) || isLastingRefusal(failure);
    return (mayBeRefused || suspicion(other) !== null) && causeOf(failure) === causeOf(other);
  }

  /**
   * Whether both are the same refusal, or have the same foreign form on a platform that can answer in its own. Beside a
   * success in an open form, which is to be refused or not, any answer shows the platform.
   */
  isTheirForm(failure: Exchange, other: Exchange): boolean {
    if (isInOpenForm(failure) && isServed(failure)) return suspicion(other) === null;
    if (isLastingRefusal(failure)) return false;
    if (isRefusal(failure)) return this.areAlike(failure, other);
    const one = foreignnessOf(failure);
    const another = foreignnessOf(other);
    return one?.isJson === true && one.what === another?.what && this.#isPlatform && !isAccess(other);
  }
}

const hasJson = ({ answer }: Exchange): boolean => answer?.json != null;

/**
 * Whether nothing tells the platform's answer from an edge's, or from one damaged on its way: the interface shows no
 * form for it.
 */
export const isInOpenForm = (exchange: Exchange): boolean =>
  exchange.answer !== null &&
  (exchange.protocol.forms === null || (exchange.requestSpec.operation === null && !hasJson(exchange)));

/** Edges refuse access, too. */
const isAccess = ({ answer }: Exchange): boolean => [401, 403, 404, 429].includes(answer?.status ?? 0);

/** Refusals of access in a form that the platform's own have; those for a rate have been waited out. */
export const isRefusal = (exchange: Exchange): boolean => isAccess(exchange) && suspicion(exchange) === null;
