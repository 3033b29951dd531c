// The wallet endpoints: a request is examined, answered or refused, and charged (§4.2, §5, §8)
import { type Identified, identify, mayUse } from "../access/keys.ts";
import type { EndpointServices } from "../metering/endpointServices.ts";
import type { ChargedProject } from "../metering/meters.ts";
import type { Holder, Project } from "../platform/project.ts";
import type { RequestContext } from "../platform/request.ts";
import type { Rules } from "../platform/rules.ts";
import type { WalletCause, WalletRouteName, WalletRules } from "../platform/walletRules.ts";
import { type Doc, headerIn, type PlatformAnswer, type RawHeaders } from "../platform/wire.ts";
import { movementsOf } from "./movements.ts";
import { assetIn, batchIn, momentIn, walletIn } from "./questions.ts";
import {
  balanceAt,
  balancesOf,
  fundedBy,
  transfersOf,
  walletHistoryOf,
  walletIdentity,
  writtenRecord,
} from "./records.ts";
import { Declined, declined } from "./refusals.ts";

interface Served {
  readonly body: Doc;
  /** Addresses and domains in the request. */
  readonly entries: number;
}

const mediaTypeOf = (headers: RawHeaders): string | undefined =>
  headerIn(headers, "content-type")?.split(";")[0]?.trim().toLowerCase();

/** The key, in the carriers that this operation reads. */
function identified(
  operation: WalletRouteName,
  { headers, url, body }: RequestContext,
  { rules, store }: EndpointServices,
): Identified {
  const { headerIgnored, queryIgnored, batchKey } = rules.wallet;
  const isInBody = operation === "batchWalletIdentity" && batchKey === "in the body";
  const carriers = {
    ...(headerIgnored.includes(operation) ? { keyHeader: null } : {}),
    ...(queryIgnored.includes(operation) ? { keyQuery: null } : {}),
  };
  const query = isInBody ? keyInBody(body, rules.keyQuery) : url.searchParams;
  return identify({ ...rules, ...carriers }, store, headers, query);
}

function keyInBody(body: string, name: string | null): URLSearchParams {
  try {
    const sent = JSON.parse(body) as { readonly [member: string]: unknown };
    const key = name === null ? undefined : sent[name];
    return new URLSearchParams(typeof key === "string" && name !== null ? { [name]: key } : {});
  } catch {
    return new URLSearchParams();
  }
}

/** The caller; null where an operation is served without a valid key. @throws Declined */
function callerOf(
  operation: WalletRouteName,
  who: Identified,
  { rules, store }: EndpointServices,
): Extract<Identified, Holder> | null {
  if ("project" in who) return who;
  const { open, keyless } = rules.wallet;
  if (who.cause === "noKey" && keyless === "a demo project's" && store.first)
    return { ...store.first, carrier: "header" };
  if ((who.cause === "noKey" || who.cause === "unknownKey") && open[who.cause].includes(operation)) return null;
  throw new Declined(who.cause);
}

/** The lowest of the paid plans. */
const isLowest = ({ plan }: Project): boolean => plan.kind === "paid" && plan.creditsLimit <= 500_000;

/** The answer that a project's plan leads to (§5.7); null where the operation is open to it. @throws Declined */
function byPlan(
  operation: WalletRouteName,
  project: Project | undefined,
  { onFree, closedToLowest, refusals, choices }: WalletRules,
): PlatformAnswer | null {
  if (!project) return null;
  if (isLowest(project) && closedToLowest.includes(operation)) throw new Declined("plan");
  const free = project.plan.kind === "free" ? onFree[operation] : "served";
  if (free === "served") return null;
  if (free === "nothing") return { status: 204, headers: {}, body: undefined };
  return declined({ ...refusals.plan, status: free }, choices.errorShape);
}

