// A survey: what a platform offers and whose keys it knows, learnt by the fewest calls before a first run (§4, §5)

import type { KnownProject } from "../harness/core/interface.ts";
import { isObject } from "../harness/core/json.ts";
import { BudgetSpent, Inconclusive, Withheld } from "../harness/core/outcomes.ts";
import type { Asker, RequestSpec } from "../harness/core/requestSpec.ts";
import { givenAt } from "../harness/core/template.ts";
import { unmetNeedOf } from "../harness/engine/unmetNeeds.ts";
import type { CheckContext } from "../harness/model/check.ts";
import type { SampleFinder, SampleNote } from "../harness/model/sampleFinder.ts";
import { describeOutcome, isServed, rpcErrorOf } from "../harness/transport/answers.ts";
import { type Exchange, headerOf } from "../harness/transport/exchange.ts";
import { returnedBy } from "../harness/transport/fates.ts";
import { statedIn } from "../harness/transport/rateHeaders.ts";
import { type Api, type Feature, rpcErrors } from "../specs/generated/operations.ts";
import { statuses, unknownBundleIds } from "./bundles/requests.ts";
import { onePerFeature } from "./jsonrpc/baselineRequests.ts";
import { mint, tokenAccounts } from "./shared/jsonRpcRequests.ts";
import { usageRequest } from "./shared/requestSpecs.ts";
import { accountsIn } from "./tokenAccounts/walks.ts";
import { valueIn } from "./usage/usageReader.ts";
import { balances, moment, sampleWallet, unknownAddresses } from "./wallet/requests.ts";

export interface SeenKey {
  readonly asker: Asker;
  /** `other project`: it isn't the key of the project whose id was given with it. */
  readonly is: "known" | "unknown" | "other project" | "admin interface off" | "unclear";
  readonly outcome: string;
  /** What its usage shows of its project. */
  readonly project: Partial<Pick<KnownProject, "plan" | "planName" | "creditsLimit">>;
}

export interface SeenFeature {
  readonly feature: Feature;
  readonly is: "offered" | "not offered" | "unclear";
  readonly outcome: string;
}

export interface SeenApi {
  readonly api: Api;
  readonly isReachable: boolean;
  readonly outcome: string;
  readonly latency_ms: number;
  /** How far its clock is ahead of ours, in whole seconds; null where it shows none. */
  readonly ahead_s: number | null;
  /** False where nothing it answered looks like this interface, as below a wrong path. */
  readonly isInterface: boolean;
}

/** A name that the interface doesn't show, tried there. */
export interface TriedName {
  /** A JSON pointer into the target file. */
  readonly at: string;
  readonly name: string;
  /** Whether an effect was seen. */
  readonly isTaken: boolean;
}

/** What was seen so far; each list grows. */
export interface Survey {
  readonly apis: SeenApi[];
  readonly keys: SeenKey[];
  readonly features: SeenFeature[];
  readonly names: TriedName[];
  /** What was found where the target gives no sample. */
  readonly samples: SampleNote[];
  /** Whether bundles can be sent, and what they lack; null where none may be. */
  bundles: string | null;
  /** The rates that headers state, in requests per second. */
  readonly rates: number[];
}

export const unseen = (): Survey => ({
  apis: [],
  keys: [],
  features: [],
  names: [],
  samples: [],
  bundles: null,
  rates: [],
});

/** The clock and the time that an answer took, of an API that is reachable. */
function reachable({ requestSpec: { api }, answer, sentAt_ms, latency_ms }: Exchange): SeenApi {
  const date_ms = answer ? Date.parse(headerOf(answer, "date") ?? "") : Number.NaN;
  const ahead_s = Number.isNaN(date_ms) ? null : Math.round((date_ms - sentAt_ms - latency_ms / 2) / 1000);
  const outcome = `HTTP ${answer?.status}`;
  return { api, isReachable: true, outcome, latency_ms: Math.round(latency_ms), ahead_s, isInterface: true };
}

/** Whether what stands at that address may be the API: other servers answer 404, or with a page of theirs. */
function isOfInterface(exchange: Exchange): boolean {
  const { answer, protocol } = exchange;
  if (!answer || rpcErrorOf(exchange)?.code !== undefined) return true;
  if (protocol.kind === "http" && isServed(exchange)) return answer.json !== null;
  return isServed(exchange) || [400, 401, 403].includes(answer.status) || answer.status >= 429;
}

type Ask = (requestSpec: RequestSpec) => Promise<Exchange | null>;

