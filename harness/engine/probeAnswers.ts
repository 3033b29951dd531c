// Answers to requests that name no operation, as probes send them: judged as a recording of them would be.
import type { Broken } from "../core/finding.ts";
import type { RequirementId } from "../core/interface.ts";
import type { CheckContext } from "../model/check.ts";
import type { EngineEvent } from "../model/event.ts";
import type { Law } from "../model/law.ts";
import type { Target } from "../targets/target.ts";
import { describeOutcome, rpcErrorOf, suspicion } from "../transport/answers.ts";
import type { Exchange } from "../transport/exchange.ts";
import { foreignnessOf } from "../transport/foreign.ts";
import { matcherFor } from "../transport/matching.ts";
import { askerOfRequest } from "../transport/recording.ts";
import { unmatched } from "../transport/unmatched.ts";
import { isRefusal } from "./failures.ts";
import type { Ledger } from "./ledger.ts";

interface Options {
  readonly target: Target;
  readonly laws: readonly Law[];
  readonly ledger: Pick<Ledger, "find">;
}

export class ProbeAnswers {
  readonly #options: Options;
  readonly #match: ReturnType<typeof matcherFor>;
  /** Several probes may send the same request. */
  readonly #judged = new WeakSet<Exchange>();
  readonly #unjudged = new Map<string, number>();

  constructor(options: Options) {
    this.#options = options;
    this.#match = matcherFor(options.target);
  }

  /** A probe's context that has what it sees judged. */
  judging(context: CheckContext): CheckContext {
    return {
      ...context,
      ask: async (requestSpec) => {
        const exchange = await context.ask(requestSpec);
        this.#judge(exchange);
        return exchange;
      },
    };
  }

  /** Tells why answers weren't judged, if some weren't. */
  reportUnjudged(onEvent: (event: EngineEvent) => void): void {
    const unjudged = [...this.#unjudged]
      .map(([reason, exchanges]) => ({ reason, exchanges }))
      .sort((a, b) => b.exchanges - a.exchanges);
    if (unjudged.length > 0) onEvent({ event: "unjudged", unjudged });
  }

  #judge(exchange: Exchange): void {
    if (exchange.requestSpec.operation !== null || this.#judged.has(exchange)) return;
    this.#judged.add(exchange);
    const read = this.#read(exchange);
    if (typeof read === "string") {
      this.#leave(read);
      return;
    }
    const found = this.#brokenBy(read);
    const doubt =
      suspicion(read) ?? (isRefusal(read) && found.length > 0 ? `a refusal (${describeOutcome(read)})` : null);
    // An error in the platform's form that is suspicious of any request was confirmed before the probe got it. A page
    // may be an edge's, which refuses what is odd each time.
    const isConfirmed = suspicion(exchange) !== null && rpcErrorOf(read) !== null && foreignnessOf(read) === null;
    if (doubt !== null && !isConfirmed) {
      this.#leave(doubt);
      return;
    }
    for (const [id, finding] of found) this.#options.ledger.find(id, { finding, exchange });
  }

  #leave(reason: string): void {
    this.#unjudged.set(reason, (this.#unjudged.get(reason) ?? 0) + 1);
  }

  #brokenBy(read: Exchange): readonly (readonly [RequirementId, Broken])[] {
    const found = this.#options.laws.flatMap((law) => [...law.judge(read)]);
    return found.flatMap(([id, finding]) => (finding.outcome === "broken" ? [[id, finding] as const] : []));
  }

  /** The exchange as one of the operation that it calls, or why no law can judge it. */
  #read(exchange: Exchange): Exchange | string {
    const { sent, asker, requestSpec: asked } = exchange;
    if (asked.plainHttp) return "a request over plain http";
    if (asker?.isMade) return "a test project, perhaps changed since it was made";
    const found = this.#match({ ...sent, body: sent.body ?? null });
    if ("unmatched" in found) return unmatched[found.unmatched];
    const [call] = found.calls;
    if (found.batched !== null || !call) return "a batch of calls";
    const requestSpec = { ...asked, operation: call.operation.id, path: call.path };
    return { ...exchange, requestSpec, ...askerOfRequest(this.#options.target, requestSpec) };
  }
}
