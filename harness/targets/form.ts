// The form of target files of one interface: their schema, and how its own members are read.
import type { Interface, Role } from "../core/interface.ts";
import type { FileSchema } from "../core/schema.ts";
import type { Secret } from "../core/secret.ts";
import type { Validator } from "../core/yamlFile.ts";
import type { Assumption, Consent, HeldKey, TargetExtras } from "./target.ts";

export interface TargetForm {
  readonly interface: Interface;
  /** JSON Schema of a target file; see `formsIn`. */
  readonly schema: FileSchema;
  /** Of a target file, or of the list of deviations beside it. */
  readonly validator: (part: keyof typeof formsIn) => Validator;
  /** Where the form is shown, for people: the schema's file, or an example. */
  readonly shownIn: string;
  /**
   * Reads the members that only checks of this interface use, and public facts that fill in what the file leaves out;
   * refuses what this interface doesn't let a target have.
   * @throws CommandLineError naming what is wrong, where, and what to do
   */
  readonly readExtras?: (source: ExtrasSource) => {
    readonly extras: TargetExtras;
    readonly secrets: readonly Secret[];
    readonly facts: readonly Assumption[];
  };
}

/** Where the schema of target files has each form, as a JSON pointer. */
export const formsIn = { target: "", deviations: "/$defs/deviations" } as const;

export interface ExtrasSource {
  readonly file: string;
  readonly document: { readonly [member: string]: unknown };
  readonly keys: ReadonlyMap<Role, HeldKey>;
  readonly allow: readonly Consent[];
  /** An environment variable; undefined where it isn't set. */
  readonly variable: (name: string) => string | undefined;
}
