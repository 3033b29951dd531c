// A process that reads a small answer, idles, reads a large one and prints how far its memory rose
import { jsonRpcRequest } from "../contracts/shared/requestSpecs.ts";
import { realClock } from "../harness/core/clock.ts";
import { transportTo } from "../harness/transport/transport.ts";
import { networkWire } from "../harness/transport/wire.ts";
import { freshWorld } from "../proof/inProcess.ts";

export interface Peak {
  /** Resident while idle. */
  readonly idle_bytes: number;
  /** The most that was resident. */
  readonly peak_bytes: number;
  /** Length of the large answer. */
  readonly read_bytes: number;
}

const [base = ""] = process.argv.slice(2);
const { wire, close } = networkWire();

const { send } = transportTo(freshWorld("not used").targetAt(base), wire, realClock);

async function read(path: string): Promise<number> {
  const { answer, fault } = await send({ ...jsonRpcRequest("getTokenAccounts")({}), path: [path] });
  if (!answer?.json) throw new Error(fault?.detail ?? "no JSON");
  return answer.text.length;
}

await read("/small");
if (!globalThis.gc) throw new Error("start it with --expose-gc");
globalThis.gc();
const idle_bytes = process.memoryUsage.rss();
const read_bytes = await read("/large");
const peak_bytes = process.resourceUsage().maxRSS * 1024;
await close();
console.log(JSON.stringify({ idle_bytes, peak_bytes, read_bytes } satisfies Peak));
