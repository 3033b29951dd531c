// Lawful choices: by choice, the ways in which a platform may take it, and what each changes
import type { Variant } from "../../reference/platform/mutant.ts";

export interface PlatformChoices {
  readonly [choice: string]: { readonly [id: string]: Omit<Variant, "id"> };
}
