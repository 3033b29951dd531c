// Isolated projects: made for one check or probe that counts calls or trips limits.
import { type Asker, askersOf, type Carrier, type PathPart, type Role, type Stimulus } from "../core/stimulus.ts";
import { type KnownProject, keyOf, type Target } from "../target/target.ts";

/** Roles whose projects control can reproduce. */
const replaceable: readonly Role[] = ["paid", "other", "free", "adminOff"];

/** Elsewhere limits may count several projects together, or no project can be made. */
export const canIsolate = ({ isReference, control }: Pick<Target, "isReference" | "control">): boolean =>
  isReference && control !== undefined;

/** Projects like those of the target's roles, each made when it is first needed. */
export class IsolatedProjects {
  readonly #target: Target;
  readonly #makeLike: (known: KnownProject | undefined) => Promise<Asker>;
  readonly #made = new Map<Role, Promise<Asker>>();

  constructor(target: Target, makeLike: (known: KnownProject | undefined) => Promise<Asker>) {
    [this.#target, this.#makeLike] = [target, makeLike];
  }

  /** The same request with the keys and ids of isolated projects. */
  async in(stimulus: Stimulus): Promise<Stimulus> {
    const substitutes = new Map<Asker, Asker>();
    // A path may also name an id literally.
    const askersById = new Map<string, Asker>();
    for (const asker of askersOf(stimulus)) {
      const { role, project } = keyOf(this.#target, asker) ?? {};
      const replaced = replaceable.find((one) => one === role);
      if (!replaced) continue;
      const isolated = await this.#isolatedFor(replaced);
      substitutes.set(asker, isolated);
      if (project?.id !== undefined) askersById.set(project.id, isolated);
    }
    const instead = (asker: Asker): Asker => substitutes.get(asker) ?? asker;
    const carriers = stimulus.carriers.map(
      (one): Carrier => ("keyOf" in one.key ? { ...one, key: { ...one.key, keyOf: instead(one.key.keyOf) } } : one),
    );
    const path = stimulus.path.map((part): PathPart => {
      if (typeof part !== "object" || "§" in part || "nearIdOf" in part) return part;
      if ("projectOf" in part) return { ...part, projectOf: instead(part.projectOf) };
      const spelledOut = askersById.get(part.id);
      return spelledOut === undefined ? part : { projectOf: spelledOut };
    });
    return { ...stimulus, carriers, path };
  }

  #isolatedFor(role: Role): Promise<Asker> {
    const made = this.#made.get(role) ?? this.#makeLike(keyOf(this.#target, role)?.project);
    this.#made.set(role, made);
    return made;
  }
}
