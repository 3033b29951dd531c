// Foreign answers: those of a form that an edge or a proxy gives rather than the platform.
import { getNodeValue, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { Protocol } from "../core/interface.ts";
import { isObject, type Json, listOf } from "../core/json.ts";
import { type Answer, type Exchange, headerOf, mediaTypeOf, type Sent } from "./exchange.ts";

export interface Foreign {
  /** Without its status. */
  readonly what: string;
  readonly says: string;
  /** Whether it could be the platform's own, wrong answer: at least it is JSON. */
  readonly isJson: boolean;
  /** Whether it is the platform's own, though not JSON as it stands: laws judge it at once. */
  readonly isOwn?: true;
  /** Set where it may be so in a record only: recorders cut and change bodies, and browsers redirect to https. */
  readonly mayBeRecorders?: "cut" | "changed";
}

/** Why an answer may not come from the platform; null where it has the form of its answers, right or wrong. */
export function foreignnessOf({ answer, protocol, sent, repeats }: Exchange): Foreign | null {
  if (!answer || !isFormKnown(protocol, sent)) return null;
  const { status, text, json, invalidUtf8 } = answer;
  const foreign = (what: string, isJson = false): Foreign => ({ what, says: `${what} (HTTP ${status})`, isJson });
  const perhaps = (what: string, isJson = false): Foreign => ({ ...foreign(what, isJson), mayBeRecorders: "cut" });
  const changed = (what: string, isJson = false): Foreign => ({ ...foreign(what, isJson), mayBeRecorders: "changed" });
  if (repeats !== undefined) return perhaps("the answer to another request", true);
  if (status >= 300 && status < 400) return leadsAway(answer, sent) ? perhaps("a redirect to another origin") : null;
  // A platform that says so has nothing to say.
  if (status === 204) return null;
  if (text.trim() === "")
    return protocol.errorTable === null && isNotified(sent.json) ? null : perhaps("an empty answer");
  const { value, isCut } = json ? { value: json.value, isCut: false } : readLeniently(text);
  const isJson = isObject(value) || Array.isArray(value);
  if (invalidUtf8) return changed("an answer that isn't UTF-8", isJson);
  if (isCut) return perhaps("an answer that ends too early", isJson);
  // A page's type isn't a recorder's.
  const isPage = ![undefined, "application/json"].includes(mediaTypeOf(answer));
  const otherwise = json === null && !isPage ? changed : isPlaceholder(answer) ? perhaps : foreign;
  if (!isJson && json === null) return otherwise("an answer without JSON");
  if (!hasForm(protocol, value)) return otherwise("JSON that isn't in a form of the interface", true);
  return json === null ? { ...changed("JSON among other text", true), isOwn: true } : null;
}

/** Recorders write them in place of bodies; not those whose length the answer names. */
const placeholders = ["null", '""', "{}", "[]"];

const isPlaceholder = (answer: Answer): boolean =>
  placeholders.includes(answer.text.trim()) && headerOf(answer, "content-length") !== String(answer.text.length);

/** The interface says nothing of other requests, but JSON-RPC itself does. */
const isFormKnown = ({ kind, errorTable }: Protocol, { method }: Sent): boolean =>
  errorTable === null ? kind === "json-rpc" && method === "POST" : method !== "HEAD" && method !== "OPTIONS";

/** Notifications, alone or in a batch, may be answered with nothing. */
export const isNotified = (json: Json | undefined): boolean =>
  (Array.isArray(json) ? listOf(json) : [json]).every(
    (one) => isObject(one) && typeof one["method"] === "string" && !Object.hasOwn(one, "id"),
  );

function leadsAway(answer: Answer, { url }: Sent): boolean {
  const to = headerOf(answer, "location") ?? "//";
  return originIn(to) !== undefined && originIn(to) !== originIn(url);
}

/** Undefined in a path. k6 knows no URL. */
const originIn = (url: string): string | undefined => /^([a-z]+:)?\/\/[^/?#]*/i.exec(url)?.[0].toLowerCase();

/** What a reader makes of text that isn't JSON: own answers may have trailing text, a BOM or the like. */
function readLeniently(text: string): { readonly value: Json | undefined; readonly isCut: boolean } {
  const errors: ParseError[] = [];
  const body = text.replace(/^\uFEFF/, "").trimEnd();
  const root = parseTree(body, errors);
  const isCut = errors.some(
    ({ error, offset }) => offset === body.length && unclosed.includes(printParseErrorCode(error)),
  );
  return { value: root && (getNodeValue(root) as Json), isCut };
}

const unclosed = ["CloseBraceExpected", "CloseBracketExpected"];

function hasForm({ kind, forms }: Protocol, value: Json | undefined): boolean {
  if (forms === null) return true;
  if (Array.isArray(value)) return value.length > 0;
  if (!isObject(value)) return false;
  const shareOf = (names: readonly string[]): number =>
    names.filter((name) => Object.hasOwn(value, name)).length / names.length;
  if (forms.some((names) => shareOf(names) >= 0.5)) return true;
  const error = value["error"];
  if (kind === "http") return false;
  return (isObject(error) && Object.hasOwn(error, "code")) || shareOf(["jsonrpc", "id", "result", "error"]) >= 0.5;
}
