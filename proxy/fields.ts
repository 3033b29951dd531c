// Header fields as they pass the proxy: names, order and duplicates kept, those of one connection left out.
import type { HeaderList } from "../harness/transport/exchange.ts";

export type Fields = readonly (readonly [name: string, value: string])[];

/** Fields of one connection (RFC 9110 §7.6.1). `Expect` is answered here: the library can't send it. */
const ofOneHop = new Set("connection proxy-connection keep-alive te transfer-encoding upgrade expect".split(" "));

// What runs with each request is written as loops: a fifth of the proxy's pace went into lists made of lists.

/** Names and values in turn, as they came. Bytes stay what they are: each is a character. */
export function fieldsOf(raw: readonly (string | Buffer)[]): Fields {
  const text = (part: string | Buffer = ""): string => (typeof part === "string" ? part : part.toString("latin1"));
  const fields: [string, string][] = [];
  for (let at = 0; at < raw.length; at += 2) fields.push([text(raw[at]), text(raw[at + 1])]);
  return fields;
}

/** Those that go on to the other side. */
export function onward(fields: Fields): Fields {
  let named = ofOneHop;
  for (const [name, value] of fields)
    if (name.length === 10 && name.toLowerCase() === "connection" && !/^(keep-alive|close)$/i.test(value))
      named = new Set([...named, ...value.toLowerCase().split(/[\s,]+/)]);
  return fields.filter(([name]) => !named.has(name.toLowerCase()));
}

export function inTurn(fields: Fields): string[] {
  const list: string[] = [];
  for (const [name, value] of fields) list.push(name, value);
  return list;
}

export const has = (fields: Fields, name: string): boolean =>
  fields.some(([one]) => one.length === name.length && one.toLowerCase() === name);

export const withHost = (fields: Fields, host: string): Fields =>
  fields.map((field) => (field[0].length === 4 && /^host$/i.test(field[0]) ? [field[0], host] : field));

/** Fields of one name together: where a proxy is in between, the library keeps the last of each name only. */
export function grouped(fields: Fields): string[] {
  return [...new Set(fields.map(([name]) => name))].flatMap((name) => {
    const values = fields.flatMap(([one, value]) => (one === name ? [value] : []));
    // Its types don't know that a value may be a list.
    return [name, values.length > 1 ? values : values[0]] as string[];
  });
}

export const lowered = (fields: Fields): HeaderList => fields.map(([name, value]) => [name.toLowerCase(), value]);
