// Control: power over a platform, by commands that travel through the same transport as all else.

import type { Json } from "../core/json.ts";
import { Inconclusive } from "../core/outcomes.ts";
import { Secret } from "../core/secret.ts";
import type { Asker } from "../core/stimulus.ts";
import type { HeldKey, KnownProject, PowerOver } from "../target/target.ts";
import type { Transport } from "./transport.ts";

/** What control can make, and what can be done to it: whoever describes control augments this. */
export interface ControlTypes {}

/** A project that control has made. */
export type MadeProject = ControlTypes extends { readonly project: infer Project } ? Project : BareProject;
/** What is wished of it. */
export type ProjectWish = ControlTypes extends { readonly wish: infer Wish } ? Wish : { readonly [wish: string]: Json };

/** The least that a made project says. */
export interface BareProject {
  readonly asker: Asker;
}

/** One command and what was answered. @throws Inconclusive where control refuses, or answers with no JSON */
export type Command = (command: { readonly do: string; readonly [member: string]: unknown }) => Promise<Json>;

/** How projects of one interface are made by control. */
export interface ControlOver {
  /**
   * @param hold gives a key a place among the target's
   * @throws Inconclusive where control doesn't answer as documented
   */
  makeProject(
    command: Command,
    wish: ProjectWish,
    hold: (key: Omit<HeldKey, "secret"> & { readonly value: string }) => Asker,
  ): Promise<MadeProject>;
  /** A project like a known one; a generous one has limits that generated cases never reach. */
  wishLike(known: KnownProject | undefined, options?: { readonly generous?: boolean }): ProjectWish;
}

export const powerOver = (base: string, token: string): PowerOver => ({
  base,
  token: new Secret("control", token),
  secretOf: (value) => new Secret("made", value),
});

/** @throws Inconclusive where control doesn't answer as documented */
export const makeProject = (
  control: ControlOver,
  power: PowerOver,
  order: Transport["order"],
  wish: ProjectWish,
  hold: (key: HeldKey) => Asker,
): Promise<MadeProject> =>
  control.makeProject(
    (command) => sent(power, order, command),
    wish,
    ({ value, ...rest }) => hold({ ...rest, secret: power.secretOf(value) }),
  );

async function sent(
  { base, token }: PowerOver,
  order: Transport["order"],
  command: { readonly do: string },
): Promise<Json> {
  const request = {
    method: "POST",
    url: `${base}/control`,
    headers: [
      ["content-type", "application/json"],
      ["x-assay-control", token.open()],
    ],
    body: JSON.stringify(command),
  } as const;
  const { answer, fault } = await order(request);
  if (!answer) throw new Inconclusive(`control didn't answer (${fault?.kind}: ${fault?.detail})`);
  if (answer.status !== 200)
    throw new Inconclusive(`control refused ${command.do} (HTTP ${answer.status}): ${answer.text.slice(0, 200)}`);
  if (!answer.json) throw new Inconclusive(`control answered ${command.do} with no JSON`);
  return answer.json.value;
}
