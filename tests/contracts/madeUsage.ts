// Usage documents made for one test, and exchanges with them, without a platform
import type { Json } from "../../harness/core/json.ts";
import type { Law } from "../../harness/model/law.ts";
import type { Exchange, KnownAsker } from "../../harness/transport/exchange.ts";
import { exchangeOf, type TypedAnswer } from "../golden/build.ts";

/** 400 regular and 100 prepaid credits of 11 products, of a limit of 1000. */
const document: Json = {
  creditsRemaining: 600,
  creditsUsed: 500,
  prepaidCreditsRemaining: 40,
  prepaidCreditsUsed: 100,
  creditCycle: { start: "2025-02-28", end: "2025-03-27" },
  subscriptionDetails: {
    billingCycle: { start: "2025-02-28", end: "2025-03-27" },
    creditsLimit: 1000,
    plan: "business",
  },
  credits: {
    ...{ rpc: 240, enhancedApi: 5, walletApi: 100, das: 100, webhooks: 10, streamGrpc: 10, streamWebsocket: 10 },
    ...{ preConfirmations: 10, archival: 5, compression: 5, other: 5 },
  },
  requests: {
    ...{ rpc: 240, enhancedApi: 1, walletApi: 1, das: 10, webhooks: 10, preConfirmations: 1, archival: 1 },
    ...{ compression: 1, other: 1 },
  },
  dataTransfer: { streamGrpc: 1000, streamWebsocket: 1000 },
};

/** What differs from the document, by pointer; undefined leaves a member out. */
export type Change = { readonly [at: string]: Json | undefined };

export function changed(change: Change): Json {
  const copy = structuredClone(document) as { [member: string]: unknown };
  for (const [at, value] of Object.entries(change)) {
    const [last = "", ...parents] = at.split("/").slice(1).reverse();
    const parent = parents.reduceRight<typeof copy>((inner, name) => inner[name] as typeof copy, copy);
    if (value === undefined) delete parent[last];
    else parent[last] = value;
  }
  return copy as Json;
}

export interface MadeRead extends Partial<Pick<Exchange, "number" | "latency_ms" | "isOwn">> {
  readonly change?: Change;
  readonly status?: number;
  readonly headers?: TypedAnswer["headers"];
  readonly role?: "paid" | "free";
  /** Our clock when it was sent, an ISO instant; by default a day within the cycle. */
  readonly at?: string;
  /** What the target says of the asker, where it differs. */
  readonly asker?: Partial<KnownAsker>;
}

/** A read of a project's own usage, answered with the document as it is changed. */
export function madeRead({ change = {}, status = 200, headers = {}, role = "paid", at, asker, ...rest }: MadeRead) {
  const exchange = exchangeOf(
    {
      title: "made",
      clause: "§2.1",
      request: { role, key: "header", of: "own", ...(at === undefined ? {} : { at }) },
      status,
      headers: { "content-type": "application/json", ...headers },
      body: changed(change),
      ...{ holds: [], broken: [], notExercised: [], warns: [] },
    },
    1,
  );
  return { ...exchange, asker: exchange.asker && { ...exchange.asker, ...asker }, ...rest } satisfies Exchange;
}

/** What laws say of a requirement: `held`, `-` where it isn't exercised, or where it breaks, and what was expected. */
export function says(laws: readonly Law[], id: string, exchange: Exchange): string {
  const finding = laws.flatMap((law) => [...law.judge(exchange)]).find(([one]) => one === id)?.[1];
  if (finding?.outcome !== "broken") return finding?.outcome ?? "-";
  return `${finding.at}: ${finding.expected}${finding.warnsOnVendors ? ", a warning" : ""}`;
}
