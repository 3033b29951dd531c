// The reference on a port, as other people's platform: its address, its keys, and target files that name it.
import { type Embedded, startEmbedded, variantNamed } from "../../cli/embedded.ts";
import { read } from "./assay.ts";

export type { Embedded };

/** @param startsAt_ms as in `assay serve`, where all clocks run from then on; left out for what is judged */
export const servedReference = (variant?: string, startsAt_ms?: number): Promise<Embedded> =>
  startEmbedded(0, variantNamed(variant), startsAt_ms);

/** While `work` runs. */
export async function withReference<Result>(
  variant: string | undefined,
  work: (platform: Embedded) => Promise<Result>,
): Promise<Result> {
  const platform = await servedReference(variant);
  try {
    return await work(platform);
  } finally {
    await platform.close();
  }
}

/** The text of a target file: the reference as a vendor of a name, at a base. */
export const vendorNamed = (name: string, base: string): string =>
  read("targets/reference.yaml")
    .replace("platform: embedded", `bases: { admin: ${base}, api: ${base}, rpc: ${base} }`)
    .replace("name: reference", `name: ${name}`);
