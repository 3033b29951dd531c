// How does k6 send one request as it stands, and what comes of it?
import { b64decode, b64encode } from "k6/encoding";
import http, { type RefinedParams, type RefinedResponse } from "k6/http";
import type { K6Answer, K6Request } from "./orders.ts";

/** No redirect is followed with a key, no cookie kept, and URLs are no tags. */
export const paramsOf = ({ headers }: K6Request, name: string, timeout_ms: number): RefinedParams<"binary"> => ({
  headers: { ...headers },
  redirects: 0,
  jar: new http.CookieJar(),
  tags: { name },
  timeout: timeout_ms,
  responseType: "binary",
});

export const bodyOf = ({ body_base64: body }: K6Request): ArrayBuffer | null => (body === null ? null : b64decode(body));

/** From here on k6's error codes are statuses of answers: 1400 to 1599. */
const isStatus = (code: number): boolean => code >= 1400 && code < 1600;

export function answerOf({ status, headers, body, error, error_code: code }: RefinedResponse<"binary">): K6Answer {
  const isFault = code !== 0 && !isStatus(code);
  // Of what failed there is none, whatever its type says.
  const bytes = body as ArrayBuffer | null;
  return { status, headers, body_base64: bytes === null ? "" : b64encode(bytes), errorCode: isFault ? code : 0, error: isFault ? error : "" };
}
