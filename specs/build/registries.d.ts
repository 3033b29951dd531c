export interface Kind {
  /** Name of the generated file and of what it exports. */
  readonly registry: string;
  readonly of: "contracts" | "property" | "load" | "reference";
  readonly below: readonly string[];
  readonly exported: string;
  readonly type: string;
  readonly from: string;
  /** By the method's name: of all methods, or of those whose file has it. Lists otherwise. */
  readonly byMethod?: "all" | "some";
}

export interface Registry extends Kind {
  readonly files: readonly string[];
}

export const kinds: readonly Kind[];
export function filesBelow(folder: string, wanted: RegExp): string[];
export function stemOf(file: string): string;
export function registriesOf(specsDir: string): readonly Registry[];
export function lackingIn(specsDir: string): readonly string[];
