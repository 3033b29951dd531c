// Chain profiles: public facts that fill in what a target file leaves out; each may be false on a platform.
import { fileURLToPath } from "node:url";
import { readYamlFile } from "../harness/core/yamlFile.ts";
import type { ExtrasSource } from "../harness/targets/form.ts";
import type { Assumption } from "../harness/targets/target.ts";

/** A row of contracts/chains.yaml. */
export interface ChainFact extends Pick<Assumption, "restsIn"> {
  /** A JSON pointer into the target file; with `*` at its end, a list of all values. */
  readonly fills?: string;
  readonly values: readonly string[];
  readonly for: string;
  readonly published: string;
}

const file = fileURLToPath(new URL("./chains.yaml", import.meta.url));

/** By the name of the profile. Self-tests hold the form of the file. */
export const chainFacts = (): { readonly [chain: string]: readonly ChainFact[] } =>
  readYamlFile(file).value as { readonly [chain: string]: readonly ChainFact[] };

/** The facts of the target's chain about what its file doesn't give. */
export function factsFor({ document }: Pick<ExtrasSource, "document">): readonly Assumption[] {
  const { chain = "none" } = document;
  const facts = chain === "none" ? [] : (chainFacts()[String(chain)] ?? []);
  return facts.flatMap(({ fills = "", values, published, restsIn }): readonly Assumption[] => {
    const [, member = "", name = ""] = fills.split("/");
    const given = document[member] as { readonly [name: string]: unknown } | undefined;
    if (member === "" || given?.[name] !== undefined) return [];
    const source = `the profile ${String(chain)}, as published by ${published}`;
    const used = fills.endsWith("*") ? values : values.slice(0, 1);
    return used.map((value, nth) => ({
      at: fills.replace("*", String(nth)),
      value,
      source,
      ...(restsIn ? { restsIn } : {}),
    }));
  });
}