/** Null where the target lacks what a request needs, or nothing that can be judged is answered. */
const askerFor =
  ({ target, ask }: CheckContext, { apis, rates }: Survey): Ask =>
  async (requestSpec) => {
    const { api } = requestSpec;
    // The first answer of each API shows whether it is reachable, and its clock.
    const see = (seen: SeenApi): void => {
      const nth = apis.findIndex((one) => one.api === api);
      const before = apis[nth];
      if (!before) apis.push(seen);
      else if (seen.isInterface && !before.isInterface) apis[nth] = { ...before, isInterface: true };
    };
    if (unmetNeedOf(requestSpec, target) !== null) return null;
    try {
      const exchange = await ask(requestSpec);
      see({ ...reachable(exchange), isInterface: isOfInterface(exchange) });
      const { perSecond } = statedIn(exchange.answer ?? { headers: [] }, exchange.sentAt_ms);
      if (Number.isFinite(perSecond)) rates.push(perSecond);
      return exchange;
    } catch (error) {
      if (error instanceof Inconclusive)
        see({ api, isReachable: false, outcome: error.message, latency_ms: 0, ahead_s: null, isInterface: false });
      else if (!(error instanceof BudgetSpent)) throw error;
      return null;
    }
  };

/** Whose key it is, by the usage of the project that it is said to belong to (§5.4, §7.1). */
function seenKey(asker: Asker, exchange: Exchange): SeenKey {
  const { answer } = exchange;
  const outcome = answer ? `HTTP ${answer.status}` : describeOutcome(exchange);
  const says = (is: SeenKey["is"], project: SeenKey["project"] = {}): SeenKey => ({ asker, is, outcome, project });
  if (answer?.status === 401) return says("unknown");
  if (answer?.status === 400) return says("other project");
  if (answer?.status === 403) return says("admin interface off");
  if (!isServed(exchange)) return says("unclear");
  const [cycle, planName, limit] = ["billingCycle", "plan", "creditsLimit"].map((member) =>
    valueIn(exchange, `/subscriptionDetails/${member}`),
  );
  return says("known", {
    ...(cycle === undefined ? {} : { plan: cycle === null ? "free" : "paid" }),
    ...(typeof planName === "string" ? { planName } : {}),
    ...(typeof limit === "number" ? { creditsLimit: limit } : {}),
  });
}

const methodNotFound = -32601;

/** A refusal for anything but a method's name, or for the key of a path, shows that a feature is there. */
function presenceIn(exchange: Exchange): SeenFeature["is"] {
  const { protocol, answer } = exchange;
  if (protocol.kind === "http" && answer?.status === 404) return "not offered";
  if (protocol.kind === "http") return answer?.status === 401 || answer?.status === 403 ? "offered" : "unclear";
  const code = rpcErrorOf(exchange)?.code;
  if (code === methodNotFound) return "not offered";
  return isServed(exchange) || code !== undefined ? "offered" : "unclear";
}

const [unknown = ""] = unknownAddresses(1);

/** One for each feature; without a key a wallet costs nothing. */
const requests: readonly (readonly [Feature, RequestSpec])[] = [
  ...onePerFeature
    .filter(({ feature }) => feature === "compression")
    .map(({ feature, ask }) => [feature, ask({ id: "survey" })] as const),
  ["tokenAccounts", tokenAccounts({ owner: unknown, limit: 1 }, { id: "survey" })],
  ["bundles", statuses([unknownBundleIds.slice(0, 1)], { id: "survey" })],
  ["wallet", { ...balances({ as: "anonymous" }), path: ["/v1/wallet/", unknown, "/balances"] }],
];

/** The code by which JSON-RPC methods refuse a key that they don't know (§5.5, §7.2). */
const unknownKeyCodes = new Set(
  Object.values(rpcErrors).flatMap((rows) => rows.flatMap(({ cause, code }) => (cause === "key" ? [code] : []))),
);

/** A key that a method refuses as unknown, where no usage endpoint has shown whose it is. */
function refusedKey(exchange: Exchange, askers: readonly Asker[], { keys }: Survey): readonly SeenKey[] {
  const code = rpcErrorOf(exchange)?.code;
  const asker = askers.find((one) => one === exchange.asker?.role);
  if (!asker || keys.length > 0 || code === undefined || !unknownKeyCodes.has(code)) return [];
  return [{ asker, is: "unknown", outcome: `error ${code}`, project: {} }];
}

/** Names tried for the flag, most likely first. */
const flags = ["showZeroBalance", "includeZeroBalance", "showZeroBalances", "showEmpty"];
const listed = (options: { readonly [flag: string]: boolean }): RequestSpec =>
  tokenAccounts({ mint, limit: 100, options }, { id: "survey" });
