// The questions of a panel: about samples of its targets, accounts picked from their lists, and those the user names.
import { createHash } from "node:crypto";
import fc from "fast-check";
import { statuses } from "../contracts/bundles/requests.ts";
import { balance, health, proofs, tokenAccounts } from "../contracts/shared/jsonRpcRequests.ts";
import { usageRequest } from "../contracts/shared/requestSpecs.ts";
import { canonical, isObject, type Json, listOf, valueAt } from "../harness/core/json.ts";
import { type RequestSpec, requestKey } from "../harness/core/requestSpec.ts";
import type { Target } from "../harness/targets/target.ts";
import type { Exchange } from "../harness/transport/exchange.ts";
import { walletParams, walletRequests } from "./walletReads.ts";

export interface PolledQuestion {
  /** The operation and a digest of what is asked. */
  readonly id: string;
  readonly operation: string;
  readonly requestSpec: RequestSpec;
  /** What is asked for, in short. */
  readonly about: string;
  /** Of a page of accounts. */
  readonly limit: number;
  /** Of all calls of a workload. */
  readonly share?: number;
}

/** More than most owners have of one mint, and a page that any vendor makes in time. */
const page = 100;
const pickedPairs = 12;
const pickedOwners = 3;

type Params = { readonly [member: string]: Json };

/** What a panel may ask: reads. A user's list may name all but usage, and wallets where it pays for them. */
export const panelRequests: { readonly [method: string]: (params: Json) => RequestSpec } = {
  getTokenAccounts: tokenAccounts,
  getCompressedBalance: balance,
  getMultipleNewAddressProofs: proofs,
  getIndexerHealth: () => health(),
  getBundleStatuses: statuses,
  getProjectUsage: () => usageRequest({ as: "owner", keyIn: "header" }),
  ...walletRequests,
};

function questionOf(operation: string, params: Json): PolledQuestion {
  const own = isObject(params) ? params["limit"] : undefined;
  const limit = typeof own === "number" ? own : page;
  const asked = operation === "getTokenAccounts" && isObject(params) ? { limit, ...params } : params;
  const requestSpec = panelRequests[operation]?.(asked);
  if (!requestSpec) throw new Error(`a panel has no question for ${operation}`);
  const digest = createHash("sha256").update(requestKey(requestSpec)).digest("hex").slice(0, 6);
  return { id: `${operation}-${digest}`, operation, requestSpec, about: canonical(params), limit };
}

/** Each once, as it comes first. */
export const distinctQuestions = (questions: readonly PolledQuestion[]): readonly PolledQuestion[] =>
  questions.filter(({ id }, nth) => questions.findIndex((one) => one.id === id) === nth);

/** Values that any target gives at a pointer, facts of its chain included. */
const givenIn = (targets: readonly Target[], at: string): readonly Json[] => [
  ...new Set(targets.flatMap(({ samples }) => valueAt(samples, at) ?? [])),
];

/** About the samples of all targets; the health and the usage of each. */
export function sampleQuestions(targets: readonly Target[]): readonly PolledQuestion[] {
  const owners = ["/owner", "/ownerWithEmptyAccounts"].flatMap((at) => givenIn(targets, at));
  const compressed = targets.flatMap(({ samples }) => listOf(samples["compressed"]));
  const addresses = targets.flatMap(({ samples }) => listOf(samples["newAddresses"])).slice(0, 1);
  const bundles = targets.flatMap(({ samples }) => listOf(samples["landedBundles"])).slice(0, 1);
  return [
    ...owners.map((owner) => questionOf("getTokenAccounts", { owner })),
    ...compressed.flatMap((item) =>
      ["address", "hash"].flatMap((by) => {
        const value = valueAt(item, `/${by}`);
        return value === undefined ? [] : [questionOf("getCompressedBalance", { [by]: value })];
      }),
    ),
    ...addresses.map((address) => questionOf("getMultipleNewAddressProofs", [address])),
    ...bundles.map((id) => questionOf("getBundleStatuses", [[id]])),
    questionOf("getIndexerHealth", null),
    questionOf("getProjectUsage", null),
  ];
}

/** About a wallet of the samples, each of whose reads costs 100 credits. */
export const walletQuestions = (targets: readonly Target[]): readonly PolledQuestion[] =>
  walletParams(targets).map(([operation, params]) => questionOf(operation, params));

/** From a user's list, each `{ method: params }`. */
export const namedQuestions = (list: readonly { readonly [method: string]: Json }[]): readonly PolledQuestion[] =>
  list.flatMap((one) => Object.entries(one).map(([method, params]) => questionOf(method, params)));

/** As a list that names them, except usage, which each vendor has of its own. */
export const asList = (questions: readonly PolledQuestion[]): readonly { readonly [method: string]: Json }[] =>
  questions
    .filter(({ operation }) => operation !== "getProjectUsage")
    .map(({ operation, about }) => ({ [operation]: JSON.parse(about) as Json }));

/** Lists from which accounts are picked: of the mint of any target. */
export const listQuestions = (targets: readonly Target[]): readonly PolledQuestion[] =>
  givenIn(targets, "/mint").map((mint) => questionOf("getTokenAccounts", { mint }));

/** At most so many, in an order of its own for each seed. */
export function picked<One>(all: readonly One[], most: number, seed: number): readonly One[] {
  const size = Math.min(most, all.length);
  return fc.sample(fc.shuffledSubarray([...all], { minLength: size, maxLength: size }), { seed, numRuns: 1 })[0] ?? [];
}

/** Some owners, and owners with a mint, of which lists tell; the same seed picks the same of the same lists. */
export function pickedQuestions(lists: readonly Exchange[], seed: number): readonly PolledQuestion[] {
  const pairs = lists.flatMap(({ answer }) =>
    listOf(valueAt(answer?.json?.value, "/result/token_accounts")).flatMap((account): Params[] => {
      const owner = valueAt(account, "/owner");
      const mint = valueAt(account, "/mint");
      return typeof owner === "string" && typeof mint === "string" ? [{ owner, mint }] : [];
    }),
  );
  const all = [...new Set(pairs.map(canonical))].sort().map((text) => JSON.parse(text) as Params);
  return [
    ...picked(all, pickedPairs, seed).map((pair) => questionOf("getTokenAccounts", pair)),
    ...picked(all, pickedOwners, seed).map(({ owner = "" }) => questionOf("getTokenAccounts", { owner })),
  ];
}
