// A vendor with one mutant: the reference on a port, and a target file with its address and one key.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { demo } from "../../reference/demo.ts";
import { mutants } from "../../reference/generated/mutants.ts";
import { listen } from "../../reference/http.ts";
import { changed } from "../../reference/platform/change.ts";
import type { RuleChange } from "../../reference/platform/rules.ts";
import { createPlatform, type Platform } from "../../reference/platform.ts";
import { assay, type Ended, emptyFolder } from "./assay.ts";

/** Nothing is asked of its limits, and runs needn't wait for them. */
const unlimited: RuleChange = { limits: { admin: { most: 1_000 } } };

export interface MutantVendor {
  /** In a folder of its own. */
  readonly folder: string;
  readonly file: string;
  readonly environment: { readonly [name: string]: string };
  /** From now on it is honest, or has another mutant. */
  become(mutant: string | null): void;
  /** Judges it, in a folder of that name beside the target. */
  judge(out: string, ...args: readonly string[]): Promise<Ended>;
  close(): Promise<void>;
}

export async function mutantVendor(first: string | null, more = ""): Promise<MutantVendor> {
  const { world, keys, ids } = demo();
  const platformOf = (name: string | null): Platform => {
    const mutant = mutants.find(({ id }) => id === name);
    if (name !== null && !mutant) throw new Error(`no mutant ${name}`);
    const rules = changed<RuleChange>(mutant?.rules ?? {}, unlimited);
    return createPlatform({ world, now_ms: Date.now, variant: { id: "a vendor", ...mutant, rules } });
  };
  let platform = platformOf(first);
  const { base, close } = await listen({ fetch: (request, connection) => platform.fetch(request, connection) }, 0);
  const folder = emptyFolder();
  const file = join(folder, "acme.yaml");
  writeFileSync(
    file,
    `name: acme
bases: { admin: "${base}" }
offers: [usage]
projects: { main: { id: ${ids.paid}, plan: paid } }
keys: { paid: { project: main, env: ACME_KEY } }
pace: { perSecond: 50, usagePerSecond: 50 }
${more}`,
  );
  const environment = { ACME_KEY: keys.paid };
  return {
    folder,
    file,
    environment,
    become: (mutant) => {
      platform = platformOf(mutant);
    },
    judge: (out, ...args) => assay(["run", "--target", file, "--out", join(folder, out), ...args], environment),
    close,
  };
}
