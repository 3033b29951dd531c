// How does an exchange typed by hand become what the laws are given? As harness/transport/transport.ts would put it together.

import { dataPlatform } from "../../contracts/shared/interface.ts";
import { protocolOf } from "../../harness/core/interface.ts";
import { type Json, parseJson } from "../../harness/core/json.ts";
import type { KeyText, Role } from "../../harness/core/stimulus.ts";
import type { KnownProject } from "../../harness/target/target.ts";
import type { Answer, Exchange, KnownAsker } from "../../harness/transport/exchange.ts";
import type { MethodName, OperationId } from "../../specs/generated/operations.ts";

interface Who {
  readonly role: "paid" | "free" | "other" | "adminOff" | "ipBlocked" | "nobody" | "stranger";
  /** Our clock when it was sent, an ISO instant. */
  readonly at?: string;
}

interface UsageAsks extends Who {
  /** Absent for nobody. */
  readonly key?: "header" | "query";
  readonly of: "own" | "other" | "unknown" | "notUuid";
}

interface CallAsks extends Who {
  readonly method: MethodName;
  readonly id: string | number;
  /** Absent where the call has no such member. */
  readonly params?: Json;
}

/** By the last step of its path. */
const walletOperations = {
  identity: "getWalletIdentity",
  "batch-identity": "batchWalletIdentity",
  balances: "getWalletBalances",
  "balance-at": "getWalletBalanceAt",
  history: "getWalletHistory",
  transfers: "getWalletTransfers",
  "funded-by": "getWalletFundedBy",
} as const satisfies { [endpoint: string]: OperationId };

interface WalletAsks extends Who {
  readonly endpoint: keyof typeof walletOperations;
  /** Absent for nobody. */
  readonly key?: "header" | "query";
  /** An address or a domain; absent where a body holds several. */
  readonly of?: string;
  readonly query?: { readonly [name: string]: string };
  readonly body?: Json;
}

export interface TypedAnswer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string | readonly string[] };
  readonly body?: Json;
  readonly text?: string;
  readonly encodedAs?: "latin1";
}

/** One entry of a list in this folder; exchange.schema.json says more. */
export interface GoldenExchange {
  readonly says: string;
  readonly clause: string;
  readonly asks: UsageAsks | CallAsks | WalletAsks;
  readonly answer: TypedAnswer;
  readonly broken: readonly string[];
  readonly holds: readonly string[];
  readonly open?: readonly string[];
}

const noon = "2025-03-05T12:00:00Z";
const latency_ms = 40;

/** What a dashboard would say. Nobody told us the name of the other project's plan. */
const projects = {
  main: {
    id: "9c1f6a2e-0b7d-4e35-8a41-6d2f90b3c7e8",
    plan: "paid",
    planName: "business",
    creditsLimit: 500_000,
    admin: "enabled",
  },
  free: {
    id: "4e8a7d15-93c2-4b06-b7f1-05d6e2a9c384",
    plan: "free",
    planName: "free",
    creditsLimit: 100_000,
    admin: "enabled",
  },
  other: { id: "2d7b90c4-5a1e-4f68-9b3c-e0a6d1f47c52", plan: "paid", admin: "enabled" },
  adminOff: {
    id: "b05c3f72-e84d-4196-a2d7-1f9b6c40e8a3",
    plan: "paid",
    planName: "business",
    creditsLimit: 500_000,
    admin: "disabled",
  },
} satisfies { [name: string]: KnownProject };

const projectOf = { paid: "main", free: "free", other: "other", adminOff: "adminOff", ipBlocked: "main" } satisfies {
  [R in Role]?: keyof typeof projects;
};
type Holder = keyof typeof projectOf;

const unknownId = "77f2c9e1-6d3a-4b58-8e04-c1a5b9d2f630";
const isHolder = (role: Who["role"]): role is Holder => role in projectOf;

/** Whose project is asked for; a text where it is nobody's. Those without a good key ask for the paid one. */
function pathOf({ role, of }: UsageAsks): {
  readonly part: Exchange["stimulus"]["path"][number];
  readonly id: string;
  readonly project: keyof typeof projects | null;
} {
  if (of === "unknown") return { part: { id: unknownId }, id: unknownId, project: null };
  if (of === "notUuid") return { part: { id: "not-a-uuid" }, id: "not-a-uuid", project: null };
  const holder = of === "other" ? "other" : isHolder(role) ? role : "paid";
  return { part: { projectOf: holder }, id: projects[projectOf[holder]].id, project: projectOf[holder] };
}

