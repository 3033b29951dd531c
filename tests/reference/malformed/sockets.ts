// Rows of bytes on a socket, where nothing tidies them up, and the shape of a refusal (§7.1)
import { type Answer, isObject, type Row, received, short, list as values } from "./rows.ts";

/** A status; `4xx`: any, in the platform's words; `http`: any 4xx or a closed connection. */
type Expected = number | "4xx" | "http";

export const row = (title: string, expected: Expected, sent: Row["sent"]): Row => ({
  title: short(title),
  sent,
  faultOf: (answer) => faultOf(answer, expected),
});

/** Values separated by white space. */
export const words = (text: string): string[] => text.trim().split(/\s+/);
export const list = (template: TemplateStringsArray): string[] => values(template) as string[];

export const lines = (method: string, target: string, headers: readonly string[] = [], body = ""): string =>
  [`${method} ${target} HTTP/1.1`, "Host: 127.0.0.1", "Connection: close", ...headers, "", body].join("\r\n");
export const sized = (method: string, target: string, headers: readonly string[], body: string): string =>
  lines(method, target, [...headers, "Content-Length: {length}"], body);

export const usageOf = (id: string): string => `/v0/admin/projects/${id}/usage`;
export const withKey = "X-Api-Key: {key}";

export function faultOf(answer: Answer | null, expected: Expected): string | null {
  if (!answer) return expected === "http" ? null : "no answer";
  const { status, contentType, body } = answer;
  if (status < 400 || status > 499) return received(answer);
  if (expected === "http") return null;
  if (expected !== "4xx" && status !== expected) return `${received(answer)} instead of HTTP ${expected}`;
  if (!contentType.startsWith("application/json")) return `${received(answer)}, not labelled JSON`;
  const refusal = JSON.parse(body) as unknown;
  const isRefusal =
    isObject(refusal) &&
    refusal["statusCode"] === status &&
    [refusal["message"], refusal["error"]].every((text) => typeof text === "string" && text !== "");
  return isRefusal ? null : `${received(answer)}, not the shape of a refusal`;
}
