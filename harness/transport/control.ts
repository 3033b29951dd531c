// Control: commands that make projects and change the platform, sent by the same transport.
import type { KnownProject } from "../core/interface.ts";
import type { Json } from "../core/json.ts";
import { controlFailed } from "../core/outcomes.ts";
import type { Asker } from "../core/requestSpec.ts";
import { Secret } from "../core/secret.ts";
import type { HeldKey, PowerOver } from "../targets/target.ts";
import type { Transport } from "./transport.ts";

/** The description of a control contract augments this with the types of its projects and wishes. */
export interface ControlTypes {}

export type MadeProject = ControlTypes extends { readonly project: infer Project } ? Project : BareProject;
export type ProjectWish = ControlTypes extends { readonly wish: infer Wish } ? Wish : { readonly [wish: string]: Json };

export interface BareProject {
  readonly asker: Asker;
}

/**
 * Sends one command and returns its answer.
 * @throws Inconclusive where control refuses, or answers without JSON
 */
export type ControlCommand = (command: { readonly do: string; readonly [member: string]: unknown }) => Promise<Json>;

/** How projects of one interface are made by control. */
export interface ControlOver {
  /**
   * @param hold adds a key to those of the target
   * @throws Inconclusive where control doesn't answer as documented
   */
  makeProject(
    command: ControlCommand,
    wish: ProjectWish,
    hold: (key: Omit<HeldKey, "secret"> & { readonly value: string }) => Asker,
  ): Promise<MadeProject>;
  /** The wish for a project like a known one; `generous`: with limits that generated cases never reach. */
  wishLike(known: KnownProject | undefined, options?: { readonly generous?: boolean }): ProjectWish;
}

export const powerOver = (base: string, token: string): PowerOver => ({ base, token: new Secret("control", token) });

/** @throws Inconclusive where control doesn't answer as documented */
export const makeProject = (
  control: ControlOver,
  power: PowerOver,
  order: Transport["order"],
  wish: ProjectWish,
  hold: (key: HeldKey) => Asker,
): Promise<MadeProject> =>
  control.makeProject(
    (command) => send(power, order, command),
    wish,
    ({ value, ...rest }) => hold({ ...rest, secret: new Secret("made", value) }),
  );

async function send({ base, token }: PowerOver, order: Transport["order"], command: { readonly do: string }) {
  const { answer, fault } = await order({
    method: "POST",
    url: `${base}/control`,
    headers: Object.entries({ "content-type": "application/json", "x-assay-control": token.open() }),
    body: JSON.stringify(command),
  });
  if (!answer) throw controlFailed(`control didn't answer (${fault?.kind}: ${fault?.detail})`);
  if (answer.status !== 200)
    throw controlFailed(`control refused ${command.do} (HTTP ${answer.status}): ${answer.text.slice(0, 200)}`);
  if (!answer.json) throw controlFailed(`control answered ${command.do} without JSON`);
  return answer.json.value;
}
