// Does the platform tell its callers apart? Nothing counts as verified until it was seen to.
import { type Api, type Feature, operations } from "../../specs/generated/operations.ts";
import { carriedBy, type Stimulus } from "../core/stimulus.ts";
import { Inconclusive } from "../model/check.ts";
import type { Target } from "../target/target.ts";
import type { Exchange } from "../transport/exchange.ts";
import { isServed, outcomeOf } from "../transport/jsonRpc.ts";
import { lackToAsk } from "./plan.ts";

/** Where the parts of a surface are: what its owner is served and a stranger is not. */
export interface AuthSanityCheck {
  readonly api: Api;
  readonly features: readonly Feature[];
  readonly owner: Stimulus;
  readonly unauthorized: Stimulus;
}

/** How a doubt begins that is the network's or ours rather than the platform's. */
export const unreachable = "no answer to the owner's own request";

const ownerRefused = "the owner's own request was answered";

/** Why nothing is verified by these two answers; null where they differ as they must. */
function doubtBetween(owner: Exchange, unauthorized: Exchange): string | null {
  if (!isServed(owner))
    return `${ownerRefused} ${outcomeOf(owner)}, so nothing shows that the platform tells callers apart`;
  if (!unauthorized.answer)
    return `nobody's request drew no answer (${unauthorized.fault?.kind}), so nothing shows that the platform tells callers apart`;
  return isServed(unauthorized)
    ? "owner and stranger were answered alike, so nothing shows that the platform looks at who asks"
    : null;
}

/** Who is told apart from whom, learnt once for each part. */
export class Callers {
  readonly #authSanityChecks: readonly AuthSanityCheck[];
  readonly #target: Target;
  readonly #ask: (stimulus: Stimulus) => Promise<Exchange>;
  readonly #carrier = new Map<Api, "header" | "query">();
  readonly #ofFeature = new Map<Feature, readonly AuthSanityCheck[]>();
  readonly #doubt = new Map<AuthSanityCheck, string | null>();
  readonly #telling = new Map<AuthSanityCheck, Promise<void>>();

  constructor(
    authSanityChecks: readonly AuthSanityCheck[],
    target: Target,
    ask: (stimulus: Stimulus) => Promise<Exchange>,
  ) {
    this.#authSanityChecks = authSanityChecks;
    this.#target = target;
    this.#ask = ask;
  }

  /** The carrier that a surface was seen to accept. */
  carrierOf(api: Api): "header" | "query" {
    return this.#carrier.get(api) ?? "header";
  }

  /** Why nothing in this part counts as verified; null where nothing speaks against it so far. */
  doubtOn(feature: Feature): string | null {
    const [first, ...others] = this.#authSanityChecksOf(feature).map((authSanityCheck) =>
      this.#doubt.get(authSanityCheck),
    );
    // Where the first owner isn't served, another request of the part may show it.
    return first?.startsWith(ownerRefused) && others.includes(null) ? null : (first ?? null);
  }

  /** What couldn't be reached may be tried again. */
  forgetUnreachable(): void {
    for (const [authSanityCheck, doubt] of this.#doubt)
      if (doubt?.startsWith(unreachable)) this.#doubt.delete(authSanityCheck);
  }

  /** A request that a healthy platform serves, of the same part where one is known; null where none is. */
  healthyBeside({ api, operation }: Stimulus, nth: number): Stimulus | null {
    const canAsk = (one: AuthSanityCheck): boolean => one.api === api && lackToAsk(one.owner, this.#target) === null;
    const feature = operations.find(({ id }) => id === operation)?.feature;
    const authSanityCheck =
      this.#authSanityChecks.find((one) => canAsk(one) && feature !== undefined && one.features.includes(feature)) ??
      this.#authSanityChecks.find(canAsk);
    return authSanityCheck ? carriedBy({ ...authSanityCheck.owner, again: nth }, this.carrierOf(api)) : null;
  }

  /** Asks as owner and as stranger once for each part, and learns which carrier is accepted; gives the doubt that is left. */
  async tellApart(feature: Feature): Promise<string | null> {
    for (const authSanityCheck of this.#authSanityChecksOf(feature)) {
      if (!this.#doubt.has(authSanityCheck)) {
        // Several may ask at once: they wait for one answer.
        const telling =
          this.#telling.get(authSanityCheck) ??
          this.#doubtBetween(authSanityCheck).then((doubt) => void this.#doubt.set(authSanityCheck, doubt));
        this.#telling.set(authSanityCheck, telling);
        await telling.finally(() => this.#telling.delete(authSanityCheck));
      }
      if (!this.#doubt.get(authSanityCheck)?.startsWith(ownerRefused)) break;
    }
    return this.doubtOn(feature);
  }

  /** Those that can be asked, in order; else the first, which says what is lacking. */
  #authSanityChecksOf(feature: Feature): readonly AuthSanityCheck[] {
    const known = this.#ofFeature.get(feature);
    if (known) return known;
    const ofFeature = this.#authSanityChecks.filter(({ features }) => features.includes(feature));
    const possible = ofFeature.filter(({ owner }) => lackToAsk(owner, this.#target) === null);
    const authSanityChecks = possible.length > 0 ? possible : ofFeature.slice(0, 1);
    this.#ofFeature.set(feature, authSanityChecks);
    return authSanityChecks;
  }

  async #doubtBetween({ api, owner, unauthorized }: AuthSanityCheck): Promise<string | null> {
    const lack = lackToAsk(owner, this.#target);
    if (lack !== null) return `${lack}, so nothing shows that the platform tells callers apart`;
    try {
      const byHeader = await this.#ask(carriedBy(owner, "header"));
      const byQuery = byHeader.answer?.status === 401 ? await this.#ask(carriedBy(owner, "query")) : null;
      const isQueryOnly = byQuery?.answer?.status === 200;
      if (isQueryOnly) this.#carrier.set(api, "query");
      return doubtBetween(isQueryOnly ? byQuery : byHeader, await this.#ask(unauthorized));
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
      return `${unreachable}: ${error.message}`;
    }
  }
}
