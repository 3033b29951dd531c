// Who asks in place of whom? What counts calls or trips limits needs no turn where it has projects of its own.

import { type Asker, askersOf, type Carrier, type PathPart, type Role, type Stimulus } from "../core/stimulus.ts";
import { type KnownProject, keyOf, type Target } from "../target/target.ts";
import type { MadeProject, ProjectWish } from "../transport/control.ts";

/** Roles of which nothing is known but the plan and the switch of the admin interface. */
const replaceable: readonly Role[] = ["paid", "other", "free", "adminOff"];

/** Elsewhere limits may count more than a project together, or nothing can be made. */
export const canIsolate = ({ isReference, control }: Pick<Target, "isReference" | "control">): boolean =>
  isReference && control !== undefined;

/** Projects like those of the target's roles, made as they are needed; with more than the wish where that is said. */
export class IsolatedProjects {
  readonly #target: Target;
  readonly #make: (wish: ProjectWish) => Promise<MadeProject>;
  readonly #more: ProjectWish;
  readonly #made = new Map<Role, Promise<Asker>>();

  constructor(target: Target, make: (wish: ProjectWish) => Promise<MadeProject>, more: ProjectWish = {}) {
    [this.#target, this.#make, this.#more] = [target, make, more];
  }

  /** The same, asked by those who stand in for whoever asks it. */
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
    const made =
      this.#made.get(role) ??
      this.#make({ ...wishOf(keyOf(this.#target, role)?.project), ...this.#more }).then(({ asker }) => asker);
    this.#made.set(role, made);
    return made;
  }
}

/** A project like a known one. */
export const wishOf = ({ plan = "paid", planName, creditsLimit, admin }: Partial<KnownProject> = {}): ProjectWish => ({
  plan: {
    kind: plan,
    ...(planName === undefined ? {} : { name: planName }),
    ...(creditsLimit === undefined ? {} : { creditsLimit }),
  },
  ...(admin === undefined ? {} : { admin }),
});
