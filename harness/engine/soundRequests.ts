// Sound requests: what was served before, to be asked anew beside what is refused.
import { operationOf } from "../core/interface.ts";
import { calledBy, type Stimulus } from "../core/stimulus.ts";
import type { Target } from "../targets/target.ts";
import { isServed } from "../transport/answers.ts";
import type { Exchange } from "../transport/exchange.ts";
import { knownAsker } from "../transport/recording.ts";

/** The first of each kind that was served; later ones may rest on what no longer is. */
export class SoundRequests {
  readonly #target: Target;
  readonly #fresh: (stimulus: Stimulus) => Stimulus;
  readonly #served = new Map<string, Stimulus>();

  /** @param fresh makes a request one that wasn't sent before */
  constructor(target: Target, fresh: (stimulus: Stimulus) => Stimulus) {
    [this.#target, this.#fresh] = [target, fresh];
  }

  note(exchange: Exchange): void {
    const { stimulus, asker } = exchange;
    const { interface: tables } = this.#target;
    const operation = operationOf(tables, stimulus.operation);
    const mayRepeat = operation !== undefined && operation.irreversible === undefined && !operation.isOnce;
    if (asker === null || !mayRepeat || !isServed(exchange)) return;
    const { api } = stimulus;
    for (const kind of [`${operation.id} ${asker.role}`, operation.id, `${api} ${asker.role}`, api])
      if (!this.#served.has(kind)) this.#served.set(kind, stimulus);
  }

  /** Calls the same operation as the same caller, so that all limits count both; null where none is known. */
  alike(stimulus: Stimulus): Stimulus | null {
    return this.#known(`${this.#operationOf(stimulus)} ${this.#roleOf(stimulus)}`);
  }

  /** Calls the same operation, by the same caller if possible; null where none is known. */
  beside(stimulus: Stimulus): Stimulus | null {
    return this.alike(stimulus) ?? this.#known(this.#operationOf(stimulus) ?? "");
  }

  /** By the same caller if any is known, on the same API; null where none is known. */
  onApi(stimulus: Stimulus): Stimulus | null {
    const role = this.#roleOf(stimulus);
    return this.#known(role === undefined ? stimulus.api : `${stimulus.api} ${role}`);
  }

  #operationOf(stimulus: Stimulus): string | null {
    return calledBy(stimulus, this.#target.interface);
  }

  #roleOf(stimulus: Stimulus): string | undefined {
    return knownAsker(this.#target, stimulus)?.role;
  }

  #known(kind: string): Stimulus | null {
    const stimulus = this.#served.get(kind);
    return stimulus ? this.#fresh(stimulus) : null;
  }
}
