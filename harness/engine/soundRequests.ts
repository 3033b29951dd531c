// Sound requests: what was served before, to be asked anew beside what is refused.
import { operationOf } from "../core/interface.ts";
import { calledBy, type RequestSpec } from "../core/requestSpec.ts";
import type { Target } from "../targets/target.ts";
import { isServed } from "../transport/answers.ts";
import type { Exchange } from "../transport/exchange.ts";
import { knownAsker } from "../transport/recording.ts";

/** The first of each kind that was served; later ones may rest on what no longer is. */
export class SoundRequests {
  readonly #target: Target;
  readonly #fresh: (requestSpec: RequestSpec) => RequestSpec;
  readonly #served = new Map<string, RequestSpec>();

  /** @param fresh makes a request one that wasn't sent before */
  constructor(target: Target, fresh: (requestSpec: RequestSpec) => RequestSpec) {
    this.#target = target;
    this.#fresh = fresh;
  }

  note(exchange: Exchange): void {
    const { requestSpec, asker } = exchange;
    const { interface: tables } = this.#target;
    const operation = operationOf(tables, requestSpec.operation);
    const mayRepeat = operation !== undefined && operation.irreversible === undefined && !operation.isOnce;
    if (asker === null || !mayRepeat || !isServed(exchange)) return;
    const { api } = requestSpec;
    for (const kind of [`${operation.id} ${asker.role}`, operation.id, `${api} ${asker.role}`, api])
      if (!this.#served.has(kind)) this.#served.set(kind, requestSpec);
  }

  /** Calls the same operation as the same caller, so that all limits count both; null where none is known. */
  alike(requestSpec: RequestSpec): RequestSpec | null {
    return this.#known(`${this.#operationOf(requestSpec)} ${this.#roleOf(requestSpec)}`);
  }

  /** Calls the same operation, by the same caller if possible; null where none is known. */
  beside(requestSpec: RequestSpec): RequestSpec | null {
    return this.alike(requestSpec) ?? this.#known(this.#operationOf(requestSpec) ?? "");
  }

  /** By the same caller if any is known, on the same API; null where none is known. */
  onApi(requestSpec: RequestSpec): RequestSpec | null {
    const role = this.#roleOf(requestSpec);
    return this.#known(role === undefined ? requestSpec.api : `${requestSpec.api} ${role}`);
  }

  #operationOf(requestSpec: RequestSpec): string | null {
    return calledBy(requestSpec, this.#target.interface);
  }

  #roleOf(requestSpec: RequestSpec): string | undefined {
    return knownAsker(this.#target, requestSpec)?.role;
  }

  #known(kind: string): RequestSpec | null {
    const requestSpec = this.#served.get(kind);
    return requestSpec ? this.#fresh(requestSpec) : null;
  }
}
