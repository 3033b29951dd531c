// Auth sanity: nothing counts as verified until the platform was seen to tell its callers apart.
import { type Api, type Feature, operationOf } from "../core/interface.ts";
import { Inconclusive } from "../core/outcomes.ts";
import { carriedBy, type Stimulus } from "../core/stimulus.ts";
import type { CheckContext } from "../model/check.ts";
import type { AuthSanityCheck } from "../model/suite.ts";
import type { Target } from "../target/target.ts";
import { isServed, outcomeOf } from "../transport/answers.ts";
import type { Exchange } from "../transport/exchange.ts";
import { lackToAsk } from "./plan.ts";

/**
 * Why nothing of a feature counts as verified. `unreachable`: the network's fault or ours · `lacking`: the target lacks
 * what the check needs · `ownerRefused`: another request of the feature may still show it · `alike`: owner and somebody
 * unauthorized got the same.
 */
export interface Doubt {
  readonly kind: "unreachable" | "lacking" | "ownerRefused" | "alike";
  readonly reason: string;
}

const unproven = "so nothing shows that the platform tells callers apart";

/** Null where the two answers differ as they must. */
function doubtBetween(owner: Exchange, unauthorized: Exchange): Doubt | null {
  if (!isServed(owner))
    return { kind: "ownerRefused", reason: `the owner's request was answered ${outcomeOf(owner)}, ${unproven}` };
  if (!unauthorized.answer)
    return {
      kind: "alike",
      reason: `the unauthorized request got no answer (${unauthorized.fault?.kind}), ${unproven}`,
    };
  return isServed(unauthorized)
    ? {
        kind: "alike",
        reason: "owner and unauthorized requests were both served, so nothing shows that keys are checked",
      }
    : null;
}

/** Whose callers are told apart, learnt once for each feature. */
export class Callers {
  readonly #authSanityChecks: readonly AuthSanityCheck[];
  readonly #target: Target;
  readonly #ask: (stimulus: Stimulus) => Promise<Exchange>;
  readonly #fresh: (stimulus: Stimulus) => Stimulus;
  readonly #carrier = new Map<Api, "header" | "query">();
  readonly #ofFeature = new Map<Feature, readonly AuthSanityCheck[]>();
  readonly #doubt = new Map<AuthSanityCheck, Doubt | null>();
  readonly #underWay = new Map<AuthSanityCheck, Promise<void>>();

  constructor(
    authSanityChecks: readonly AuthSanityCheck[],
    target: Target,
    { ask, fresh }: Pick<CheckContext, "ask" | "fresh">,
  ) {
    this.#authSanityChecks = authSanityChecks;
    this.#target = target;
    this.#ask = ask;
    this.#fresh = fresh;
  }

  /** The carrier that an API was seen to accept. */
  carrierOf(api: Api): "header" | "query" {
    return this.#carrier.get(api) ?? "header";
  }

  /** Why nothing of this feature counts as verified; null where nothing speaks against it so far. */
  doubtOn(feature: Feature): Doubt | null {
    const [first, ...others] = this.#authSanityChecksOf(feature).map((authSanityCheck) =>
      this.#doubt.get(authSanityCheck),
    );
    // Where the first owner isn't served, another request of the feature may show it.
    return first?.kind === "ownerRefused" && others.includes(null) ? null : (first ?? null);
  }

  /** What couldn't be reached may be tried again. */
  forgetUnreachable(): void {
    for (const [authSanityCheck, doubt] of this.#doubt)
      if (doubt?.kind === "unreachable") this.#doubt.delete(authSanityCheck);
  }

  /** A request that a healthy platform serves, of the same feature where one is known; null where none is. */
  healthyBeside({ api, operation }: Stimulus): Stimulus | null {
    const canAsk = (one: AuthSanityCheck): boolean => one.api === api && lackToAsk(one.owner, this.#target) === null;
    const feature = operationOf(this.#target.interface, operation)?.feature;
    const authSanityCheck =
      this.#authSanityChecks.find((one) => canAsk(one) && feature !== undefined && one.features.includes(feature)) ??
      this.#authSanityChecks.find(canAsk);
    return authSanityCheck ? carriedBy(this.#fresh(authSanityCheck.owner), this.carrierOf(api)) : null;
  }

  /** Asks as owner and as somebody unauthorized once for each feature, and learns which carrier is accepted. */
  async tellApart(feature: Feature): Promise<Doubt | null> {
    for (const authSanityCheck of this.#authSanityChecksOf(feature)) {
      if (!this.#doubt.has(authSanityCheck)) {
        // Several may ask at once: they wait for one answer.
        const asking =
          this.#underWay.get(authSanityCheck) ??
          this.#doubtBetween(authSanityCheck).then((doubt) => void this.#doubt.set(authSanityCheck, doubt));
        this.#underWay.set(authSanityCheck, asking);
        await asking.finally(() => this.#underWay.delete(authSanityCheck));
      }
      if (this.#doubt.get(authSanityCheck)?.kind !== "ownerRefused") break;
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

  async #doubtBetween({ api, owner, unauthorized }: AuthSanityCheck): Promise<Doubt | null> {
    const lack = lackToAsk(owner, this.#target);
    if (lack !== null) return { kind: "lacking", reason: `${lack}, ${unproven}` };
    try {
      const byHeader = await this.#ask(carriedBy(owner, "header"));
      const byQuery = byHeader.answer?.status === 401 ? await this.#ask(carriedBy(owner, "query")) : null;
      const isQueryOnly = byQuery?.answer?.status === 200;
      if (isQueryOnly) this.#carrier.set(api, "query");
      return doubtBetween(isQueryOnly ? byQuery : byHeader, await this.#ask(unauthorized));
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
      return { kind: "unreachable", reason: `the owner's request got no answer: ${error.message}` };
    }
  }
}
