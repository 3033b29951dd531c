// Projects that control makes for a run: for scenarios, and isolated ones like the target's own.
import { Withheld } from "../core/outcomes.ts";
import type { KeyHider } from "../core/secret.ts";
import type { Made, Role } from "../core/stimulus.ts";
import type { HeldKey, PowerOver, Target } from "../target/target.ts";
import { type ControlOver, type MadeProject, makeProject, type ProjectWish } from "../transport/control.ts";
import type { Transport } from "../transport/transport.ts";
import { IsolatedProjects } from "./isolatedProjects.ts";

export interface ProjectsOptions {
  readonly target: Target;
  /** The target's keys; those of made projects are added. */
  readonly keys: Map<Role | Made, HeldKey>;
  readonly hider: KeyHider;
  readonly control: ControlOver | undefined;
  readonly order: Transport["order"];
}

export interface Projects {
  /** @throws Withheld without control, Inconclusive where it doesn't answer as documented */
  make(wish: ProjectWish): Promise<MadeProject>;
  /** @param options `generous`: with limits that generated cases never reach */
  isolated(options?: { readonly generous?: boolean }): IsolatedProjects;
}

export function projectsOf({ target, keys, hider, control, order }: ProjectsOptions): Projects {
  const inControl = (): readonly [ControlOver, PowerOver] => {
    if (!control || !target.control) throw new Withheld("no control over the platform");
    return [control, target.control];
  };
  const make = async (wish: ProjectWish): Promise<MadeProject> =>
    makeProject(...inControl(), order, wish, (key) => {
      const made: Made = `made-${keys.size}`;
      keys.set(made, { ...key, isMade: true });
      hider.add(key.secret);
      return made;
    });
  return {
    make,
    isolated: (options = {}) =>
      new IsolatedProjects(target, async (known) => (await make(inControl()[0].wishLike(known, options))).asker),
  };
}
