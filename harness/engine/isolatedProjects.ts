// Isolated projects: what counts calls or trips limits has projects of its own and needs no turn.
import { type Asker, askersOf, type Carrier, type PathPart, type Role, type Stimulus } from "../core/stimulus.ts";
import { type KnownProject, keyOf, type Target } from "../target/target.ts";

/** Roles of which nothing is known but the plan and the switch of the admin interface. */
const replaceable: readonly Role[] = ["paid", "other", "free", "adminOff"];

/** Elsewhere limits may count more than a project together, or nothing can be made. */
export const canIsolate = ({ isReference, control }: Pick<Target, "isReference" | "control">): boolean =>
  isReference && control !== undefined;

/** Projects like those of the target's roles, made as they are needed. */
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
    // An id may be spelled out, too.
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
