// Does the platform tell its callers apart? Nothing counts as verified until it was seen to.
import { operations, type Part, type Surface } from "../../specs/generated/operations.ts";
import { carriedBy, type Stimulus } from "../core/stimulus.ts";
import { Inconclusive } from "../model/check.ts";
import type { Target } from "../target/target.ts";
import type { Exchange } from "../transport/exchange.ts";
import { isServed, outcomeOf } from "../transport/jsonRpc.ts";
import { lackToAsk } from "./plan.ts";

/** Where the parts of a surface are: what its owner is served and a stranger is not. */
export interface Contrast {
  readonly surface: Surface;
  readonly parts: readonly Part[];
  readonly owner: Stimulus;
  readonly stranger: Stimulus;
}

/** How a doubt begins that is the network's or ours rather than the platform's. */
export const unreachable = "no answer to the owner's own request";

const ownerRefused = "the owner's own request was answered";

/** Why nothing is verified by these two answers; null where they differ as they must. */
function doubtBetween(owner: Exchange, stranger: Exchange): string | null {
  if (!isServed(owner))
    return `${ownerRefused} ${outcomeOf(owner)}, so nothing shows that the platform tells callers apart`;
  if (!stranger.answer)
    return `nobody's request drew no answer (${stranger.fault?.kind}), so nothing shows that the platform tells callers apart`;
  return isServed(stranger)
    ? "owner and stranger were answered alike, so nothing shows that the platform looks at who asks"
    : null;
}

/** Who is told apart from whom, learnt once for each part. */
export class Callers {
  readonly #contrasts: readonly Contrast[];
  readonly #target: Target;
  readonly #ask: (stimulus: Stimulus) => Promise<Exchange>;
  readonly #carrier = new Map<Surface, "header" | "query">();
  readonly #ofPart = new Map<Part, readonly Contrast[]>();
  readonly #doubt = new Map<Contrast, string | null>();
  readonly #telling = new Map<Contrast, Promise<void>>();

  constructor(contrasts: readonly Contrast[], target: Target, ask: (stimulus: Stimulus) => Promise<Exchange>) {
    this.#contrasts = contrasts;
    this.#target = target;
    this.#ask = ask;
  }

  /** The carrier that a surface was seen to accept. */
  carrierOf(surface: Surface): "header" | "query" {
    return this.#carrier.get(surface) ?? "header";
  }

  /** Why nothing in this part counts as verified; null where nothing speaks against it so far. */
  doubtOn(part: Part): string | null {
    const [first, ...others] = this.#contrastsOf(part).map((contrast) => this.#doubt.get(contrast));
    // Where the first owner isn't served, another request of the part may show it.
    return first?.startsWith(ownerRefused) && others.includes(null) ? null : (first ?? null);
  }

  /** What couldn't be reached may be tried again. */
  forgetUnreachable(): void {
    for (const [contrast, doubt] of this.#doubt) if (doubt?.startsWith(unreachable)) this.#doubt.delete(contrast);
  }

  /** A request that a healthy platform serves, of the same part where one is known; null where none is. */
  healthyBeside({ surface, operation }: Stimulus, nth: number): Stimulus | null {
    const canAsk = (one: Contrast): boolean => one.surface === surface && lackToAsk(one.owner, this.#target) === null;
    const part = operations.find(({ id }) => id === operation)?.part;
    const contrast =
      this.#contrasts.find((one) => canAsk(one) && part !== undefined && one.parts.includes(part)) ??
      this.#contrasts.find(canAsk);
    return contrast ? carriedBy({ ...contrast.owner, again: nth }, this.carrierOf(surface)) : null;
  }

  /** Asks as owner and as stranger once for each part, and learns which carrier is accepted; gives the doubt that is left. */
  async tellApart(part: Part): Promise<string | null> {
    for (const contrast of this.#contrastsOf(part)) {
      if (!this.#doubt.has(contrast)) {
        // Several may ask at once: they wait for one answer.
        const telling =
          this.#telling.get(contrast) ??
          this.#doubtBetween(contrast).then((doubt) => void this.#doubt.set(contrast, doubt));
        this.#telling.set(contrast, telling);
        await telling.finally(() => this.#telling.delete(contrast));
      }
      if (!this.#doubt.get(contrast)?.startsWith(ownerRefused)) break;
    }
    return this.doubtOn(part);
  }

  /** Those that can be asked, in order; else the first, which says what is lacking. */
  #contrastsOf(part: Part): readonly Contrast[] {
    const known = this.#ofPart.get(part);
    if (known) return known;
    const ofPart = this.#contrasts.filter(({ parts }) => parts.includes(part));
    const possible = ofPart.filter(({ owner }) => lackToAsk(owner, this.#target) === null);
    const contrasts = possible.length > 0 ? possible : ofPart.slice(0, 1);
    this.#ofPart.set(part, contrasts);
    return contrasts;
  }

  async #doubtBetween({ surface, owner, stranger }: Contrast): Promise<string | null> {
    const lack = lackToAsk(owner, this.#target);
    if (lack !== null) return `${lack}, so nothing shows that the platform tells callers apart`;
    try {
      const byHeader = await this.#ask(carriedBy(owner, "header"));
      const byQuery = byHeader.answer?.status === 401 ? await this.#ask(carriedBy(owner, "query")) : null;
      const isQueryOnly = byQuery?.answer?.status === 200;
      if (isQueryOnly) this.#carrier.set(surface, "query");
      return doubtBetween(isQueryOnly ? byQuery : byHeader, await this.#ask(stranger));
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
      return `${unreachable}: ${error.message}`;
    }
  }
}
