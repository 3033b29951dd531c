// What passed at a platform as a HAR 1.2 file
import { version } from "../../cli/version.ts";
import type { Recorded } from "../../harness/recordings/recorded.ts";
import { harFile } from "../../proxy/harFile.ts";

/** Keys included: they are made up, and another's tool must see that one was sent. */
export async function harOf(exchanges: readonly Recorded[], path: string): Promise<void> {
  const file = harFile(path, (text) => text, version);
  // One after another: what separates two entries is written with the later.
  for (const exchange of exchanges) await file.add(exchange);
  file.close();
  const failure = file.failure();
  if (failure !== null) throw new Error(failure);
}
