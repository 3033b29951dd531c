export interface Registry {
  /** Name of the generated file and of what it exports. */
  readonly registry: string;
  readonly of: "contracts" | "property" | "load" | "reference";
  /** The name that is looked for in each file; "stem" for the file's own. */
  readonly exported: string;
  readonly type: string;
  readonly from: string;
  /** What the files are named after; such a registry is by name, others are lists. */
  readonly keys?: "MethodName" | "ErrorTable";
  /** Whether a name may be missing. */
  readonly isPartial?: boolean;
  readonly files: readonly string[];
}

export function filesBelow(folder: string, wanted: RegExp): string[];
export function stemOf(file: string): string;
export function registriesOf(specsDir: string): readonly Registry[];
export function areRegistriesThere(specsDir: string): boolean;
export function unregisteredIn(specsDir: string): readonly string[];
