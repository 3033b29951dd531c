// How does a stimulus become a request to one target, and the curl line that repeats it?
import { createHash } from "node:crypto";
import { operations } from "../specs/generated/operations.ts";
import type { HeaderList, Sent } from "./exchange.ts";
import type { Asker, KeySpelling, KeyText, PathPart, Stimulus } from "./stimulus.ts";
import { keyOf, type Target } from "./target.ts";
import type { WireRequest } from "./wire.ts";

/** Documented names of the carriers (§5.2, §5.3). */
export const carrierNames = { header: "X-Api-Key", query: "api-key" } as const;

const classes = ["0123456789", "abcdef", "ghijklmnopqrstuvwxyz", "ABCDEF", "GHIJKLMNOPQRSTUVWXYZ"];

/** A key of the same shape as another, letter class by letter class, that nobody holds. */
export function keyLike(value: string): string {
  const digest = createHash("sha256").update(`nobody's key, shaped like ${value}`).digest();
  return [...value]
    .map((char, index) => {
      const letters = classes.find((one) => one.includes(char));
      return letters ? letters[(digest[index % digest.length] ?? 0) % letters.length] : char;
    })
    .join("");
}

const usualHeaders: HeaderList = [
  ["accept", "application/json"],
  ["user-agent", "assay"],
];

/** A text whose every byte is encoded already stays as it is. */
const inQuery = (value: string): string => (/^(%[0-9a-f]{2})+$/.test(value) ? value : encodeURIComponent(value));

function inPlain(base: string, { carriers }: Stimulus): string {
  if (carriers.length > 0) throw new Error("no key goes over plain http");
  return base.replace(/^https:/, "http:");
}

/** Keys in clear: for the transport only. */
export function render(target: Target, stimulus: Stimulus): WireRequest {
  const base = target.bases[stimulus.surface];
  if (!base) throw new Error(`the target has no base for ${stimulus.surface}`);
  const path = stimulus.path.map((part) => (typeof part === "string" ? part : "id" in part ? encodeURIComponent(part.id) : projectId(target, part))).join("");
  const carried = (where: "header" | "query"): HeaderList =>
    stimulus.carriers.filter((carrier) => carrier.in === where).map((carrier) => [carrier.name ?? carrierNames[where], textOf(target, carrier.key)]);
  const query = [...(stimulus.query ?? []), ...carried("query")].map(([name, value]) => `${encodeURIComponent(name)}=${inQuery(value)}`);
  const own = new Set(stimulus.headers?.map(([name]) => name.toLowerCase()));
  const headers: HeaderList = [...usualHeaders.filter(([name]) => !own.has(name)), ...(stimulus.headers ?? []), ...carried("header")];
  const url = (stimulus.plainHttp ? inPlain(base, stimulus) : base).replace(/\/+$/, "") + path + (query.length ? `?${query.join("&")}` : "");
  return { method: stimulus.method, url, headers, ...(stimulus.body === undefined ? {} : { body: stimulus.body }) };
}

function projectId(target: Target, { projectOf, upperCase = false, spelled }: Extract<PathPart, { readonly projectOf: Asker }>): string {
  const id = keyOf(target, projectOf)?.project.id;
  if (!id) throw new Error(`the target gives no project id for ${projectOf}`);
  if (spelled) return spelled === "braces" ? encodeURIComponent(`{${id}}`) : id.replaceAll("-", "");
  return upperCase ? id.toUpperCase() : id;
}

function textOf(target: Target, key: KeyText): string {
  if ("text" in key) return key.text;
  const held = keyOf(target, "keyOf" in key ? key.keyOf : key.likeKeyOf);
  if (!held) throw new Error("the target has no such key");
  if ("likeKeyOf" in key) return keyLike(held.secret.open());
  return key.spelled ? spellings[key.spelled](held.secret.open()) : held.secret.open();
}

const spellings: { readonly [S in KeySpelling]: (key: string) => string } = {
  spaceBefore: (key) => ` ${key}`,
  spaceAfter: (key) => `${key} `,
  otherCase: (key) => [...key].map((char) => (char === char.toUpperCase() ? char.toLowerCase() : char.toUpperCase())).join(""),
  percentEncoded: (key) => [...Buffer.from(key)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
  bearer: (key) => `Bearer ${key}`,
};

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A curl line that repeats a request; roles stand in place of keys. */
export function curlOf({ method, url, headers, body }: Sent): string {
  const method_ = method === "GET" && body === undefined ? "" : method === "HEAD" ? " --head" : ` -X ${method}`;
  const shown = headers.filter(([name, value]) => !usualHeaders.some(([usual, worth]) => name === usual && value === worth));
  return `curl -sS -i${method_}${shown.map(([name, value]) => ` -H ${quote(value === "" ? `${name};` : `${name}: ${value}`)}`).join("")}${body === undefined ? "" : ` --data-raw ${quote(body)}`} ${quote(url)}`;
}

/** `GET /v0/admin/projects/{id}/usage`, for people; what isn't a documented operation shows its path. */
export function titleOf(stimulus: Stimulus): string {
  const operation = operations.find(({ id }) => id === stimulus.operation);
  const path = operation?.path ?? stimulus.path.map((part) => (typeof part === "string" ? part : "{id}")).join("");
  return `${stimulus.method} ${path}${asWhom(stimulus)}`;
}

const said: { readonly [S in KeySpelling]: string } = {
  spaceBefore: "a space before it",
  spaceAfter: "a space after it",
  otherCase: "its case changed",
  percentEncoded: "every byte percent-encoded",
  bearer: "Bearer before it",
};

function asWhom({ carriers, path }: Stimulus): string {
  const keys = carriers.map(({ in: where, key }) => {
    if ("text" in key) return `a key ${JSON.stringify(key.text.slice(0, 20))} in the ${where}`;
    return "keyOf" in key ? `${key.keyOf} (${where}${key.spelled ? `, key with ${said[key.spelled]}` : ""})` : `nobody (unknown key, ${where})`;
  });
  const projects = path.flatMap((part) => (typeof part === "string" ? [] : "id" in part ? [JSON.stringify(part.id)] : [`${part.projectOf}'s project`]));
  const of = projects.length && !keys.some((key) => `${key.split(" ")[0]}'s project` === projects[0]) ? ` of ${projects[0]}` : "";
  return ` as ${keys.join(" and ") || "nobody (no key)"}${of}`;
}
