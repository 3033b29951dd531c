// The mix of requests of a load, and how often each operation is called
import { baselineRequests } from "../../contracts/jsonrpc/baselineRequests.ts";
import { usage } from "../../contracts/shared/stimuli.ts";
import { walletBaselines } from "../../contracts/wallet/requests.ts";
import { isLoopback } from "../../harness/core/loopback.ts";
import type { Stimulus } from "../../harness/core/stimulus.ts";
import { lackToAsk } from "../../harness/engine/plan.ts";
import { priceOf } from "../../harness/target/budget.ts";
import { keyOf, type Target } from "../../harness/target/target.ts";
import { type OperationId, operations } from "../../specs/generated/operations.ts";

/** One request of the mix. */
export interface Share {
  readonly operation: OperationId;
  readonly stimulus: Stimulus;
  /** Its rate where the mix runs at the allowed pace. */
  readonly perSecond: number;
}

export interface Mix {
  readonly shares: readonly Share[];
  /** Operations left out, with the reason. */
  readonly left: readonly { readonly operation: OperationId; readonly reason: string }[];
}

/** One read of each operation; sendBundle is never part of a mix. */
const reads: readonly { readonly operation: OperationId; readonly stimulus: Stimulus }[] = [
  { operation: "getProjectUsage", stimulus: usage({ as: "owner" }) },
  ...walletBaselines.map(({ operation, ask }) => ({ operation, stimulus: ask() })),
  ...baselineRequests.map(({ method, ask }) => ({ operation: method, stimulus: ask() })),
];

/** Calls that cost as much are part of a mix only on loopback or where the target names them. */
const dear_credits = 100;

/** Below the limit on usage requests, as a generator can't space them perfectly. */
const usageMost_perSecond = 4;

/** The share of a general limit that the transport uses, too. */
const shareOfLimit = 0.8;

/** Whether every base of a target is on this machine. */
export const staysHere = ({ bases }: Target): boolean =>
  Object.values(bases).every((base) => isLoopback(new URL(base)));

export function mixFor(target: Target): Mix {
  const candidates = reads.map((read) => ({ ...read, reason: reasonToLeave(target, read.operation, read.stimulus) }));
  const possible = candidates.filter(({ reason }) => reason === null);
  return {
    shares: possible.map(({ operation, stimulus }) => ({
      operation,
      stimulus,
      perSecond: rateOf(target, operation, stimulus, possible),
    })),
    left: candidates.flatMap(({ operation, reason }) => (reason === null ? [] : [{ operation, reason }])),
  };
}

function reasonToLeave(target: Target, operation: OperationId, stimulus: Stimulus): string | null {
  const feature = operations.find(({ id }) => id === operation)?.feature;
  if (!feature || !target.offers.includes(feature)) return `the target doesn't offer ${feature}`;
  const lack = lackToAsk(stimulus, target);
  if (lack !== null) return lack;
  const price = priceOf(target, operation) ?? 0;
  if (price < dear_credits || staysHere(target) || target.load.operations.includes(operation)) return null;
  return `a call costs ${price} credits, and the target's load.operations doesn't name it`;
}

/** The pace of its API, divided by weight. */
function rateOf(
  target: Target,
  operation: OperationId,
  { api, carriers }: Stimulus,
  possible: readonly { readonly operation: OperationId; readonly stimulus: Stimulus }[],
): number {
  const weightOf = (id: OperationId): number => target.load.weights[id] ?? 1;
  const together = possible
    .filter(({ stimulus }) => stimulus.api === api)
    .reduce((total, one) => total + weightOf(one.operation), 0);
  const holder = carriers.flatMap(({ key }) => ("keyOf" in key ? [key.keyOf] : []))[0];
  const general =
    (holder === undefined ? undefined : keyOf(target, holder)?.project.generalPerSecond) ?? Number.POSITIVE_INFINITY;
  const own = target.apiPerSecond[api];
  const limit =
    own === undefined ? Math.min(target.perSecond, general * shareOfLimit) : Math.min(own, usageMost_perSecond);
  return (limit * weightOf(operation)) / together;
}

export const perSecondOf = ({ shares }: Pick<Mix, "shares">): number =>
  shares.reduce((total, { perSecond }) => total + perSecond, 0);

/** The same mix at another rate; usage requests stay below their documented limit. */
export function scaledTo(shares: readonly Share[], perSecond: number): readonly Share[] {
  const usages = shares.filter(({ stimulus }) => stimulus.api === "admin");
  const others = shares.filter(({ stimulus }) => stimulus.api !== "admin");
  const factor = perSecond / perSecondOf({ shares });
  const ofUsage =
    others.length === 0 ? perSecond : Math.min(usageMost_perSecond, perSecondOf({ shares: usages }) * factor);
  const scale = (some: readonly Share[], to: number): readonly Share[] =>
    some.map((share) => ({ ...share, perSecond: (share.perSecond * to) / perSecondOf({ shares: some }) }));
  return [...scale(usages, ofUsage), ...scale(others, perSecond - ofUsage)];
}

/** Entries of an order, at most. */
const longestOrder = 1_000;

/** An order that spaces each share evenly: smooth weighted round robin. @returns indices into the shares */
export function orderOf(shares: readonly Pick<Share, "perSecond">[]): readonly number[] {
  const all = shares.reduce((total, { perSecond }) => total + perSecond, 0);
  const least = Math.min(...shares.map(({ perSecond }) => perSecond));
  // Long enough for the rarest share to appear five times.
  const length = Math.min(longestOrder, Math.ceil((5 * all) / least));
  const credit = shares.map(() => 0);
  return Array.from({ length }, () => {
    for (const [nth, { perSecond }] of shares.entries()) credit[nth] = (credit[nth] ?? 0) + perSecond / all;
    const next = credit.indexOf(Math.max(...credit));
    credit[next] = (credit[next] ?? 0) - 1;
    return next;
  });
}
