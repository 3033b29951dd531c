// Base addresses, in which a variable may stand for a key: some platforms have it in the path or in the host.
import { CommandLineError } from "../core/commandLineError.ts";
import type { Api } from "../core/interface.ts";
import { looksLikeKey, Secret } from "../core/secret.ts";
import { withoutTrailing } from "../core/trailing.ts";
import type { NamedVariable, Target } from "./target.ts";

const variable = /\$\{([A-Za-z_]\w*)\}/g;

/** What needs no encoding wherever it stands in an address. */
const usable = /^[\w.~-]{8,}$/;

export const filledBase = (base: string, valueOf: (name: string) => string): string =>
  base.replaceAll(variable, (_, name: string) => valueOf(name));

/** The base of an API in clear, with the keys of its variables: for the transport only. */
export function baseOf({ bases, baseKeys }: Pick<Target, "bases" | "baseKeys">, api: Api): string | undefined {
  const base = bases[api];
  return base && filledBase(base, (name) => baseKeys.get(name)?.open() ?? "");
}

/** In the place of variables and of keys that are hidden, so that the rest of a base can be read; it is no word. */
const placeholder = "assay-variable-0";

/** As it is written: a variable may stand in it. */
export const hostIn = (base: string): string => /^\w+:\/\/([^/]*)/.exec(base)?.[1] ?? base;

/** A base as it can be parsed, whatever its variables hold. */
export const parseableBase = (base: string): string =>
  filledBase(base, () => placeholder).replaceAll(/<key:[^<>]*>/g, placeholder);

/** A URL as it can be parsed where a key in its host is hidden. */
export const parseableUrl = (url: string): string => url.replace(/^\w+:\/\/[^/]*/, parseableBase);

export const variablesInBases = (bases: Target["bases"]): readonly NamedVariable[] =>
  Object.entries(bases as { readonly [api: string]: string }).flatMap(([api, base]) =>
    [...base.matchAll(variable)].map(([, name = ""]) => ({ name, at: ["bases", api] })),
  );

/**
 * The keys in bases, by the names of their variables.
 * @param keys of the target: a key that is one of them is shown as its role, another as its variable
 * @throws CommandLineError where a variable isn't set, or can't be a part of an address
 */
export const keysInBases = (
  file: string,
  variables: readonly NamedVariable[],
  valueOf: (name: string) => string | undefined,
  keys: readonly Secret[],
): Target["baseKeys"] =>
  new Map(
    variables.map(({ name, at }) => {
      const refuse = (problem: string): never => {
        throw new CommandLineError(
          `${file}: ${at.join(".")} takes its key from the environment variable ${name}, ${problem}`,
        );
      };
      const value = valueOf(name);
      if (!value) return refuse(`which isn't set. Set it (export ${name}=…).`);
      if (!usable.test(value))
        refuse(
          "which doesn't hold a usable one: in an address it has at least 8 letters, digits, - . _ or ~. Set it again.",
        );
      return [name, keys.find((secret) => secret.open() === value) ?? new Secret(name, value)];
    }),
  );

/** Parts of its path that look like keys, though they are no variables. */
export const mayBeKeysIn = (base: string): readonly string[] =>
  parseableBase(base)
    .replace(/^\w+:\/\/[^/]*/, "")
    .split("/")
    .filter((part) => part !== placeholder && looksLikeKey(part));

const patternOf = (text: string): string =>
  text
    .split(placeholder)
    .map((literal) => literal.replaceAll(/[^\w/-]/g, "\\$&"))
    .join("([^/]+)");

/** Finds the host of a base, and its path at the beginning of another; their groups are what variables stand for. */
export function basePattern(base: string) {
  const { host, pathname } = new URL(parseableBase(base));
  const path = withoutTrailing("/", pathname);
  return { host: new RegExp(`^${patternOf(host)}$`), prefix: new RegExp(`^${patternOf(path)}`), path };
}