const hasEmpty = (exchange: Exchange): boolean =>
  accountsIn(exchange).some((account) => isObject(account) && account["amount"] === 0);

const undescribed = { ...balances(), operation: null };
const identities = (member: string): RequestSpec => ({
  ...undescribed,
  method: "POST",
  path: ["/v1/wallet/", "batch-identity"],
  headers: [["content-type", "application/json"]],
  json: { [member]: [sampleWallet(0), ...unknownAddresses(1)] },
});
const pastBalance =
  (form: keyof typeof moment) =>
  (parameter: string): RequestSpec => ({
    ...undescribed,
    path: ["/v1/wallet/", sampleWallet(0), "/balance-at"],
    query: [[parameter, moment[form]]],
  });

/** Names of parameters of wallet endpoints, and the call of 100 credits (§8) that tries one. */
const walletNames: readonly (readonly [at: string, names: readonly string[], call: (name: string) => RequestSpec])[] = [
  ["/names/batchIdentity", ["addresses", "wallets"], identities],
  ["/names/balanceAt/time", ["time", "timestamp"], pastBalance("time")],
  ["/names/balanceAt/datetime", ["datetime", "date"], pastBalance("datetime")],
  ["/names/balanceAt/slot", ["slot"], pastBalance("slot")],
];
const madeUp = "assayUnknownName";

export type Looks = "keys" | "all" | "paid";

/** Samples that a run would look for, by a finder that sends no bundle. */
async function samplesBy(
  { needs, discoverable, feature, find }: SampleFinder,
  context: CheckContext,
): Promise<readonly SampleNote[]> {
  const { target } = context;
  const wanted = Object.keys(discoverable(target)).filter((at) => givenAt(target, at) === undefined);
  if (needs.sends || wanted.length === 0 || !target.offers.includes(feature)) return [];
  return find(context, wanted).catch((error: unknown) => {
    if (error instanceof Withheld || error instanceof Inconclusive || error instanceof BudgetSpent) return [];
    throw error;
  });
}

/**
 * What a platform shows; no bundle is sent, and no call of 100 credits unless asked for.
 * @param askers whose keys are tried, each on the project that the target names with it
 * @param looks `keys`: at nothing else · `all` · `paid`: also by calls of 100 credits
 */
export async function survey(
  context: CheckContext,
  askers: readonly Asker[],
  looks: Looks,
  finders: readonly SampleFinder[] = [],
): Promise<Survey> {
  const { offers } = context.target;
  const seen = unseen();
  const ask = askerFor(context, seen);
  for (const asker of offers.includes("usage") ? askers : []) {
    const exchange = await ask(usageRequest({ as: asker }));
    if (exchange) seen.keys.push(seenKey(asker, exchange));
  }
  if (looks === "keys") return seen;
  for (const [feature, request] of requests) {
    const exchange = offers.includes(feature) ? await ask(request) : null;
    if (exchange) seen.keys.push(...refusedKey(exchange, askers, seen));
    if (exchange)
      seen.features.push({
        feature,
        is: presenceIn(exchange),
        outcome: rpcErrorOf(exchange) ? returnedBy(exchange) : describeOutcome(exchange),
      });
  }
  const isUnnamed = (at: string): boolean => givenAt(context.target, at) === undefined;
  /** Tries names up to the first that has an effect. */
  const tryNames = async (
    at: string,
    names: readonly string[],
    call: (name: string) => RequestSpec,
    hasEffect: (exchange: Exchange) => boolean,
  ): Promise<void> => {
    for (const name of names) {
      const exchange = await ask(call(name));
      if (exchange) seen.names.push({ at, name, isTaken: hasEffect(exchange) });
      if (!exchange || hasEffect(exchange)) return;
    }
  };
  if (offers.includes("tokenAccounts") && isUnnamed("/names/emptyAccountsFlag")) {
    const plain = await ask(listed({}));
    // The flag lists empty accounts, where none are listed without it.
    if (plain && isServed(plain) && !hasEmpty(plain))
      await tryNames("/names/emptyAccountsFlag", flags, (name) => listed({ [name]: true }), hasEmpty);
  }
  for (const [at, names, call] of looks === "paid" && offers.includes("wallet") ? walletNames : []) {
    const plain = isUnnamed(at) ? await ask(call(madeUp)) : null;
    // Where an unknown name is served, too, no name shows an effect.
    if (plain && !isServed(plain)) await tryNames(at, names, call, isServed);
  }
  for (const finder of finders) seen.samples.push(...(await samplesBy(finder, context)));
  return seen;
}
