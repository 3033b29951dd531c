// Rendering of a request spec: the request to one target, its title, and the curl line that repeats it.
import { createHash } from "node:crypto";
import { type Interface, operationOf } from "../core/interface.ts";
import {
  type KeySpelling,
  type KeyText,
  type PathPart,
  type RequestSpec,
  type Role,
  whoseKey,
} from "../core/requestSpec.ts";
import { withoutEnd } from "../core/secret.ts";
import { filledIn, type Given, givenText, isGiven } from "../core/template.ts";
import { withoutTrailing } from "../core/trailing.ts";
import { filledBase } from "../targets/bases.ts";
import { nameOn } from "../targets/renaming.ts";
import { keyOf, type Target } from "../targets/target.ts";
import { isGzipped } from "./contentCoding.ts";
import { type HeaderList, headerOf, type Sent } from "./exchange.ts";
import type { WireRequest } from "./wire.ts";

const classes = ["0123456789", "abcdef", "ghijklmnopqrstuvwxyz", "ABCDEF", "GHIJKLMNOPQRSTUVWXYZ"];

/** An unknown key of the same shape as another, letter class by letter class. */
function keyLike(value: string): string {
  const digest = createHash("sha256").update(`an unknown key, shaped like ${value}`).digest();
  return [...value]
    .map((char, index) => {
      const letters = classes.find((one) => one.includes(char));
      return letters ? letters[(digest[index % digest.length] ?? 0) % letters.length] : char;
    })
    .join("");
}

/**
 * Letters that may replace the last one: hexadecimal for hexadecimal, else with other high bits, as decoders may ignore
 * the low bits of a last base64 letter.
 */
function endsInsteadOf(end: string, stem: string): string {
  if (/^[0-9a-f-]*$/i.test(stem + end)) return /[A-F]/.test(stem + end) ? "0123456789ABCDEF" : "0123456789abcdef";
  if (/[A-Va-v]/.test(end)) return "765432";
  return /[a-z]/.test(stem) ? "hijkmn" : "HJKMNP";
}

/**
 * A key or an id with only its last letter or digit changed, and none of those known.
 * @throws Error where all of them are known
 */
export function nearTo(value: string, candidates: readonly string[]): string {
  const stem = withoutEnd(value);
  const end = value.charAt(stem.length);
  const rest = value.slice(stem.length + 1);
  const isTaken = (text: string): boolean =>
    [value, ...candidates].some((one) => one.toLowerCase() === text.toLowerCase());
  const near = [...endsInsteadOf(end, stem)].map((other) => stem + other + rest).find((text) => !isTaken(text));
  if (near === undefined) throw new Error("the target holds every key or id that differs in its end alone");
  return near;
}

/** Who sends the requests, and whom to write to about them. */
const usualHeadersOf = ({ version, contact }: Pick<Target, "version" | "contact">): HeaderList => [
  ["accept", "application/json"],
  ["user-agent", `assay${version ? `/${version}` : ""}${contact ? ` (+${contact})` : ""}`],
];
const isUsual = ([name, value]: HeaderList[number]): boolean =>
  (name === "accept" && value === "application/json") || (name === "user-agent" && /^assay\b/.test(value));

/** A text that is wholly percent-encoded stays as it is. */
const inQuery = (value: string): string => (/^(%[0-9a-f]{2})+$/.test(value) ? value : encodeURIComponent(value));

function inPlain(base: string, { carriers }: RequestSpec): string {
  if (carriers.length > 0) throw new Error("no key goes over plain http");
  return base.replace(/^https:/, "http:");
}

/**
 * The request with keys in clear: for the transport only.
 * @throws Error where the target lacks the base, a key, an id or a value; the plan checks that first
 */
export function render(target: Target, requestSpec: RequestSpec): WireRequest {
  const base = baseFor(target, requestSpec);
  if (!base) throw new Error(`the target has no base for ${requestSpec.api}`);
  const path = requestSpec.path.map((part) => pathText(target, part)).join("");
  const carried = (where: "header" | "query"): HeaderList =>
    requestSpec.carriers
      .filter((carrier) => carrier.in === where)
      .map((carrier) => [carrier.name ?? target.interface.carriers[where], textOf(target, carrier.key)]);
  const asked = (requestSpec.query ?? []).map(
    (pair) => pair.map((text) => givenText(text, target)) as [string, string],
  );
  const query = [...asked, ...carried("query")].map(
    ([name, value]) => `${encodeURIComponent(nameOn(target, name))}=${inQuery(value)}`,
  );
  const own = new Set(requestSpec.headers?.map(([name]) => name.toLowerCase()));
  const headers: HeaderList = [
    ...usualHeadersOf(target).filter(([name]) => !own.has(name)),
    ...[...(requestSpec.headers ?? []), ...carried("header")].map(
      ([name, value]) => [nameOn(target, name), value] as const,
    ),
  ];
  const url =
    withoutTrailing("/", requestSpec.plainHttp ? inPlain(base, requestSpec) : base) +
    path +
    (query.length ? `?${query.join("&")}` : "");
  const body = requestSpec.json === undefined ? requestSpec.body : JSON.stringify(filledIn(requestSpec.json, target));
  return { method: requestSpec.method, url, headers, ...(body === undefined ? {} : { body }) };
}

/** In a base that holds a role's key each request has the key that it carries; an unknown one where it has none. */
function baseFor(target: Target, { api, carriers: [carrier] }: RequestSpec): string | undefined {
  const base = target.bases[api];
  return (
    base &&
    filledBase(base, (name) => {
      const held = target.baseKeys.get(name);
      if (!held || !target.keys.has(held.role as Role)) return held?.open() ?? "";
      const carried = carrier && textOf(target, carrier.key);
      return carried ? encodeURIComponent(carried) : keyLike(held.open());
    })
  );
}

