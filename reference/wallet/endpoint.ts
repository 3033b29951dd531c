// How is a wallet request examined, answered or refused, and charged? (§4.2, §5, §8)
import { type Identified, identify, type RawHeaders } from "../access/keys.ts";
import type { Payer } from "../metering/meters.ts";
import { mayAsk, type RequestContext, type Services } from "../platform/services.ts";
import type { Value, WireAnswer } from "../platform/wire.ts";
import type { Project } from "../platform/world.ts";
import { movementsOf } from "./movements.ts";
import { assetAsked, batchAsked, momentAsked, walletAsked } from "./questions.ts";
import { balanceAt, balancesOf, fundedBy, historyOf, identityOf, transfersOf, written } from "./records.ts";
import { Declined, declined, type WalletCause } from "./refusals.ts";
import type { WalletOperation, WalletRules } from "./rules.ts";

type Body = { [member: string]: Value };

interface Told {
  readonly body: Body;
  /** Addresses and domains that were asked for. */
  readonly entries: number;
}

const valueOf = (headers: RawHeaders, wanted: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
const mediaTypeOf = (headers: RawHeaders): string | undefined =>
  valueOf(headers, "content-type")?.split(";")[0]?.trim().toLowerCase();

/** The key's carriers as far as this operation looks at them. */
function identified(
  operation: WalletOperation,
  { headers, url, body }: RequestContext,
  { rules, world }: Services,
): Identified {
  const { headerIgnored, queryIgnored, batchKey } = rules.wallet;
  const isInBody = operation === "batchWalletIdentity" && batchKey === "in the body";
  const carriers = {
    ...(headerIgnored.includes(operation) ? { keyHeader: null } : {}),
    ...(queryIgnored.includes(operation) ? { keyQuery: null } : {}),
  };
  return identify(
    { ...rules, ...carriers },
    world,
    headers,
    isInBody ? keyInBody(body, rules.keyQuery) : url.searchParams,
  );
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

/** Whose request it is; null where it is served to nobody in particular. @throws Declined */
function askerOf(
  operation: WalletOperation,
  who: Identified,
  { rules, world }: Services,
): Extract<Identified, { project: Project }> | null {
  if ("project" in who) return who;
  const { open, keyless } = rules.wallet;
  const [project] = world.projects;
  const [key] = project?.keys ?? [];
  if (who.cause === "noKey" && keyless === "a demo project's" && project && key)
    return { project, key, carrier: "header" };
  if ((who.cause === "noKey" || who.cause === "unknownKey") && open[who.cause].includes(operation)) return null;
  throw new Declined(who.cause);
}

/** The lowest of the plans that cost something. */
const isLowest = ({ plan }: Project): boolean => plan.kind === "paid" && plan.creditsLimit <= 500_000;

/** What a project's plan makes of an operation: nothing said, or an answer (§5.7). */
function byPlan(
  operation: WalletOperation,
  project: Project | undefined,
  { onFree, closedToLowest, refusals, choices }: WalletRules,
): WireAnswer | null {
  if (!project) return null;
  if (isLowest(project) && closedToLowest.includes(operation)) throw new Declined("plan");
  const free = project.plan.kind === "free" ? onFree[operation] : "served";
  if (free === "served") return null;
  if (free === "nothing") return { status: 204, headers: {}, body: undefined };
  return declined({ ...refusals.plan, status: free }, choices.errorShape);
}

/** @throws Declined */
function tellOf(operation: WalletOperation, context: RequestContext, { rules, now_ms }: Services): Told {
  const { wallet } = rules;
  const query = context.url.searchParams;
  const known = operation === "getWalletBalanceAt" ? Object.values(wallet.balanceAt.names) : [];
  if (
    wallet.choices.unknownQuery === "refused" &&
    [...query.keys()].some((name) => name !== rules.keyQuery && !known.includes(name))
  )
    throw new Declined("query");
  if (operation === "batchWalletIdentity") {
    const asked = batchAsked({ body: context.body, mediaType: mediaTypeOf(context.headers) }, wallet);
    return { body: { identities: asked.map(identityOf) }, entries: asked.length };
  }
  const named = walletAsked(context.wallet ?? "", operation, wallet);
  // Nobody owns the domain, so nothing is held there; the domain stands for the address.
  const address = named.address ?? named.query;
  switch (operation) {
    case "getWalletIdentity":
      return { body: identityOf(named), entries: 1 };
    case "getWalletBalances":
      return { body: balancesOf(address, now_ms(), wallet.choices), entries: 1 };
    case "getWalletBalanceAt": {
      const asset = assetAsked(query, wallet);
      const moment = momentAsked(query, movementsOf(address)[0]?.at_ms ?? null, now_ms(), wallet);
      return { body: balanceAt(address, asset, moment), entries: 1 };
    }
    case "getWalletHistory":
      return { body: historyOf(address, wallet.choices), entries: 1 };
    case "getWalletTransfers":
      return { body: transfersOf(address, wallet.choices), entries: 1 };
    case "getWalletFundedBy":
      return { body: fundedBy(address), entries: 1 };
  }
}

function refused(cause: WalletCause, { wallet }: Services["rules"], headers?: Record<string, string>): WireAnswer {
  const { refusals, choices } = wallet;
  return declined(refusals[cause], choices.errorShape, headers);
}

/** Answers one request of a wallet endpoint; served ones are charged, whichever carrier the key came by. */
export async function wallet(
  operation: WalletOperation,
  context: RequestContext,
  services: Services,
): Promise<WireAnswer> {
  const { rules, meters } = services;
  const { call, url, body } = context;
  const who = identified(operation, context, services);
  call.carrier = who.carrier;
  let payer: Payer | null = null;
  try {
    const asker = askerOf(operation, who, services);
    if (asker) {
      call.project = asker.project;
      payer = meters.payerOf({ ...asker, address: context.address, connection: context.connection });
      if (!mayAsk(asker, context.address, rules)) throw new Declined("blockedAddress");
    }
    const ofPlan = byPlan(operation, asker?.project, rules.wallet);
    if (ofPlan) {
      // What is wrong with the request is told first.
      if (rules.wallet.choices.planJudged === "behind it") tellOf(operation, context, services);
      if (payer) meters.refuseWallet(payer, { operation, entries: 1 });
      return ofPlan;
    }
    const told = tellOf(operation, context, services);
    if (payer)
      await meters.chargeWallet(payer, { operation, entries: told.entries }, `${url.pathname}${url.search} ${body}`);
    call.wallet = operation;
    const beta: Record<string, string> = rules.wallet.choices.beta === "told" ? { "x-api-stability": "beta" } : {};
    const headers = { "content-type": "application/json; charset=utf-8", "cache-control": rules.cacheControl, ...beta };
    return { status: rules.wallet.choices.successStatus, headers, body: written(told.body, rules.wallet.choices) };
  } catch (error) {
    if (!(error instanceof Declined)) throw error;
    if (payer) meters.refuseWallet(payer, { operation, entries: 1 });
    return refused(error.walletCause, rules);
  }
}

/** The path is served, by another verb. */
export const otherVerb = (allowed: string, { rules }: Services): WireAnswer =>
  refused("verb", rules, { allow: allowed });
