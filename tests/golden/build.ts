// An exchange typed by hand, put together for the laws as the transport would.

import { dataPlatform } from "../../contracts/shared/interface.ts";
import { protocolOf } from "../../harness/core/interface.ts";
import { type Json, parseJson } from "../../harness/core/json.ts";
import type { KeyText, Role } from "../../harness/core/stimulus.ts";
import type { KnownProject } from "../../harness/target/target.ts";
import type { Answer, Exchange, KnownAsker } from "../../harness/transport/exchange.ts";
import type { MethodName, OperationId } from "../../specs/generated/operations.ts";

interface Caller {
  readonly role: "paid" | "free" | "other" | "adminOff" | "ipBlocked" | "anonymous" | "unknownKey";
  /** Our clock when it was sent, an ISO instant. */
  readonly at?: string;
}

interface UsageRequest extends Caller {
  /** Absent for the anonymous caller. */
  readonly key?: "header" | "query";
  readonly of: "own" | "other" | "unknown" | "notUuid";
}

interface CallRequest extends Caller {
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

interface WalletRequest extends Caller {
  readonly endpoint: keyof typeof walletOperations;
  /** Absent for the anonymous caller. */
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

export type TypedRequest = UsageRequest | CallRequest | WalletRequest;

/** One exchange of a list in this folder, in full; exchange.schema.json describes the members. */
export interface GoldenExchange extends TypedAnswer {
  readonly title: string;
  readonly clause: string;
  readonly request: TypedRequest;
  readonly broken: readonly string[];
  readonly holds: readonly string[];
  readonly notExercised: readonly string[];
}

const noon = "2025-03-05T12:00:00Z";
const latency_ms = 40;

/** As a dashboard shows them; the target has neither plan name nor limit of the other project. */
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
const isHolder = (role: Caller["role"]): role is Holder => role in projectOf;

/** The requested project; null for an unknown id. Callers without a good key request the paid one. */
function pathOf({ role, of }: UsageRequest): {
  readonly part: Exchange["stimulus"]["path"][number];
  readonly id: string;
  readonly project: keyof typeof projects | null;
} {
  if (of === "unknown") return { part: { id: unknownId }, id: unknownId, project: null };
  if (of === "notUuid") return { part: { id: "not-a-uuid" }, id: "not-a-uuid", project: null };
  const holder = of === "other" ? "other" : isHolder(role) ? role : "paid";
  return { part: { projectOf: holder }, id: projects[projectOf[holder]].id, project: projectOf[holder] };
}

/** What differs between the three kinds of requests. */
type Sent = Pick<Exchange, "stimulus" | "sent"> & { readonly about: keyof typeof projects | "caller" | null };

const keyOf = (role: Caller["role"]): KeyText => (isHolder(role) ? { keyOf: role } : { likeKeyOf: "owner" });
const shownKey = (role: Caller["role"]): string => `<key:${role}>`;

function usage(request: UsageRequest): Sent {
  const { part, id, project } = pathOf(request);
  const shown = shownKey(request.role);
  return {
    stimulus: {
      operation: "getProjectUsage",
      api: "admin",
      method: "GET",
      path: ["/v0/admin/projects/", part, "/usage"],
      carriers: request.key ? [{ in: request.key, key: keyOf(request.role) }] : [],
    },
    sent: {
      method: "GET",
      url: `https://admin.example/v0/admin/projects/${id}/usage${request.key === "query" ? `?api-key=${shown}` : ""}`,
      headers: request.key === "header" ? [["X-Api-Key", shown]] : [],
    },
    about: project,
  };
}

function call({ role, method, id, params }: CallRequest): Sent {
  const json = { jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) };
  const body = JSON.stringify(json);
  const headers = [["content-type", "application/json"]] as const;
  return {
    stimulus: {
      operation: method,
      api: "rpc",
      method: "POST",
      path: ["/"],
      carriers: role === "anonymous" ? [] : [{ in: "query", key: keyOf(role) }],
      headers,
      json,
    },
    sent: {
      method: "POST",
      url: `https://rpc.example/${role === "anonymous" ? "" : `?api-key=${shownKey(role)}`}`,
      headers,
      body,
      json: JSON.parse(body) as Json,
    },
    about: "caller",
  };
}

function wallet({ endpoint, role, key, of, query = {}, body }: WalletRequest): Sent {
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
    about: "caller",
  };
}

function sentFor(request: TypedRequest): Sent {
  if ("method" in request) return call(request);
  return "endpoint" in request ? wallet(request) : usage(request);
}

export function exchangeOf({ request, ...answer }: GoldenExchange, number: number): Exchange {
  const { stimulus, sent, about } = sentFor(request);
  const holder = isHolder(request.role) ? request.role : null;
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
    isOwn: asker !== null && (about === "caller" || about === asker.projectName),
    sent,
    answer: answerOf(answer),
    fault: null,
    sentAt_ms: Date.parse(request.at ?? noon),
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
