// Projects that control makes for a run: for scenarios, and isolated ones like the target's own.
import type { KnownProject } from "../core/interface.ts";
import { Withheld } from "../core/outcomes.ts";
import {
  type Asker,
  askersOf,
  type Carrier,
  type Made,
  type PathPart,
  type RequestSpec,
  type Role,
} from "../core/requestSpec.ts";
import type { KeyHider } from "../core/secret.ts";
import { isGiven } from "../core/template.ts";
import { type HeldKey, keyOf, type PowerOver, type Target } from "../targets/target.ts";
import { type ControlOver, type MadeProject, makeProject, type ProjectWish } from "../transport/control.ts";
import type { Transport } from "../transport/transport.ts";
import { notFromOutside } from "./unmetNeeds.ts";

/** Elsewhere limits may count several projects together, or no project can be made. */
export const canIsolate = ({ isReference, control }: Pick<Target, "isReference" | "control">): boolean =>
  isReference && control !== undefined;

/** The same request with the keys and ids of isolated projects. */
export type Isolate = (requestSpec: RequestSpec) => Promise<RequestSpec>;

/** Uses projects like those of the target's roles, each made when it is first needed. */
function isolatedBy(target: Target, makeLike: (known: KnownProject | undefined) => Promise<Asker>): Isolate {
  const made = new Map<Role, Promise<Asker>>();
  const isolatedFor = (role: Role): Promise<Asker> => {
    const asker = made.get(role) ?? makeLike(keyOf(target, role)?.project);
    made.set(role, asker);
    return asker;
  };
  return async (requestSpec) => {
    const substitutes = new Map<Asker, Asker>();
    // A path may also name an id literally.
    const askersById = new Map<string, Asker>();
    for (const asker of askersOf(requestSpec)) {
      const { role, project } = keyOf(target, asker) ?? {};
      const replaced = target.interface.roles.find(({ name, isReplaceable }) => isReplaceable && name === role)?.name;
      if (!replaced) continue;
      const isolated = await isolatedFor(replaced);
      substitutes.set(asker, isolated);
      if (project?.id !== undefined) askersById.set(project.id, isolated);
    }
    const instead = (asker: Asker): Asker => substitutes.get(asker) ?? asker;
    const carriers = requestSpec.carriers.map(
      (one): Carrier => ("keyOf" in one.key ? { ...one, key: { ...one.key, keyOf: instead(one.key.keyOf) } } : one),
    );
    const path = requestSpec.path.map((part): PathPart => {
      if (typeof part !== "object" || isGiven(part) || "nearIdOf" in part) return part;
      if ("projectOf" in part) return { ...part, projectOf: instead(part.projectOf) };
      const spelledOut = askersById.get(part.id);
      return spelledOut === undefined ? part : { projectOf: spelledOut };
    });
    return { ...requestSpec, carriers, path };
  };
}

interface Options {
  readonly target: Target;
  /** The target's keys; those of test projects are added. */
  readonly keys: Map<Role | Made, HeldKey>;
  readonly hider: KeyHider;
  readonly control: ControlOver | undefined;
  readonly order: Transport["order"];
}

export function projectsOf(projectsOptions: Options) {
  const { target, keys, hider, control, order } = projectsOptions;
  const inControl = (): readonly [ControlOver, PowerOver] => {
    if (!control || !target.control) throw new Withheld(notFromOutside());
    return [control, target.control];
  };
  /** @throws Withheld without control, Inconclusive where it doesn't answer as documented */
  const make = async (wish: ProjectWish): Promise<MadeProject> =>
    makeProject(...inControl(), order, wish, (key) => {
      const made: Made = `made-${keys.size}`;
      keys.set(made, { ...key, isMade: true });
      hider.add(key.secret);
      return made;
    });
  return {
    make,
    /** @param options `generous`: with limits that generated cases never reach */
    isolated: (options: { readonly generous?: boolean } = {}) =>
      isolatedBy(target, async (known) => (await make(inControl()[0].wishLike(known, options))).asker),
  };
}
