// What does the platform do where the interface leaves it open? Choices: none of them breaks a promise.
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { RawHeaders } from "../access/keys.ts";
import type { Algorithm } from "../access/limiter.ts";
import { isRaw, textOf, type WireAnswer } from "./wire.ts";

export interface Choices {
  /** What is asked for by HEAD on a served path. */
  readonly head: "as GET" | "refused";
  readonly otherOrigins: "not spoken of" | "any";
  readonly slashAtEnd: "another path" | "the same path";
  readonly doubledSlashes: "another path" | "the same path";
  readonly pathCase: "exact" | "any";
  readonly unknownPath: "not found" | "key first";
  readonly unknownQuery: "ignored" | "refused";
  readonly accept: "ignored" | "honoured";
  readonly compression: "never" | "where accepted";
  readonly etag: "none" | "of the body";
  readonly bodyOfGet: "ignored" | "refused";
  /** Characters of an address, at most; null: as many as the server takes. */
  readonly longestAddress: number | null;
  readonly plainHttp: "served" | "redirected";
  /** Whose key counts where header and query carry one. */
  readonly bothCarriers: "the header counts" | "the query counts" | "refused";
  readonly repeatedKey: "the first counts" | "the last counts" | "joined";
  readonly emptyHeader: "a key" | "no key";
  readonly keySpaces: "count" | "trimmed";
  readonly keyCase: "exact" | "any";
  readonly queryNameCase: "exact" | "any";
  readonly bearer: "ignored" | "a key";
  /** Whether reading usage is itself usage. */
  readonly usageReads: "not counted" | "counted";
  /** By which algorithm limits per second are counted. */
  readonly limiter: Algorithm;
  /** What the limit of the usage endpoint counts. */
  readonly usageBudget: "usage alone" | "JSON-RPC calls too";
}

export const honestChoices: Choices = {
  head: "as GET",
  otherOrigins: "not spoken of",
  slashAtEnd: "another path",
  doubledSlashes: "another path",
  pathCase: "exact",
  unknownPath: "not found",
  unknownQuery: "ignored",
  accept: "ignored",
  compression: "never",
  etag: "none",
  bodyOfGet: "ignored",
  longestAddress: null,
  plainHttp: "served",
  bothCarriers: "the header counts",
  repeatedKey: "the first counts",
  emptyHeader: "a key",
  keySpaces: "count",
  keyCase: "exact",
  queryNameCase: "exact",
  bearer: "ignored",
  usageReads: "not counted",
  limiter: "sliding log",
  usageBudget: "usage alone",
};

interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly headers: RawHeaders;
}

const valueOf = (headers: RawHeaders, wanted: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1];

/** The path under which a request is routed. */
export function pathFor({ slashAtEnd, doubledSlashes, pathCase }: Choices, path: string): string {
  const merged = doubledSlashes === "the same path" ? path.replace(/\/{2,}/g, "/") : path;
  const cut = slashAtEnd === "the same path" && merged.length > 1 ? merged.replace(/\/$/, "") : merged;
  return pathCase === "any" ? cut.toLowerCase() : cut;
}

const turned = (status: number, message: string, error: string, headers: Record<string, string> = {}): WireAnswer => ({
  status,
  headers: { "content-type": "application/json; charset=utf-8", ...headers },
  body: { statusCode: status, message, error },
});

const acceptsJson = (accept: string): boolean => /application\/json|application\/\*|\*\/\*/.test(accept);

/** What is answered before anybody looks at the path; null where the request goes on. */
export function turnedAway(choices: Choices, { method, url, headers }: Asked): WireAnswer | null {
  const { plainHttp, longestAddress, otherOrigins, unknownQuery, bodyOfGet, accept } = choices;
  if (plainHttp === "redirected" && url.protocol === "http:")
    return turned(301, "Moved to https", "Moved Permanently", { location: url.href.replace(/^http:/, "https:") });
  if (longestAddress !== null && url.href.length > longestAddress)
    return turned(414, "The address is too long", "URI Too Long");
  if (method === "OPTIONS" && otherOrigins === "any") {
    return {
      status: 204,
      headers: { "access-control-allow-methods": "GET, HEAD", "access-control-allow-headers": "x-api-key" },
      body: undefined,
    };
  }
  const strange = [...url.searchParams.keys()].find((name) => !/^(api[-_]?key|mev-protect)$/i.test(name));
  if (unknownQuery === "refused" && strange !== undefined)
    return turned(400, `Unknown parameter ${strange}`, "Bad Request");
  if (bodyOfGet === "refused" && method === "GET" && Number(valueOf(headers, "content-length") ?? 0) > 0)
    return turned(400, "A GET carries no body", "Bad Request");
  if (accept === "honoured" && !acceptsJson(valueOf(headers, "accept") ?? "*/*"))
    return turned(406, "Only application/json is served", "Not Acceptable");
  return null;
}

/** What is done to an answer on its way out. */
export function finished(
  { otherOrigins, etag, compression }: Choices,
  { headers }: Asked,
  answer: WireAnswer,
): WireAnswer {
  if (otherOrigins === "any") answer.headers["access-control-allow-origin"] = "*";
  const text = textOf(answer.body);
  if (typeof text !== "string" || isRaw(answer.body)) return answer;
  if (etag === "of the body" && answer.status === 200) {
    answer.headers["etag"] = `"${createHash("sha256").update(text).digest("hex").slice(0, 16)}"`;
    if (valueOf(headers, "if-none-match") === answer.headers["etag"])
      return { status: 304, headers: { etag: answer.headers["etag"] }, body: undefined };
  }
  if (compression === "where accepted" && /\bgzip\b/.test(valueOf(headers, "accept-encoding") ?? "")) {
    return {
      ...answer,
      headers: { ...answer.headers, "content-encoding": "gzip", vary: "accept-encoding" },
      body: { raw: gzipSync(text) },
    };
  }
  return answer;
}
