// The golden lists of this folder: whether each is well formed, and its exchanges in full.
import { readdirSync, readFileSync } from "node:fs";
import { Ajv2020, type SchemaObject } from "ajv/dist/2020.js";
import { parse } from "yaml";
import type { GoldenExchange } from "./build.ts";
import { type Expanded, expand, type GoldenList } from "./expand.ts";

const textOf = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");

const ajv = new Ajv2020({ allErrors: true });
const fits = ajv.compile<GoldenList>(JSON.parse(textOf("exchange.schema.json")) as SchemaObject);

/** Expands a list that fits the schema; otherwise the errors say why not. */
export function expanded(list: unknown): Expanded {
  if (fits(list)) return expand(list);
  return {
    exchanges: [],
    errors: (fits.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`),
  };
}

export const lists: readonly (Expanded & { readonly name: string })[] = readdirSync(new URL(".", import.meta.url))
  .filter((name) => name.endsWith(".yaml"))
  .sort()
  // The lists share values by alias, which the parser takes for an attack beyond a hundred.
  .map((name) => ({ name, ...expanded(parse(textOf(name), { maxAliasCount: -1 })) }));

export const golden: readonly GoldenExchange[] = lists.flatMap(({ exchanges }) => exchanges);
