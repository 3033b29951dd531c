// The form of target files of one interface: its schema, and what a file says besides.
import type { Interface } from "../core/interface.ts";
import type { Secret } from "../core/secret.ts";
import type { SchemaNode } from "../core/yamlFile.ts";
import type { Consent, TargetExtras } from "./target.ts";

/** What target files of one interface look like. */
export interface TargetForm {
  readonly interface: Interface;
  /** JSON Schema of a target file; `#/$defs/deviations` is that of a list of deviations. */
  readonly schema: SchemaNode & { readonly $id: string };
  /**
   * Reads what a file says besides.
   * @throws CommandLineError naming what is wrong, where, and what to do
   */
  readonly readExtras?: (source: ExtrasSource) => {
    readonly extras: TargetExtras;
    readonly secrets: readonly Secret[];
  };
}

export interface ExtrasSource {
  readonly file: string;
  readonly document: { readonly [member: string]: unknown };
  readonly allow: readonly Consent[];
  /** An environment variable; undefined where it isn't set. */
  readonly variable: (name: string) => string | undefined;
}