/** How each of the three kinds of questions differs. */
type Asked = Pick<Exchange, "stimulus" | "sent"> & { readonly asksOf: keyof typeof projects | "whoeverCalls" | null };

const keyOf = (role: Who["role"]): KeyText => (isHolder(role) ? { keyOf: role } : { likeKeyOf: "owner" });
const shownKey = (role: Who["role"]): string => `<key:${role}>`;

function usage(asks: UsageAsks): Asked {
  const { part, id, project } = pathOf(asks);
  const shown = shownKey(asks.role);
  return {
    stimulus: {
      operation: "getProjectUsage",
      api: "admin",
      method: "GET",
      path: ["/v0/admin/projects/", part, "/usage"],
      carriers: asks.key ? [{ in: asks.key, key: keyOf(asks.role) }] : [],
    },
    sent: {
      method: "GET",
      url: `https://admin.example/v0/admin/projects/${id}/usage${asks.key === "query" ? `?api-key=${shown}` : ""}`,
      headers: asks.key === "header" ? [["X-Api-Key", shown]] : [],
    },
    asksOf: project,
  };
}

function call({ role, method, id, params }: CallAsks): Asked {
  const json = { jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) };
  const body = JSON.stringify(json);
  const headers = [["content-type", "application/json"]] as const;
  return {
    stimulus: {
      operation: method,
      api: "rpc",
      method: "POST",
      path: ["/"],
      carriers: role === "nobody" ? [] : [{ in: "query", key: keyOf(role) }],
      headers,
      json,
    },
    sent: {
      method: "POST",
      url: `https://rpc.example/${role === "nobody" ? "" : `?api-key=${shownKey(role)}`}`,
      headers,
      body,
      json: JSON.parse(body) as Json,
    },
    asksOf: "whoeverCalls",
  };
}

function wallet({ endpoint, role, key, of, query = {}, body }: WalletAsks): Asked {
  const path = `/v1/wallet/${of === undefined ? "" : `${of}/`}${endpoint}`;
  const shown = shownKey(role);
  const named = [...Object.entries(query), ...(key === "query" ? [["api-key", shown] as const] : [])];
  const json = body === undefined ? {} : { json: body, headers: [["content-type", "application/json"]] as const };
  const method = body === undefined ? "GET" : "POST";
  return {
    stimulus: {
      operation: walletOperations[endpoint],
      api: "api",
      method,
      path: [path],
      carriers: key ? [{ in: key, key: keyOf(role) }] : [],
      query: Object.entries(query),
      ...json,
    },
    sent: {
      method,
      url: `https://api.example${path}${named.length > 0 ? `?${named.map((pair) => pair.join("=")).join("&")}` : ""}`,
      headers: [...(json.headers ?? []), ...(key === "header" ? [["X-Api-Key", shown] as const] : [])],
      ...(body === undefined ? {} : { body: JSON.stringify(body), json: body }),
    },
    asksOf: "whoeverCalls",
  };
}

const askedBy = (asks: GoldenExchange["asks"]): Asked =>
  "method" in asks ? call(asks) : "endpoint" in asks ? wallet(asks) : usage(asks);

export function exchangeOf({ asks, answer }: GoldenExchange, number: number): Exchange {
  const { stimulus, sent, asksOf } = askedBy(asks);
  const holder = isHolder(asks.role) ? asks.role : null;
  const asker: KnownAsker | null = holder && {
    role: holder,
    isMade: false,
    projectName: projectOf[holder],
    rounding: "nearest",
    project: projects[projectOf[holder]],
  };
  return {
    number,
    stimulus,
    protocol: protocolOf(dataPlatform, stimulus.api, stimulus.operation),
    asker,
    isOwn: asker !== null && (asksOf === "whoeverCalls" || asksOf === asker.projectName),
    sent,
    answer: answerOf(answer),
    fault: null,
    sentAt_ms: Date.parse(asks.at ?? noon),
    latency_ms,
  };
}

function answerOf(typed: TypedAnswer): Answer {
  const bytes = Buffer.from(typed.text ?? JSON.stringify(typed.body), typed.encodedAs ?? "utf8");
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  return {
    status: typed.status,
    headers: Object.entries(typed.headers).flatMap(([name, value]) =>
      [value].flat().map((line) => [name, line] as const),
    ),
    text,
    json: parseJson(text),
    hasBom: bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])),
    invalidUtf8: !Buffer.from(text).equals(bytes),
  };
}
