// Choices of HTTP where the interface leaves behaviour unspecified; none of them breaks a requirement
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { problem } from "./request.ts";
import type { HttpChoices } from "./rules.ts";
import { bodyText, headerIn, isRaw, type PlatformAnswer, type RawHeaders } from "./wire.ts";

interface Received {
  readonly method: string;
  readonly url: URL;
  readonly headers: RawHeaders;
}

/** The path under which a request is routed. */
export function pathFor({ slashAtEnd, doubledSlashes, pathCase }: HttpChoices, path: string): string {
  const merged = doubledSlashes === "the same path" ? path.replace(/\/{2,}/g, "/") : path;
  const cut = slashAtEnd === "the same path" && merged.length > 1 ? merged.replace(/\/$/, "") : merged;
  return pathCase === "any" ? cut.toLowerCase() : cut;
}

const acceptsJson = (accept: string): boolean => /application\/json|application\/\*|\*\/\*/.test(accept);

/** The answer to a request that is refused before routing; null where it goes on. */
export function refusedEarly(choices: HttpChoices, { method, url, headers }: Received): PlatformAnswer | null {
  const { plainHttp, longestAddress, otherOrigins, unknownQuery, bodyOfGet, accept } = choices;
  if (plainHttp === "redirected" && url.protocol === "http:")
    return problem(
      { status: 301, message: "Moved to https", error: "Moved Permanently" },
      { location: url.href.replace(/^http:/, "https:") },
    );
  if (longestAddress !== null && url.href.length > longestAddress)
    return problem({ status: 414, message: "The address is too long", error: "URI Too Long" });
  if (method === "OPTIONS" && otherOrigins === "any") {
    return {
      status: 204,
      headers: { "access-control-allow-methods": "GET, HEAD", "access-control-allow-headers": "x-api-key" },
      body: undefined,
    };
  }
  const unknown = [...url.searchParams.keys()].find((name) => !/^(api[-_]?key|mev-protect)$/i.test(name));
  if (unknownQuery === "refused" && unknown !== undefined)
    return problem({ status: 400, message: `Unknown parameter ${unknown}`, error: "Bad Request" });
  if (bodyOfGet === "refused" && method === "GET" && Number(headerIn(headers, "content-length") ?? 0) > 0)
    return problem({ status: 400, message: "A GET carries no body", error: "Bad Request" });
  if (accept === "honoured" && !acceptsJson(headerIn(headers, "accept") ?? "*/*"))
    return problem({ status: 406, message: "Only application/json is served", error: "Not Acceptable" });
  return null;
}

/** An answer with the headers and the coding that these choices give it. */
export function finished(
  { otherOrigins, etag, compression }: HttpChoices,
  { headers }: Received,
  answer: PlatformAnswer,
): PlatformAnswer {
  if (otherOrigins === "any") answer.headers["access-control-allow-origin"] = "*";
  const text = bodyText(answer.body);
  if (typeof text !== "string" || isRaw(answer.body)) return answer;
  if (etag === "of the body" && answer.status === 200) {
    answer.headers["etag"] = `"${createHash("sha256").update(text).digest("hex").slice(0, 16)}"`;
    if (headerIn(headers, "if-none-match") === answer.headers["etag"])
      return { status: 304, headers: { etag: answer.headers["etag"] }, body: undefined };
  }
  if (compression === "where accepted" && /\bgzip\b/.test(headerIn(headers, "accept-encoding") ?? "")) {
    return {
      ...answer,
      headers: { ...answer.headers, "content-encoding": "gzip", vary: "accept-encoding" },
      body: { raw: gzipSync(text) },
    };
  }
  return answer;
}
