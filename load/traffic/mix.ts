// The mix of requests of a load, and how often each operation is called

import { type OperationId, operationOf } from "../../harness/core/interface.ts";
import { isLoopback } from "../../harness/core/loopback.ts";
import { describeReason, type Reason } from "../../harness/core/reason.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import { weightedTurns } from "../../harness/core/roundRobin.ts";
import { unmetNeedOf } from "../../harness/engine/unmetNeeds.ts";
import type { Suite } from "../../harness/model/suite.ts";
import { priceOf } from "../../harness/targets/budget.ts";
import type { Target } from "../../harness/targets/target.ts";
import { knownAsker } from "../../harness/transport/recording.ts";
import { shareOfLimit } from "../../harness/transport/requestLimiter.ts";
import { loadProfileOf } from "./loadProfile.ts";

/** A request that may be sent over and over. */
export interface MixedRead {
  readonly operation: OperationId;
  readonly requestSpec: RequestSpec;
}

/** A suite, and what a load by the same interface sends. */
export interface LoadSuite extends Suite {
  /** One of each operation that can be undone. */
  readonly reads: readonly MixedRead[];
  /** What k6 runs: it judges by the laws of this suite. */
  readonly script: URL;
}

export interface MixShare extends MixedRead {
  /** Its rate where the mix runs at the allowed pace. */
  readonly perSecond: number;
  /** Requests per second on its API, at most; null where the interface states no limit. */
  readonly apiMost_perSecond: number | null;
}

export interface Mix {
  readonly shares: readonly MixShare[];
  readonly left: readonly { readonly operation: OperationId; readonly reason: string }[];
}

/** Operations that weren't served before a load, and why. */
export type LeftOut = ReadonlyMap<OperationId, Reason>;

/** Calls that cost as much are part of a mix only on loopback or where the target names them. */
const dear_credits = 100;

/** Below the limit that is stated of an API, as a generator can't space requests perfectly; null where none is. */
function apiMostOf({ interface: { limits } }: Target, { api }: RequestSpec): number | null {
  const stated = limits.find((limit) => "api" in limit && limit.api === api);
  return stated ? stated.perSecond - 1 : null;
}

/** Whether every base of a target is on this machine. */
export const staysHere = ({ bases }: Target): boolean =>
  Object.values<string | undefined>(bases).every((base) => base === undefined || isLoopback(new URL(base)));

export function mixFor(target: Target, reads: readonly MixedRead[], leftOut: LeftOut = new Map()): Mix {
  const candidates = reads.map((read) => ({ ...read, reason: reasonToLeave(target, read, leftOut) }));
  const possible = candidates.filter(({ reason }) => reason === null);
  return {
    shares: possible.map(({ reason: _, ...read }) => ({
      ...read,
      perSecond: rateOf(target, read, possible),
      apiMost_perSecond: apiMostOf(target, read.requestSpec),
    })),
    left: candidates.flatMap(({ operation, reason }) => (reason === null ? [] : [{ operation, reason }])),
  };
}

function reasonToLeave(target: Target, { operation, requestSpec }: MixedRead, leftOut: LeftOut): string | null {
  const feature = operationOf(target.interface, operation)?.feature;
  if (!feature || !target.offers.includes(feature)) return `the target doesn't offer ${feature}`;
  const lack = leftOut.get(operation) ?? unmetNeedOf(requestSpec, target);
  if (lack !== null) return describeReason(lack);
  const price = priceOf(target, operation) ?? 0;
  if (price < dear_credits || staysHere(target) || loadProfileOf(target).operations.includes(operation)) return null;
  return `a call costs ${price} credits, and the target's load.operations doesn't name it`;
}

/** The pace of its API, divided by weight. */
function rateOf(target: Target, { operation, requestSpec }: MixedRead, possible: readonly MixedRead[]): number {
  const { api } = requestSpec;
  const weightOf = (id: OperationId): number => loadProfileOf(target).weights[id] ?? 1;
  const together = possible
    .filter((one) => one.requestSpec.api === api)
    .reduce((total, one) => total + weightOf(one.operation), 0);
  const { generalPerSecond = Number.POSITIVE_INFINITY } = knownAsker(target, requestSpec)?.project ?? {};
  const own = target.apiPerSecond[api];
  const limit =
    own === undefined
      ? Math.min(target.perSecond, generalPerSecond * shareOfLimit)
      : Math.min(own, apiMostOf(target, requestSpec) ?? own);
  return (limit * weightOf(operation)) / together;
}

export const perSecondOf = ({ shares }: Pick<Mix, "shares">): number =>
  shares.reduce((total, { perSecond }) => total + perSecond, 0);

/** The same mix at another rate; APIs stay below their stated limits. */
export function scaledTo(shares: readonly MixShare[], perSecond: number): readonly MixShare[] {
  const unlimited = shares.filter(({ apiMost_perSecond: most }) => most === null);
  const factor = perSecond / perSecondOf({ shares });
  const limited = [
    ...new Set(shares.filter((one) => !unlimited.includes(one)).map(({ requestSpec }) => requestSpec.api)),
  ];
  const scaled = limited.flatMap((api) => {
    const ofApi = shares.filter(({ requestSpec }) => requestSpec.api === api);
    const isAlone = unlimited.length === 0 && limited.length === 1;
    const most = ofApi[0]?.apiMost_perSecond ?? Number.POSITIVE_INFINITY;
    return scaleOf(ofApi, isAlone ? perSecond : Math.min(most, perSecondOf({ shares: ofApi }) * factor));
  });
  return [...scaled, ...scaleOf(unlimited, perSecond - perSecondOf({ shares: scaled }))];
}

const scaleOf = (shares: readonly MixShare[], to: number): readonly MixShare[] =>
  shares.map((share) => ({ ...share, perSecond: (share.perSecond * to) / perSecondOf({ shares }) }));

const longestOrder = 1_000;

/** An order that spaces each share evenly: smooth weighted round robin. @returns indices into the shares */
export function orderOf(shares: readonly Pick<MixShare, "perSecond">[]): readonly number[] {
  const all = shares.reduce((total, { perSecond }) => total + perSecond, 0);
  const least = Math.min(...shares.map(({ perSecond }) => perSecond));
  // Long enough for the rarest share to appear five times.
  const length = Math.min(longestOrder, Math.ceil((5 * all) / least));
  const next = weightedTurns(shares.map(({ perSecond }) => perSecond));
  return Array.from({ length }, () => next());
}
