// Requirements of a user's config, kept in runs as texts: its config, which is code, isn't needed to read a run.
import type { Interface, Requirement, RequirementId } from "../core/interface.ts";

export interface OwnRequirement extends Pick<Requirement, "sentence" | "clause" | "definedAt"> {
  readonly id: string;
  readonly level: "must" | "may";
}

export const registerRow = ({ id, level, ...row }: OwnRequirement): Requirement => ({
  id: id as RequirementId,
  level,
  ...row,
  basis: "explicit",
  needs: [],
  enforce: level === "must" ? "fail" : "note",
});

/** Those of a config, if there is one, as a run keeps them. */
export const ownRequirementsIn = ({ requirements }: Pick<Interface, "requirements">): readonly OwnRequirement[] =>
  requirements.flatMap(({ id, sentence, clause, level, definedAt }) =>
    definedAt ? [{ id, sentence, clause, level: level === "may" ? level : "must", definedAt }] : [],
  );

/** An interface with requirements that a run keeps, where it hasn't got them. */
export function withOwnRequirements<Of extends Pick<Interface, "requirements">>(
  tables: Of,
  own: readonly OwnRequirement[],
): Of {
  const known = new Set<string>(tables.requirements.map(({ id }) => id));
  const more = own.filter(({ id }) => !known.has(id)).map(registerRow);
  return more.length === 0 ? tables : { ...tables, requirements: [...tables.requirements, ...more] };
}
