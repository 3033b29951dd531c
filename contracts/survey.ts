// A survey: what a platform offers and whose keys it knows, learnt by the fewest calls before a first run (§4, §5)
import { isObject } from "../harness/core/json.ts";
import { Inconclusive } from "../harness/core/outcomes.ts";
import type { Asker, Stimulus } from "../harness/core/stimulus.ts";
import { givenAt, type Knowledge } from "../harness/core/template.ts";
import type { Check, CheckContext } from "../harness/model/check.ts";
import type { Suite } from "../harness/model/suite.ts";
import type { KnownProject } from "../harness/target/target.ts";
import { isServed, outcomeOf, rpcErrorOf } from "../harness/transport/answers.ts";
import { type Exchange, headerOf } from "../harness/transport/exchange.ts";
import type { Api, Feature } from "../specs/generated/operations.ts";
import { statuses, unknownBundleIds } from "./bundles/requests.ts";
import { onePerFeature } from "./jsonrpc/baselineRequests.ts";
import { forFeature } from "./shared/forFeature.ts";
import { mint, owner, ownerWithEmptyAccounts, tokenAccounts } from "./shared/jsonRpcRequests.ts";
import { usage } from "./shared/stimuli.ts";
import { accountsIn } from "./tokenAccounts/walks.ts";
import { valueIn } from "./usage/usageReader.ts";
import { balances, moment, unknownAddresses, wallet } from "./wallet/requests.ts";

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
}

/** The first answer of each API shows whether it is reachable, and its clock. */
function note({ apis }: Survey, { stimulus: { api }, answer, ...exchange }: Exchange): void {
  if (apis.some((one) => one.api === api)) return;
  const { sentAt_ms, latency_ms } = exchange;
  const date_ms = answer ? Date.parse(headerOf(answer, "date") ?? "") : Number.NaN;
  const ahead_s = Number.isNaN(date_ms) ? null : Math.round((date_ms - sentAt_ms - latency_ms / 2) / 1000);
  const outcome = answer ? `HTTP ${answer.status}` : "no answer";
  apis.push({ api, isReachable: answer !== null, outcome, latency_ms: Math.round(latency_ms), ahead_s });
}

/** One step: requests whose answers are noted, or the reason why none came. */
const step = (
  survey: Survey,
  feature: Feature,
  requests: readonly Stimulus[],
  see: (ask: (stimulus: Stimulus) => Promise<Exchange>) => Promise<void>,
): Check =>
  forFeature(feature).scenario([], { requests }, async (context: CheckContext) => {
    const ask = async (stimulus: Stimulus): Promise<Exchange> => {
      const exchange = await context.ask(stimulus);
      note(survey, exchange);
      return exchange;
    };
    await see(ask).catch((error: unknown) => {
      const [{ api }] = requests as [Stimulus];
      if (!(error instanceof Inconclusive)) throw error;
      if (survey.apis.some((one) => one.api === api)) return;
      survey.apis.push({ api, isReachable: false, outcome: error.message, latency_ms: 0, ahead_s: null });
    });
    return [];
  });

