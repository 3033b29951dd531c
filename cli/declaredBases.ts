// Base addresses as they are given to `assay init`, with variables in the place of keys: the file is to be committed.
import { mayBeKeysIn } from "../harness/targets/bases.ts";
import type { Environment } from "../harness/transport/route.ts";

export type GivenBases = readonly (readonly [api: string, base: string])[];

export interface DeclaredBases {
  readonly bases: GivenBases;
  /** Variables that aren't set, by their names: the parts of bases for which they stand. */
  readonly made: { readonly [variable: string]: string };
  /** What to do about them. */
  readonly lines: readonly string[];
}

/**
 * @param platform its name, with which the names of made variables begin
 * @param variables those of keys
 */
export function declaredBases(
  given: GivenBases,
  platform: string,
  variables: readonly string[],
  environment: Environment,
): DeclaredBases {
  const made: { [variable: string]: string } = {};
  const lines: string[] = [];
  const bases = given.map(([api, base]) => {
    const named = variables.reduce((text, variable) => withVariable(text, environment[variable], variable), base);
    const declared = mayBeKeysIn(named).reduce((text, part) => {
      const holder = variableOf(part, environment) ?? freeName(keyVariable(platform, api), { ...environment, ...made });
      if (environment[holder] === part) return withVariable(text, part, holder);
      made[holder] = part;
      lines.push(
        `  bases.${api} has a part that looks like a key. The file has \${${holder}} in its place: set that variable ` +
          "before a run, or write the part into the file if it isn't secret.",
      );
      return withVariable(text, part, holder);
    }, named);
    return [api, declared] as const;
  });
  return { bases, made, lines };
}

const withVariable = (text: string, value: string | undefined, variable: string): string =>
  value ? text.replaceAll(value, () => `\${${variable}}`) : text;

const variableOf = (value: string, environment: Environment): string | undefined =>
  Object.entries(environment).find(([, other]) => other === value)?.[0];

/** `ACME_RPC_KEY` for the base of `rpc` of acme. */
export const keyVariable = (platform: string, api: string): string =>
  `${platform}_${api}_KEY`
    .toUpperCase()
    .replaceAll(/\W+/g, "_")
    .replace(/^(?=\d)/, "_");

function freeName(name: string, taken: Environment): string {
  for (let nth = 2, free = name; ; nth += 1) {
    if (taken[free] === undefined) return free;
    free = `${name}_${nth}`;
  }
}