/** @throws Declined */
function serve(operation: WalletRouteName, context: RequestContext, { rules, now_ms }: EndpointServices): Served {
  const { wallet } = rules;
  const query = context.url.searchParams;
  const known = operation === "getWalletBalanceAt" ? Object.values(wallet.balanceAt.names) : [];
  if (
    wallet.choices.unknownQuery === "refused" &&
    [...query.keys()].some((name) => name !== rules.keyQuery && !known.includes(name))
  )
    throw new Declined("query");
  if (operation === "batchWalletIdentity") {
    const wanted = batchIn({ body: context.body, mediaType: mediaTypeOf(context.headers) }, wallet);
    return { body: { identities: wanted.map(walletIdentity) }, entries: wanted.length };
  }
  const named = walletIn(context.wallet ?? "", operation, wallet);
  // A domain without an owner holds nothing; it stands in place of the address.
  const address = named.address ?? named.query;
  switch (operation) {
    case "getWalletIdentity":
      return { body: walletIdentity(named), entries: 1 };
    case "getWalletBalances":
      return { body: balancesOf(address, now_ms(), wallet.choices), entries: 1 };
    case "getWalletBalanceAt": {
      const asset = assetIn(query, wallet);
      const moment = momentIn(query, movementsOf(address)[0]?.at_ms ?? null, now_ms(), wallet);
      return { body: balanceAt(address, asset, moment), entries: 1 };
    }
    case "getWalletHistory":
      return { body: walletHistoryOf(address, wallet.choices), entries: 1 };
    case "getWalletTransfers":
      return { body: transfersOf(address, wallet.choices), entries: 1 };
    case "getWalletFundedBy":
      return { body: fundedBy(address), entries: 1 };
  }
}

function refused(cause: WalletCause, { wallet }: Rules, headers?: Record<string, string>): PlatformAnswer {
  const { refusals, choices } = wallet;
  return declined(refusals[cause], choices.errorShape, headers);
}

function answered(body: Doc, { wallet: { choices }, cacheControl }: Rules): PlatformAnswer {
  const beta: Record<string, string> = choices.beta === "told" ? { "x-api-stability": "beta" } : {};
  const headers = { "content-type": "application/json; charset=utf-8", "cache-control": cacheControl, ...beta };
  return { status: choices.successStatus, headers, body: writtenRecord(body, choices) };
}

/** Answers one request of a wallet endpoint; a served one is charged, whichever carrier the key came in. */
export async function serveWallet(
  operation: WalletRouteName,
  context: RequestContext,
  services: EndpointServices,
): Promise<PlatformAnswer> {
  const { rules, meters } = services;
  const { call, url, body, address, connection } = context;
  const who = identified(operation, context, services);
  call.carrier = who.carrier;
  let payer: ChargedProject | null = null;
  try {
    const caller = callerOf(operation, who, services);
    if (caller) {
      call.project = caller.project;
      payer = meters.payerOf({ ...caller, address, connection });
      if (!mayUse(caller, address, rules)) throw new Declined("blockedAddress");
    }
    const ofPlan = byPlan(operation, caller?.project, rules.wallet);
    if (ofPlan) {
      // Where the plan is judged last, faults of the request come first.
      if (rules.wallet.choices.planJudged === "behind it") serve(operation, context, services);
      if (payer) meters.refuseWallet(payer, { operation, entries: 1 });
      return ofPlan;
    }
    const result = serve(operation, context, services);
    const charge = { operation, entries: result.entries };
    if (payer) await meters.chargeWallet(payer, charge, `${url.pathname}${url.search} ${body}`);
    call.wallet = operation;
    return answered(result.body, rules);
  } catch (error) {
    if (!(error instanceof Declined)) throw error;
    if (payer) meters.refuseWallet(payer, { operation, entries: 1 });
    return refused(error.walletCause, rules);
  }
}

/** The path is served, with another verb. */
export const otherVerb = (allowed: string, { rules }: EndpointServices): PlatformAnswer =>
  refused("verb", rules, { allow: allowed });
