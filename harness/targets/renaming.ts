// Renamed things: names that a target gives instead of documented ones.
import type { Renamable, RequirementId } from "../core/interface.ts";
import type { Target } from "./target.ts";

export interface Renamed {
  readonly documented: string;
  readonly name: string;
}

type Named = Pick<Target, "names" | "interface">;

/** Header names have no case. */
const isSame = (place: Renamable["in"], name: string, documented: string): boolean =>
  place === "header" ? name.toLowerCase() === documented.toLowerCase() : name === documented;

const namesIn = ({ names, interface: { renamable = [] } }: Named) =>
  renamable.flatMap((one) => {
    const name = names[one.name];
    return typeof name === "string" && !isSame(one.in, name, one.documented) ? [{ ...one, name }] : [];
  });

/** The names in a requirement that the target renames. */
export const renamedIn = (target: Named, id: RequirementId): readonly Renamed[] =>
  namesIn(target).flatMap(({ documented, name, requirements }) =>
    requirements.includes(id) ? [{ documented, name }] : [],
  );

/** For people, e.g. `theirs instead of documented`. */
export const describeRenamed = (all: readonly Renamed[]): string =>
  all.map(({ documented, name }) => `${name} instead of ${documented}`).join(", ");

/** The target's name for a documented one, spelled as that is; other names stay. */
export function nameOn(target: Named, written: string): string {
  const found = namesIn(target).find(({ in: place, documented }) => isSame(place, written, documented));
  if (!found || written === found.documented) return found?.name ?? written;
  const letters = written.replace(/[^a-z]/gi, "");
  const isUpper = (nth: number): boolean => /[A-Z]/.test(letters.charAt(nth % letters.length));
  return found.name.replace(/[a-z]/gi, (letter, at: number) =>
    isUpper(at) ? letter.toUpperCase() : letter.toLowerCase(),
  );
}
