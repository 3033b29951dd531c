// Header fields as they pass the proxy: names, order and duplicates kept, those of one connection left out.
import type { IncomingMessage } from "node:http";
import type { HeaderList } from "../harness/transport/exchange.ts";

/** Names and values in turn, as the libraries take and give them. */
type Fields = readonly string[];

/** Fields of one connection (RFC 9110 §7.6.1). `Expect` is answered here: the library can't send it. */
const ofOneHop = new Set("connection proxy-connection keep-alive te transfer-encoding upgrade expect".split(" "));

// What runs with each request is written as loops: a fifth of the proxy's pace went into lists made of lists.

/** Bytes stay what they are: each is a character. */
export const textsIn = (raw: unknown): string[] => ((raw ?? []) as Buffer[]).map((part) => part.toString("latin1"));

/** Those that go on to the other side. @param others names of fields that don't, separated by commas */
export function onward(fields: Fields, others: string): string[] {
  const left = others.toLowerCase().split(/[\s,]+/);
  const passed: string[] = [];
  for (let at = 0; at < fields.length; at += 2) {
    const name = fields[at] ?? "";
    const value = fields[at + 1] ?? "";
    const lower = name.toLowerCase();
    if (!ofOneHop.has(lower) && !left.includes(lower)) passed.push(name, value);
  }
  return passed;
}

export function pairsOf(fields: Fields): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let at = 1; at < fields.length; at += 2) pairs.push([fields[at - 1] ?? "", fields[at] ?? ""]);
  return pairs;
}

/** Fields of one name together: where a proxy is in between, the library keeps the last of each name only. */
export function grouped(fields: Fields): string[] {
  const pairs = pairsOf(fields);
  return [...new Set(pairs.map(([name]) => name))].flatMap((name) => {
    const values = pairs.flatMap(([one, value]) => (one === name ? [value] : []));
    // Its types don't know that a value may be a list.
    return [name, values.length > 1 ? values : values[0]] as string[];
  });
}

export const lowered = (fields: Fields): HeaderList =>
  pairsOf(fields).map(([name, value]) => [name.toLowerCase(), value]);

export const hasBody = ({ headers }: Pick<IncomingMessage, "headers">): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/** @param line with which a request or an answer begins */
export const headText = (line: string, fields: Fields): string =>
  `${[line, ...pairsOf(fields).map(([name, value]) => `${name}: ${value}`)].join("\r\n")}\r\n\r\n`;
