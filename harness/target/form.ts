// The form of target files of one interface: their schema, and how its own members are read.
import type { Interface } from "../core/interface.ts";
import type { FileSchema } from "../core/schema.ts";
import type { Secret } from "../core/secret.ts";
import type { Consent, Fact, TargetExtras } from "./target.ts";

export interface TargetForm {
  readonly interface: Interface;
  /** JSON Schema of a target file; `#/$defs/deviations` describes a list of deviations. */
  readonly schema: FileSchema;
  /** Where the form is shown, for people: the schema's file, or an example. */
  readonly shownIn: string;
  /**
   * Reads the members that only checks of this interface use, and the facts that fill in what the file leaves out.
   * @throws CommandLineError naming what is wrong, where, and what to do
   */
  readonly readExtras?: (source: ExtrasSource) => {
    readonly extras: TargetExtras;
    readonly secrets: readonly Secret[];
    readonly facts: readonly Fact[];
  };
}

export interface ExtrasSource {
  readonly file: string;
  readonly document: { readonly [member: string]: unknown };
  readonly allow: readonly Consent[];
  /** An environment variable; undefined where it isn't set. */
  readonly variable: (name: string) => string | undefined;
}
