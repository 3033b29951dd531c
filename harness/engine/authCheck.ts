// Auth sanity: nothing counts as verified until the platform was seen to distinguish callers.
import type { Feature } from "../core/interface.ts";
import { Inconclusive } from "../core/outcomes.ts";
import type { Reason } from "../core/reason.ts";
import { withCarrier } from "../core/requestSpec.ts";
import type { CheckContext } from "../model/check.ts";
import type { AuthSanityCheck } from "../model/suite.ts";
import type { Target } from "../targets/target.ts";
import { describeOutcome, hindranceOf, isServed, rpcErrorOf } from "../transport/answers.ts";
import type { Exchange } from "../transport/exchange.ts";
import { fateOf } from "../transport/fates.ts";
import type { HealthChecks, SanitySuite } from "./healthChecks.ts";
import { unmetNeedOf } from "./unmetNeeds.ts";

/**
 * Why nothing of a feature counts as verified. `unreachable`: the network's fault or ours · `lacking`: the target lacks
 * what the check needs · `ownerRefused`: another request of the feature may still succeed · `alike`: owner and
 * unauthorized callers weren't distinguished.
 */
export interface Doubt {
  readonly kind: "unreachable" | "lacking" | "ownerRefused" | "alike";
  readonly reason: Reason;
}

/**
 * Null where the owner was served and the unauthorized caller refused, or refused otherwise where that is enough. That
 * an index is behind is told to the owner alone.
 */
function doubtBetween(owner: Exchange, unauthorized: Exchange, mayBeRefused: boolean): Doubt | null {
  const areRefused = [owner, unauthorized].every((one) => rpcErrorOf(one) !== null);
  const isEnough = mayBeRefused || hindranceOf(owner) === "lag";
  if (isEnough && areRefused && describeOutcome(owner) !== describeOutcome(unauthorized)) return null;
  if (!isServed(owner)) {
    const reason = { kind: "keysUnproven", by: "ownerRefused", fate: fateOf(owner) } as const;
    return { kind: "ownerRefused", reason };
  }
  if (!unauthorized.answer)
    return { kind: "alike", reason: { kind: "keysUnproven", by: "noAnswer", fault: String(unauthorized.fault?.kind) } };
  return isServed(unauthorized) ? { kind: "alike", reason: { kind: "keysUnproven", by: "bothServed" } } : null;
}

/** Runs each auth sanity check once, and tells which carriers were accepted. */
export class AuthCheck {
  readonly #authSanityChecks: readonly AuthSanityCheck[];
  readonly #target: Target;
  readonly #ask: CheckContext["ask"];
  readonly #healthChecks: Pick<HealthChecks, "noteCarrier">;
  readonly #ofFeature = new Map<Feature, readonly AuthSanityCheck[]>();
  readonly #doubt = new Map<AuthSanityCheck, Doubt | null>();
  readonly #underWay = new Map<AuthSanityCheck, Promise<void>>();

  constructor(
    { authSanityChecks }: SanitySuite,
    target: Target,
    ask: CheckContext["ask"],
    healthChecks: Pick<HealthChecks, "noteCarrier">,
  ) {
    this.#authSanityChecks = authSanityChecks;
    this.#target = target;
    this.#ask = ask;
    this.#healthChecks = healthChecks;
  }

  /** Why nothing of this feature counts as verified; null where nothing speaks against it so far. */
  doubtOn(feature: Feature): Doubt | null {
    const [first, ...others] = this.#checksOf(feature).map((one) => this.#doubt.get(one));
    return first?.kind === "ownerRefused" && others.includes(null) ? null : (first ?? null);
  }

  forgetUnreachable(): void {
    for (const [authSanityCheck, doubt] of this.#doubt)
      if (doubt?.kind === "unreachable") this.#doubt.delete(authSanityCheck);
  }

  /** Runs the auth sanity checks of a feature that haven't run yet. */
  async distinguish(feature: Feature): Promise<Doubt | null> {
    for (const authSanityCheck of this.#checksOf(feature)) {
      if (!this.#doubt.has(authSanityCheck)) {
        // Concurrent callers share one run.
        const running =
          this.#underWay.get(authSanityCheck) ??
          this.#doubtBetween(authSanityCheck).then((doubt) => void this.#doubt.set(authSanityCheck, doubt));
        this.#underWay.set(authSanityCheck, running);
        await running.finally(() => this.#underWay.delete(authSanityCheck));
      }
      if (this.#doubt.get(authSanityCheck)?.kind !== "ownerRefused") break;
    }
    return this.doubtOn(feature);
  }

  /** Those that the target can serve, in order; else the first, whose needs then give the reason. */
  #checksOf(feature: Feature): readonly AuthSanityCheck[] {
    const known = this.#ofFeature.get(feature);
    if (known) return known;
    const ofFeature = this.#authSanityChecks.filter(({ features }) => features.includes(feature));
    const possible = ofFeature.filter(({ owner }) => unmetNeedOf(owner, this.#target) === null);
    const authSanityChecks = possible.length > 0 ? possible : ofFeature.slice(0, 1);
    this.#ofFeature.set(feature, authSanityChecks);
    return authSanityChecks;
  }

  async #doubtBetween({ api, owner, unauthorized, mayBeRefused = false }: AuthSanityCheck): Promise<Doubt | null> {
    const lack = unmetNeedOf(owner, this.#target);
    if (lack !== null) return { kind: "lacking", reason: { kind: "keysUnproven", by: "need", need: lack } };
    try {
      const byHeader = await this.#ask(withCarrier(owner, "header"));
      const byQuery = byHeader.answer?.status === 401 ? await this.#ask(withCarrier(owner, "query")) : null;
      const isQueryOnly = byQuery?.answer?.status === 200;
      if (isQueryOnly) this.#healthChecks.noteCarrier(api, "query");
      return doubtBetween(isQueryOnly ? byQuery : byHeader, await this.#ask(unauthorized), mayBeRefused);
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
      // What the platform's own answers look like helps to judge the owner's, which is asked again at the end.
      await this.#ask(unauthorized).catch(() => null);
      return { kind: "unreachable", reason: { kind: "ownerUnanswered", why: error.reason } };
    }
  }
}