function pathText(target: Target, part: PathPart): string {
  if (typeof part === "string") return part;
  if (isGiven(part)) return encodeURIComponent(givenText(part, target));
  return "id" in part ? encodeURIComponent(part.id) : projectId(target, part);
}

function projectId(target: Target, part: Exclude<PathPart, string | Given | { readonly id: string }>): string {
  const whose = "projectOf" in part ? part.projectOf : part.nearIdOf;
  const id = keyOf(target, whose)?.project.id;
  if (!id) throw new Error(`the target gives no project id for ${whose}`);
  if ("nearIdOf" in part) {
    const projects = [...Object.values(target.projects), ...[...target.keys.values()].map(({ project }) => project)];
    const ids = projects.flatMap((project) => project.id ?? []);
    return nearTo(id, ids);
  }
  const { upperCase = false, spelled } = part;
  if (spelled) return spelled === "braces" ? encodeURIComponent(`{${id}}`) : id.replaceAll("-", "");
  return upperCase ? id.toUpperCase() : id;
}

function textOf(target: Target, key: KeyText): string {
  if ("text" in key) return key.text;
  const held = keyOf(target, whoseKey(key));
  if (!held) throw new Error("the target has no such key");
  const opened = held.secret.open();
  const all = [...target.keys.values()].map(({ secret }) => secret.open());
  if ("nearKeyOf" in key) return nearTo(opened, all);
  if ("likeKeyOf" in key) return keyLike(opened);
  return key.spelled ? spellings[key.spelled][0](opened) : opened;
}

const inOtherCase = (char: string): string => (char === char.toUpperCase() ? char.toLowerCase() : char.toUpperCase());
const encodedByte = (byte: number): string => `%${byte.toString(16).padStart(2, "0")}`;

/** How a key is spelled, and what titles say of it. */
const spellings: { readonly [S in KeySpelling]: readonly [spelled: (key: string) => string, title: string] } = {
  spaceBefore: [(key) => ` ${key}`, "a space before it"],
  spaceAfter: [(key) => `${key} `, "a space after it"],
  otherCase: [(key) => [...key].map(inOtherCase).join(""), "its case changed"],
  percentEncoded: [(key) => [...Buffer.from(key)].map(encodedByte).join(""), "every byte percent-encoded"],
  bearer: [(key) => `Bearer ${key}`, "Bearer before it"],
};

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A curl line that repeats a request; roles replace keys. */
export function curlOf({ method, url, headers, body }: Sent): string {
  // A run of somebody else may hold any method, and an address that curl would read as an option.
  const named = /^[A-Z]+$/.test(method) ? method : quote(method);
  const option = method === "GET" && body === undefined ? "" : method === "HEAD" ? " --head" : ` -X ${named}`;
  const shown = headers.filter((header) => !isUsual(header));
  const zipped = body !== undefined && isGzipped(headers);
  // By default curl labels a body as a form.
  const untyped =
    body !== undefined && headerOf({ headers }, "content-type") === undefined ? " -H 'content-type:'" : "";
  const data = body === undefined ? "" : zipped ? " --data-binary @-" : ` --data-raw ${quote(body)}`;
  const fields = shown.map(([name, value]) => ` -H ${quote(value === "" ? `${name};` : `${name}: ${value}`)}`);
  const address = url.startsWith("http") ? quote(url) : `--url ${quote(url)}`;
  const pipe = zipped ? `printf %s ${quote(body)} | gzip | ` : "";
  return `${pipe}curl -sS -i${option}${fields.join("")}${untyped}${data} ${address}`;
}

/** For people, e.g. `GET /orders/{id} as paid (header)`; a request that isn't an operation shows its path. */
export function requestTitle(requestSpec: RequestSpec, tables: Interface): string {
  const operation = operationOf(tables, requestSpec.operation);
  if (operation && tables.apis[operation.api] === "json-rpc") return `${operation.id}${asWhom(requestSpec)}`;
  const path = operation?.path ?? requestSpec.path.map((part) => (typeof part === "string" ? part : "{id}")).join("");
  return `${requestSpec.method} ${path}${asWhom(requestSpec)}`;
}

const projectText = (role: string): string => (role === "owner" ? "the owner's project" : `the project of ${role}`);

function asWhom({ carriers, path }: RequestSpec): string {
  const keys = carriers.map(({ in: place, key }) => {
    const where = place === "either" ? "header or query" : place;
    if ("text" in key) return `a key ${JSON.stringify(key.text.slice(0, 20))} in the ${where}`;
    if ("nearKeyOf" in key) return `unknown key (that of ${key.nearKeyOf} with its end changed, ${where})`;
    return "keyOf" in key
      ? `${key.keyOf} (${where}${key.spelled ? `, key with ${spellings[key.spelled][1]}` : ""})`
      : `unknown key (${where})`;
  });
  const projects = path.flatMap((part) => {
    if (typeof part === "string" || isGiven(part)) return [];
    if ("nearIdOf" in part) return [`the id of ${part.nearIdOf} with its end changed`];
    return "id" in part ? [JSON.stringify(part.id)] : [projectText(part.projectOf)];
  });
  const of =
    projects.length && !carriers.some(({ key }) => "keyOf" in key && projectText(key.keyOf) === projects[0])
      ? `, for ${projects[0]}`
      : "";
  return `${keys.length > 0 ? ` as ${keys.join(" and ")}` : " without a key"}${of}`;
}
