// The reference on a port, as `assay serve` starts it.
import { startAssay } from "./assay.ts";

export interface ServedReference {
  readonly base: string;
  /** Its keys. */
  readonly environment: { readonly [name: string]: string };
  close(): Promise<void>;
}

export async function servedReference(): Promise<ServedReference> {
  const serving = startAssay(["serve", "--json"]);
  const { base, environment } = JSON.parse(await serving.says("}\n")) as Omit<ServedReference, "close">;
  const close = async (): Promise<void> => {
    serving.kill("SIGINT");
    await serving.ended;
  };
  return { base, environment, close };
}
