// The embedded reference platform, started for a command, honest or with one mutant.
import { randomUUID } from "node:crypto";
import { CommandLineError, suggestion } from "../harness/core/commandLineError.ts";
import type { PowerOver } from "../harness/targets/target.ts";
import { powerOver } from "../harness/transport/control.ts";
import { portProblem } from "../proxy/listening.ts";
import { type Demo, type DemoRole, demo, demoRoles } from "../reference/demo.ts";
import { benignVariants } from "../reference/generated/benignVariants.ts";
import { mutants } from "../reference/generated/mutants.ts";
import { type Listening, listen } from "../reference/http.ts";
import type { Variant } from "../reference/platform/mutant.ts";
import { createPlatform } from "../reference/platform.ts";
import { servedWithDocuments } from "../reference/served.ts";
import { openApi } from "../specs/generated/openApiDocument.ts";
import { openRpc } from "../specs/generated/openrpc.ts";

export interface Embedded extends Listening, Demo {
  /** The demo keys, under the names that targets/reference.yaml reads. */
  readonly environment: { readonly [name: string]: string };
  readonly control: PowerOver;
}

/** The mutant or benign variant of that name; undefined without a name. */
export function variantNamed(name: string | undefined): Variant | undefined {
  if (name === undefined) return undefined;
  const variants: readonly Variant[] = [...mutants, ...benignVariants];
  const variant = variants.find(({ id }) => id === name);
  if (variant) return variant;
  const ids = variants.map(({ id }) => id);
  throw new CommandLineError(
    `There is no mutant ${name}${suggestion(name, ids)}. \`npx assay mutants --list\` names them all.`,
  );
}

/** @param startsAt_ms for other people's clients: all clocks run from then on; left out for what is judged */
export async function startEmbedded(port: number, variant?: Variant, startsAt_ms?: number): Promise<Embedded> {
  const { world, keys, ids } = demo(startsAt_ms);
  const controlToken = randomUUID();
  const ahead_ms = startsAt_ms === undefined ? 0 : startsAt_ms - Date.now();
  const now_ms = (): number => Date.now() + ahead_ms;
  const judged = createPlatform({ world, now_ms, controlToken, ...(variant ? { variant } : {}) });
  const platform = startsAt_ms === undefined ? judged : servedWithDocuments(judged, { openApi, openRpc });
  const environment = Object.fromEntries(
    (Object.entries(demoRoles) as [DemoRole, string][]).map(([role, name]) => [name, keys[role]]),
  );
  try {
    const listening = await listen(platform, port);
    return { ...listening, world, keys, ids, environment, control: powerOver(listening.base, controlToken) };
  } catch (error) {
    const { syscall } = error as NodeJS.ErrnoException;
    throw syscall === "listen" ? portProblem(error, port, "127.0.0.1") : error;
  }
}
