// An exchange typed by hand, put together for the laws as the transport would.

import { dataPlatform } from "../../contracts/shared/interface.ts";
import { type KnownProject, protocolOf } from "../../harness/core/interface.ts";
import { type Json, parseJson } from "../../harness/core/json.ts";
import type { RequestSpec, Role } from "../../harness/core/requestSpec.ts";
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
  /** Those of the broken ones that only warn on a vendor, whatever their basis. */
  readonly warns: readonly string[];
}

const noon = "2025-03-05T12:00:00Z";
const latency_ms = 40;

/** As a dashboard shows them; the target has neither plan name nor limit of the other project. */
const business = { plan: "paid", planName: "business", creditsLimit: 500_000 } as const;
const free = { plan: "free", planName: "free", creditsLimit: 100_000 } as const;
const projects = {
  main: { id: "9c1f6a2e-0b7d-4e35-8a41-6d2f90b3c7e8", ...business, admin: "enabled" },
  free: { id: "4e8a7d15-93c2-4b06-b7f1-05d6e2a9c384", ...free, admin: "enabled" },
  other: { id: "2d7b90c4-5a1e-4f68-9b3c-e0a6d1f47c52", plan: "paid", admin: "enabled" },
  adminOff: { id: "b05c3f72-e84d-4196-a2d7-1f9b6c40e8a3", ...business, admin: "disabled" },
} satisfies { [name: string]: KnownProject };

const projectOf = { paid: "main", free: "free", other: "other", adminOff: "adminOff", ipBlocked: "main" } satisfies {
  [R in Role]?: keyof typeof projects;
};
type Holder = keyof typeof projectOf;

const unknownIds = { unknown: "77f2c9e1-6d3a-4b58-8e04-c1a5b9d2f630", notUuid: "not-a-uuid" } as const;
const isHolder = (role: Caller["role"]): role is Holder => role in projectOf;

/** What differs between the three kinds of requests. */
type Sent = Pick<Exchange, "requestSpec" | "sent"> & { readonly about: keyof typeof projects | "caller" | null };
type Asked = Pick<RequestSpec, "operation" | "api" | "path"> & {
  readonly query?: readonly (readonly [name: string, value: string])[];
  /** The path in full. */
  readonly text: string;
  readonly key: "header" | "query" | undefined;
  /** Sent by POST. */
  readonly json?: Json | undefined;
};

function sentAs(role: Caller["role"], { text, key, json, ...asked }: Asked): Omit<Sent, "about"> {
  const method = json === undefined ? "GET" : "POST";
  const headers = [["content-type", "application/json"]] as const;
  const shown = `<key:${role}>`;
  const pairs = [...(asked.query ?? []), ...(key === "query" ? [["api-key", shown] as const] : [])].map((pair) =>
    pair.join("="),
  );
  return {
    requestSpec: {
      ...asked,
      method,
      carriers: key ? [{ in: key, key: isHolder(role) ? { keyOf: role } : { likeKeyOf: "owner" } }] : [],
      ...(json === undefined ? {} : { headers, json }),
    },
    sent: {
      method,
      url: `https://${asked.api}.example${text}${pairs.length > 0 ? `?${pairs.join("&")}` : ""}`,
      headers: [...(json === undefined ? [] : headers), ...(key === "header" ? [["X-Api-Key", shown] as const] : [])],
      ...(json === undefined ? {} : { body: JSON.stringify(json), json }),
    },
  };
}

/** Callers without a good key request the paid project. */
function usage({ role, key, of }: UsageRequest): Sent {
  const holder = of === "other" ? "other" : isHolder(role) ? role : "paid";
  const [part, id, about] =
    of === "unknown" || of === "notUuid"
      ? [{ id: unknownIds[of] }, unknownIds[of], null]
      : [{ projectOf: holder }, projects[projectOf[holder]].id, projectOf[holder]];
  const path = ["/v0/admin/projects/", part, "/usage"] as const;
  const text = `/v0/admin/projects/${id}/usage`;
  return { ...sentAs(role, { operation: "getProjectUsage", api: "admin", path, text, key }), about };
}

function call({ role, method, id, params }: CallRequest): Sent {
  const json = { jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) };
  const key = role === "anonymous" ? undefined : "query";
  return { ...sentAs(role, { operation: method, api: "rpc", path: ["/"], text: "/", key, json }), about: "caller" };
}

function wallet({ endpoint, role, key, of, query = {}, body: json }: WalletRequest): Sent {
  const text = `/v1/wallet/${of === undefined ? "" : `${of}/`}${endpoint}`;
  const [operation, pairs] = [walletOperations[endpoint], Object.entries(query)];
  return { ...sentAs(role, { operation, api: "api", path: [text], text, key, query: pairs, json }), about: "caller" };
}

function sentFor(request: TypedRequest): Sent {
  if ("method" in request) return call(request);
  return "endpoint" in request ? wallet(request) : usage(request);
}

export function exchangeOf({ request, ...answer }: GoldenExchange, number: number): Exchange {
  const { requestSpec, sent, about } = sentFor(request);
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
    requestSpec,
    protocol: protocolOf(dataPlatform, requestSpec.api, requestSpec.operation),
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
