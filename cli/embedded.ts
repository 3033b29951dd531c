// Starts the embedded reference platform for a command, honest or with one lie.

import { randomUUID } from "node:crypto";
import { Misuse, suggestion } from "../harness/core/commandLineError.ts";
import type { PowerOver } from "../harness/target/target.ts";
import { powerOver } from "../harness/transport/control.ts";
import { type Demo, type DemoRole, demo, demoRoles } from "../reference/demo.ts";
import { controls } from "../reference/generated/controls.ts";
import { mutants } from "../reference/generated/mutants.ts";
import { type Listening, listen } from "../reference/http.ts";
import type { Lie } from "../reference/platform/mutant.ts";
import { createPlatform } from "../reference/platform.ts";

export interface Embedded extends Listening, Demo {
  /** The demo keys, under the names that targets/reference.yaml reads. */
  readonly environment: { readonly [name: string]: string };
  readonly control: PowerOver;
}

/** The lie of that name; undefined where none is asked for. */
export function lieNamed(name: string | undefined): Lie | undefined {
  if (name === undefined) return undefined;
  const lies: readonly Lie[] = [...mutants, ...controls];
  const lie = lies.find(({ id }) => id === name);
  if (lie) return lie;
  throw new Misuse(
    `There is no lie ${name}${suggestion(
      name,
      lies.map(({ id }) => id),
    )}. \`npx assay mutants --list\` names them all.`,
  );
}

export async function startEmbedded(port: number, lie?: Lie): Promise<Embedded> {
  const { world, keys, ids } = demo();
  const controlToken = randomUUID();
  const platform = createPlatform({ world, now_ms: Date.now, controlToken, ...(lie ? { lie } : {}) });
  const environment = Object.fromEntries(
    (Object.entries(demoRoles) as [DemoRole, string][]).map(([role, name]) => [name, keys[role]]),
  );
  try {
    const listening = await listen(platform, port);
    return { ...listening, world, keys, ids, environment, control: powerOver(listening.base, controlToken) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE")
      throw new Misuse(
        `Port ${port} of 127.0.0.1 is in use. Name another with --port, or leave --port out for a free one.`,
      );
    if (code === "EACCES")
      throw new Misuse(
        `Port ${port} of 127.0.0.1 needs rights that this process doesn't have. Name one above 1023 with --port.`,
      );
    throw error;
  }
}
