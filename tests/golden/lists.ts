// The golden lists of this folder: whether each is well formed, and its exchanges in full.
import { readdirSync, readFileSync } from "node:fs";
import { Ajv2020, type SchemaObject } from "ajv/dist/2020.js";
import { parse } from "yaml";
import type { GoldenExchange } from "./build.ts";
import { type Expanded, expand, type GoldenList } from "./expand.ts";

const textOf = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");

const ajv = new Ajv2020({ allErrors: true });
const fits = ajv.compile<GoldenList>(JSON.parse(textOf("exchange.schema.json")) as SchemaObject);

/** What the schema says of a list; nothing if it fits. */
const misfits = (list: unknown): readonly string[] =>
  fits(list) ? [] : (fits.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);

/** An exchange as a list would have it in full. */
const written = ({ broken, holds, notExercised, warns, ...rest }: GoldenExchange): object => ({
  ...rest,
  expect: { broken, holds, notExercised, warns },
});

/** Expands a list; what is written and what comes of it both have to fit the schema. */
export function expanded(list: unknown): Expanded {
  const errors = misfits(list);
  if (errors.length > 0) return { exchanges: [], errors };
  const full = expand(list as GoldenList);
  return full.errors.length > 0 ? full : { ...full, errors: misfits({ exchanges: full.exchanges.map(written) }) };
}

export const lists: readonly (Expanded & { readonly name: string })[] = readdirSync(new URL(".", import.meta.url))
  .filter((name) => name.endsWith(".yaml"))
  .sort()
  // The lists share values by alias, which the parser takes for an attack beyond a hundred.
  .map((name) => ({ name, ...expanded(parse(textOf(name), { maxAliasCount: -1 })) }));

export const golden: readonly GoldenExchange[] = lists.flatMap(({ exchanges }) => exchanges);
