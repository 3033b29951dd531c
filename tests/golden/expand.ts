// Golden exchanges written as changes of a base, in full.
import { type Json, valueAt } from "../../harness/core/json.ts";
import type { GoldenExchange, TypedAnswer, TypedRequest } from "./build.ts";

/** What a list may leave to a base; exchange.schema.json has the rules. */
interface Written extends Partial<TypedAnswer> {
  readonly from?: string;
  readonly change?: { readonly [pointer: string]: Json };
  readonly clause?: string;
  readonly request?: TypedRequest;
}

interface WrittenBase extends Written {
  readonly expect?: { readonly holds: readonly string[] };
}

interface WrittenExchange extends Written {
  readonly title: string;
  readonly expect: {
    readonly broken: readonly string[];
    readonly holds?: readonly string[];
    readonly notExercised?: readonly string[];
    readonly warns?: readonly string[];
  };
}

export interface GoldenList {
  readonly bases?: { readonly [name: string]: WrittenBase };
  readonly exchanges: readonly WrittenExchange[];
}

export interface Expanded {
  readonly exchanges: readonly GoldenExchange[];
  /** What is wrong with the list, one line each. */
  readonly errors: readonly string[];
}

type Members = { [member: string]: Json };

/** Aliases of YAML are one object; a copy by JSON is one for each place. */
const copied = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const isObject = (value: Json | undefined): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value of a marker such as `{ absent: true }`, which has one member. */
function marked(value: Json, marker: "absent" | "renamed" | "literal"): Json | undefined {
  return isObject(value) && Object.keys(value).length === 1 ? value[marker] : undefined;
}

/** Changes a member of an object; a renamed one keeps its position. */
function changeMember(parent: Members, name: string, value: Json): string | null {
  const known = Object.hasOwn(parent, name);
  const renamed = marked(value, "renamed");
  const removed = marked(value, "absent") === true;
  if ((removed || renamed !== undefined) && !known) return "does not exist";
  if (removed) delete parent[name];
  else if (typeof renamed === "string") {
    if (Object.hasOwn(parent, renamed)) return "changes nothing";
    const members = Object.entries(parent);
    for (const member of Object.keys(parent)) delete parent[member];
    for (const [member, kept] of members) parent[member === name ? renamed : member] = kept;
  } else if (known && JSON.stringify(parent[name]) === JSON.stringify(value)) return "changes nothing";
  else parent[name] = value;
  return null;
}

function changeElement(parent: Json[], index: string, value: Json): string | null {
  const at = Number(index);
  if (!Object.hasOwn(parent, index)) return "does not exist";
  if (marked(value, "absent") === true) parent.splice(at, 1);
  else if (JSON.stringify(parent[at]) === JSON.stringify(value)) return "changes nothing";
  else parent[at] = value;
  return null;
}

/** Changes the value at a pointer; says what is wrong with the change. */
function changeAt(root: Members, pointer: string, value: Json): string | null {
  const cut = pointer.lastIndexOf("/");
  const parent = valueAt(root, pointer.slice(0, cut));
  const last = pointer
    .slice(cut + 1)
    .replaceAll("~1", "/")
    .replaceAll("~0", "~");
  if (Array.isArray(parent)) return changeElement(parent as Json[], last, value);
  return isObject(parent) ? changeMember(parent, last, value) : "does not exist";
}

/** An answer that echoes the request's id goes on to do so. */
function echoId(exchange: Members, id: Json): void {
  const { request, body } = exchange;
  if (!isObject(request) || !isObject(body) || body["id"] !== request["id"]) return;
  exchange["body"] = Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, name === "id" ? id : value]),
  );
}

function changed(
  base: Members,
  change: { readonly [pointer: string]: Json },
  complain: (error: string) => void,
): Members {
  const copy = copied(base);
  for (const [pointer, value] of Object.entries(change)) {
    if (pointer === "/request/id") echoId(copy, value);
    const error = changeAt(copy, pointer, copied(value));
    if (error !== null) complain(`${pointer} ${error}`);
    // A body is written as a value or as text, never as both.
    if (pointer === "/text") delete copy["body"];
    if (pointer === "/body") delete copy["text"];
  }
  return copy;
}

const holdsLiteral = (value: Json): boolean =>
  marked(value, "literal") !== undefined ||
  (typeof value === "object" && value !== null && Object.values(value).some(holdsLiteral));

/** JSON text with every `{ literal: "1.0" }` as it is written there. */
function textOf(value: Json): string {
  const literal = marked(value, "literal");
  if (typeof literal === "string") return literal;
  if (Array.isArray(value)) return `[${value.map(textOf).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, one]) => `${JSON.stringify(name)}:${textOf(one)}`)
    .join(",")}}`;
}

function withLiterals({ body, ...rest }: Members): Members {
  if (body === undefined) return rest;
  return holdsLiteral(body) ? { ...rest, text: textOf(body) } : { ...rest, body };
}

/** Bases in full: all but `from`, `change` and `expect`. */
interface Base {
  readonly members: Members;
  readonly holds: readonly string[] | undefined;
}

function resolved(
  { from, change, clause, ...own }: Written,
  bases: ReadonlyMap<string, Base>,
  complain: (error: string) => void,
): Members {
  const base = from === undefined ? (own as Members) : bases.get(from)?.members;
  if (base === undefined) complain(`from names no base: ${from}`);
  return { ...changed(base ?? {}, change ?? {}, complain), ...(clause === undefined ? {} : { clause }) };
}

/** What a base holds is held, unless the exchange says that it is broken or not exercised. */
function expectation(
  { broken, holds, notExercised = [], warns = [] }: WrittenExchange["expect"],
  base: Base | undefined,
): Pick<GoldenExchange, "broken" | "holds" | "notExercised" | "warns"> {
  const inherited = base?.holds?.filter((id) => !broken.includes(id) && !notExercised.includes(id));
  return { broken, holds: holds ?? inherited ?? [], notExercised, warns };
}

export function expand({ bases = {}, exchanges }: GoldenList): Expanded {
  const errors: string[] = [];
  const known = new Map<string, Base>();
  for (const [name, { expect, ...written }] of Object.entries(bases)) {
    const members = resolved(written, known, (error) => errors.push(`base ${name}: ${error}`));
    known.set(name, { members, holds: expect?.holds ?? known.get(written.from ?? "")?.holds });
  }
  const used = new Set([...Object.values(bases), ...exchanges].map(({ from }) => from));
  errors.push(
    ...Object.keys(bases)
      .filter((name) => !used.has(name))
      .map((name) => `base ${name}: nothing is derived from it`),
  );
  const full = exchanges.map(({ title, expect, ...written }) => {
    const members = resolved(written, known, (error) => errors.push(`${title}: ${error}`));
    const base = known.get(written.from ?? "");
    if (expect.holds === undefined && base?.holds === undefined)
      errors.push(`${title}: neither it nor its base has holds`);
    return { title, ...withLiterals(members), ...expectation(expect, base) } as unknown as GoldenExchange;
  });
  return { exchanges: errors.length === 0 ? full : [], errors };
}
