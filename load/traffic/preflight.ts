// The preflight of a load: the platform must know our key, and not just anybody's

import type { Clock } from "../../harness/core/clock.ts";
import { type Feature, featuresOf, type Interface } from "../../harness/core/interface.ts";
import { BudgetSpent, Inconclusive } from "../../harness/core/outcomes.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import { redactedIn } from "../../harness/core/secret.ts";
import { AuthCheck } from "../../harness/engine/authCheck.ts";
import { HealthChecks } from "../../harness/engine/healthChecks.ts";
import { newRunCache } from "../../harness/engine/runCache.ts";
import { unmetNeedOf } from "../../harness/engine/unmetNeeds.ts";
import type { AuthSanityCheck } from "../../harness/model/suite.ts";
import type { Target } from "../../harness/targets/target.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { Transport } from "../../harness/transport/transport.ts";
import type { MixShare } from "./mix.ts";

/** A limit that our own traffic has just filled serves again after that. */
const wait_ms = 1_100;
const attempts = 3;

const featuresIn = (shares: readonly MixShare[], { operations }: Interface): readonly Feature[] =>
  featuresOf({ operations: operations.filter(({ id }) => shares.some(({ operation }) => operation === id)) });

/** The requests of a preflight that succeeds at once. */
export const preflightRequests = (
  target: Target,
  shares: readonly MixShare[],
  authSanityChecks: readonly AuthSanityCheck[],
): readonly RequestSpec[] =>
  featuresIn(shares, target.interface).flatMap((feature) => {
    const authSanityCheck = authSanityChecks.find(
      ({ features, owner }) => features.includes(feature) && unmetNeedOf(owner, target) === null,
    );
    return authSanityCheck ? [authSanityCheck.owner, authSanityCheck.unauthorized] : [];
  });

/**
 * Sends one auth sanity check for each feature of the mix.
 * @returns the shares, with the key in the carrier that each API accepts
 * @throws Inconclusive where the owner isn't served, or an unauthorized caller is
 */
export async function preflight(
  target: Target,
  shares: readonly MixShare[],
  authSanityChecks: readonly AuthSanityCheck[],
  transport: Transport,
  clock: Clock,
): Promise<readonly MixShare[]> {
  const ask = async (requestSpec: RequestSpec): Promise<Exchange> => {
    for (let attempt = 1; ; attempt += 1) {
      const exchange = await transport.send(requestSpec).catch((error: unknown) => {
        throw error instanceof BudgetSpent ? new Inconclusive(error.reason) : error;
      });
      if (exchange.fault)
        throw new Inconclusive({ kind: "doubtful", outcome: `${exchange.fault.kind}: ${exchange.fault.detail}` });
      if (exchange.answer?.status !== 429 || attempt === attempts) return exchange;
      await clock.sleep(wait_ms);
    }
  };
  const healthChecks = new HealthChecks({ authSanityChecks }, target, newRunCache().fresh);
  const authCheck = new AuthCheck({ authSanityChecks }, target, ask, healthChecks);
  for (const feature of featuresIn(shares, target.interface)) {
    const doubt = await authCheck.distinguish(feature);
    if (doubt !== null)
      throw new Inconclusive({ kind: "loadUnsent", feature, why: redactedIn(doubt.reason, target.redact) });
  }
  return shares.map((share) => ({ ...share, requestSpec: healthChecks.carried(share.requestSpec) }));
}
