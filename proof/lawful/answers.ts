// Lawful ways to write answers: of HTTP and of JSON, at every address
import { isLosslessNumber, parse, stringify } from "lossless-json";
import { added, bothChanges, rewritten, type Variant, withHeaders } from "../../reference/platform/mutant.ts";
import { bodyText, type PlatformAnswer, type ResponseMutation } from "../../reference/platform/wire.ts";
import type { PlatformChoices } from "./choices.ts";

/** Every Date header is off. */
const clockOff =
  (by_ms: number): ResponseMutation =>
  (answer) => {
    const { date } = answer.headers;
    if (date === undefined) return answer;
    return withHeaders(answer, { date: new Date(Date.parse(date) + by_ms).toUTCString() });
  };

const withoutHeaders =
  (...names: readonly string[]): ResponseMutation =>
  (answer) => ({
    ...answer,
    headers: Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !names.includes(name))),
  });

/** A change of answers to what the interface doesn't describe. */
const undescribed = (change: (answer: PlatformAnswer) => PlatformAnswer): Omit<Variant, "id"> => ({
  answer: (answer, { operation, path }) =>
    operation === null && path !== "/" && !path.startsWith("/v1/wallet/") ? change(answer) : answer,
});

/** An answer without a body keeps none. */
const page = (answer: PlatformAnswer, text: string): PlatformAnswer =>
  answer.body === undefined
    ? answer
    : { ...answer, headers: { "content-type": "text/html" }, body: { raw: `<html><body>${text}</body></html>` } };

/** A change of JSON as it is written. */
const respelled = (change: (text: string) => string): Omit<Variant, "id"> => {
  const answer = rewritten(change);
  return { answer: (given, call) => (given.headers["content-type"]?.includes("json") ? answer(given, call) : given) };
};

const reversed = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(reversed)
    : typeof value === "object" && value !== null && !isLosslessNumber(value)
      ? Object.fromEntries(
          Object.entries(value)
            .toReversed()
            .map(([name, one]) => [name, reversed(one)]),
        )
      : value;

export const answerChoices: PlatformChoices = {
  "request ids": {
    "answers have a request id": { answer: (answer) => withHeaders(answer, { "x-request-id": "0193" }) },
  },
  charset: {
    "no charset is named": {
      answer: (answer) =>
        "content-type" in answer.headers ? withHeaders(answer, { "content-type": "application/json" }) : answer,
    },
  },
  clock: {
    "the clock is 90 s slow": { answer: clockOff(-90_000) },
    "the clock is 90 s fast": { answer: clockOff(90_000) },
  },
  "further members": {
    "usage has further members": {
      answer: bothChanges(
        added("/requestId", () => "r-1"),
        added("/subscriptionDetails/seats", () => 3),
      ),
    },
    "usage has product keys that aren't documented": {
      answer: [
        added("/credits/agents", () => "many"),
        added("/requests/agents", () => 2.5),
        added("/dataTransfer/quic", () => null),
      ].reduce(bothChanges),
    },
  },
  "further members of refusals": {
    "refusals name their path and time": {
      answer: (answer) =>
        answer.status < 400 || typeof answer.body !== "object" || "raw" in (answer.body ?? {})
          ? answer
          : { ...answer, body: { ...(answer.body as object), path: "/x", timestamp: "2025-03-05T12:00:00Z" } },
    },
  },
  "pages of an edge": {
    "an edge's page refuses addresses": {
      answer: (answer) =>
        answer.status === 403 && String(bodyText(answer.body)).includes("not allowed from your address")
          ? page(answer, "Access denied")
          : answer,
    },
  },
  "what isn't described": {
    "HTML for what isn't described": undescribed((answer) => page(answer, "Not found")),
    "404 for a wrong method": undescribed((answer) => (answer.status === 405 ? { ...answer, status: 404 } : answer)),
  },
  challenge: { "no challenge with a 401": { answer: withoutHeaders("www-authenticate") } },
  "headers of caches and rates": {
    "no header speaks of caching and rates": {
      answer: withoutHeaders(
        "cache-control",
        "x-ratelimit-limit",
        "x-ratelimit-remaining",
        "x-ratelimit-reset",
        "ratelimit-policy",
        "ratelimit",
      ),
    },
  },
  "spelling of JSON": {
    "numbers have exponents": respelled((text) => text.replace(/:(\d+)0([,}])/g, ":$1.0e1$2")),
    "JSON is pretty-printed": respelled((text) => stringify(parse(text), null, 4) ?? ""),
    "members come in another order": respelled((text) => stringify(reversed(parse(text))) ?? ""),
    "slashes and letters beyond ASCII are escaped": respelled((text) =>
      text
        .replaceAll("/", "\\/")
        .replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`),
    ),
  },
};
