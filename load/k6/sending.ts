// Requests as k6 sends them unchanged, and answers from its responses
import { b64decode, b64encode } from "k6/encoding";
import http, { type RefinedParams, type RefinedResponse } from "k6/http";
import type { Redactor } from "../../harness/core/secret.ts";
import type { K6Answer, K6Request } from "./orders.ts";

/** No redirect is followed with a key, no cookie is stored, and no URL becomes a tag. */
export const paramsOf = ({ headers }: K6Request, name: string, timeout_ms: number): RefinedParams<"binary"> => ({
  headers: { ...headers },
  redirects: 0,
  jar: new http.CookieJar(),
  tags: { name },
  timeout: timeout_ms,
  responseType: "binary",
});

export const bodyOf = ({ body_base64: body }: K6Request): ArrayBuffer | null =>
  body === null ? null : b64decode(body);

/** k6's error codes from 1400 to 1599 are statuses of answers. */
const isStatus = (code: number): boolean => code >= 1400 && code < 1600;

/** k6's error code where no answer came in time. */
export const timeoutCode = 1050;

/** k6's error code; 0 where there is an answer. */
export const faultCodeOf = ({ error_code: code }: RefinedResponse<"binary">): number =>
  code !== 0 && !isStatus(code) ? code : 0;

/** Empty for a failed request, whose body is null despite its type. */
export function bodyBytes({ body }: RefinedResponse<"binary">): ArrayBuffer {
  const bytes = body as ArrayBuffer | null;
  return bytes === null ? new ArrayBuffer(0) : bytes;
}

export function answerOf(response: RefinedResponse<"binary">): K6Answer {
  const { status, headers, error } = response;
  const errorCode = faultCodeOf(response);
  return {
    status,
    headers,
    body_base64: b64encode(bodyBytes(response)),
    errorCode,
    error: errorCode === 0 ? "" : error,
  };
}

/** The answer without keys; the very same where it holds none. */
export function redactedAnswer(answer: K6Answer, redact: Redactor): K6Answer {
  const body = Array.from(new Uint8Array(b64decode(answer.body_base64)), (byte) => String.fromCharCode(byte)).join("");
  // k6 makes no bytes of a text at once.
  const bytes = new Uint8Array(Array.from(redact(body), (char) => char.charCodeAt(0)));
  const headers = Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [redact(name), redact(value)]),
  );
  const redacted = { ...answer, headers, body_base64: b64encode(bytes.buffer) };
  return JSON.stringify(redacted) === JSON.stringify(answer) ? answer : redacted;
}