/** Whose key it is, by the usage of the project that it is said to belong to (§5.4, §7.1). */
function seenKey(asker: Asker, exchange: Exchange): SeenKey {
  const { answer } = exchange;
  const says = (is: SeenKey["is"], project: SeenKey["project"] = {}): SeenKey => ({
    asker,
    is,
    outcome: outcomeOf(exchange),
    project,
  });
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

const ofKey = (survey: Survey, asker: Asker): Check =>
  step(survey, "usage", [usage({ as: asker })], async (ask) => {
    survey.keys.push(seenKey(asker, await ask(usage({ as: asker }))));
  });

const methodNotFound = -32601;

/** A method that is served, or refused for anything but its name, is offered. */
const ofMethod = (survey: Survey, feature: Feature, stimulus: Stimulus): Check =>
  step(survey, feature, [stimulus], async (ask) => {
    const exchange = await ask(stimulus);
    const code = rpcErrorOf(exchange)?.code;
    const isThere = isServed(exchange) || (code !== undefined && code !== methodNotFound);
    const is = isThere ? "offered" : code === methodNotFound ? "not offered" : "unclear";
    survey.features.push({ feature, is, outcome: outcomeOf(exchange) });
  });

/** Without a key nothing is charged: a refusal for the key shows that the path is there. */
const unpaidWallet: Stimulus = {
  ...balances({ as: "anonymous" }),
  path: ["/v1/wallet/", unknownAddresses(1)[0] ?? "", "/balances"],
};
const ofWallets = (survey: Survey): Check =>
  step(survey, "wallet", [unpaidWallet], async (ask) => {
    const exchange = await ask(unpaidWallet);
    const { status = 0 } = exchange.answer ?? {};
    const is = status === 404 ? "not offered" : status === 401 || status === 403 ? "offered" : "unclear";
    survey.features.push({ feature: "wallet", is, outcome: outcomeOf(exchange) });
  });

/** Names tried for the flag, most likely first. */
const flags = ["showZeroBalance", "includeZeroBalance", "showZeroBalances", "showEmpty"];
const listed = (options: { readonly [flag: string]: boolean }): Stimulus =>
  tokenAccounts({ mint, limit: 100, options }, { id: "survey" });
const hasEmpty = (exchange: Exchange): boolean =>
  accountsIn(exchange).some((account) => isObject(account) && account["amount"] === 0);

/** A flag that lists empty accounts, where none are listed without it. */
const ofFlag = (survey: Survey): Check =>
  step(survey, "tokenAccounts", [listed({})], async (ask) => {
    const plain = await ask(listed({}));
    if (!isServed(plain) || hasEmpty(plain)) return;
    for (const name of flags) {
      const isTaken = hasEmpty(await ask(listed({ [name]: true })));
      survey.names.push({ at: "/names/emptyAccountsFlag", name, isTaken });
      if (isTaken) return;
    }
  });

const identities = (member: string): Stimulus => ({
  ...balances(),
  operation: null,
  method: "POST",
  path: ["/v1/wallet/", "batch-identity"],
  headers: [["content-type", "application/json"]],
  json: { [member]: [wallet(0), ...unknownAddresses(1)] },
});
const pastBalance =
  (form: keyof typeof moment) =>
  (parameter: string): Stimulus => ({
    ...balances(),
    operation: null,
    path: ["/v1/wallet/", wallet(0), "/balance-at"],
    query: [[parameter, moment[form]]],
  });

/** Names of parameters of wallet endpoints, and the call of 100 credits (§8) that tries one. */
const walletNames: readonly {
  readonly at: string;
  readonly names: readonly string[];
  readonly call: (name: string) => Stimulus;
}[] = [
  { at: "/names/batchIdentity", names: ["addresses", "wallets"], call: identities },
  { at: "/names/balanceAt/time", names: ["time", "timestamp"], call: pastBalance("time") },
  { at: "/names/balanceAt/datetime", names: ["datetime", "date"], call: pastBalance("datetime") },
  { at: "/names/balanceAt/slot", names: ["slot"], call: pastBalance("slot") },
];
const madeUp = "assayUnknownName";

const ofWalletName = (survey: Survey, { at, names, call }: (typeof walletNames)[number]): Check =>
  step(survey, "wallet", [madeUp, ...names].map(call), async (ask) => {
    // Where an unknown name is served, too, no name shows an effect.
    if (isServed(await ask(call(madeUp)))) return;
    for (const name of names) {
      const isTaken = isServed(await ask(call(name)));
      survey.names.push({ at, name, isTaken });
      if (isTaken) return;
    }
  });

/** Nothing is asked, so that only samples are looked for. */
const ofSamples = forFeature("tokenAccounts").scenario(
  [],
  { requests: [owner, ownerWithEmptyAccounts].map((one) => tokenAccounts({ owner: one, limit: 1 }, { id: "survey" })) },
  () => Promise.resolve([]),
);

/**
 * The suite of a survey, which notes what it sees; it sends no bundle, and no call of 100 credits unless asked for.
 * @param askers whose keys are tried, each on the project that the target names with it
 * @param looks `keys`: at nothing else · `all` · `paid`: also by calls of 100 credits
 */
export function surveySuite(
  { auditor: _, ...suite }: Suite,
  survey: Survey,
  askers: readonly Asker[],
  target: Knowledge,
  looks: "keys" | "all" | "paid",
): Suite {
  const isUnnamed = (at: string): boolean => givenAt(target, at) === undefined;
  const others = [
    ...onePerFeature
      .filter(({ feature }) => feature !== "bundles")
      .map(({ feature, ask }) => ofMethod(survey, feature, ask({ id: "survey" }))),
    ofMethod(survey, "bundles", statuses([unknownBundleIds.slice(0, 1)], { id: "survey" })),
    ofWallets(survey),
    ofSamples,
    ...(isUnnamed("/names/emptyAccountsFlag") ? [ofFlag(survey)] : []),
    ...(looks === "paid" ? walletNames.filter(({ at }) => isUnnamed(at)).map((one) => ofWalletName(survey, one)) : []),
  ];
  return {
    ...suite,
    laws: [],
    probes: [],
    authSanityChecks: [],
    checks: [...askers.map((asker) => ofKey(survey, asker)), ...(looks === "keys" ? [] : others)],
  };
}
