// Are requests, bytes and deliveries counted one by one, each where it belongs? (§1.5, §2.1 rule 1, §6)
import Big from "big.js";
import { type Check, check, keptByUs, onlyObserved, type Shown } from "../../harness/check.ts";
import { must, near } from "../../harness/finding.ts";
import { usage } from "../stimuli.ts";
import { type Desk, documentedPlaces, numberAt, withProject } from "./desk.ts";

const requests = documentedPlaces.filter((at) => at.startsWith("/requests/"));

interface Growth {
  /** By so many, exactly. */
  by(at: string, amount: number): Shown;
  /** By anything at all: what it costs isn't said. */
  atAll(at: string): Shown;
}

/** By how much figures grow while something is consumed, beyond what a read itself adds (whether it is metered is open, OBS-MET-SELF). */
async function growth({ read }: Desk, consume: () => Promise<void>): Promise<Growth> {
  const [first, before] = [await read(), await read()];
  await consume();
  const after = await read();
  const grown = (at: string): Big =>
    numberAt(after, at)
      .minus(numberAt(before, at))
      .minus(numberAt(before, at).minus(numberAt(first, at)));
  return {
    by: (at, amount) => ({ exchange: after, finding: near(at, grown(at), new Big(amount), { within: 0 }) }),
    atAll: (at) => ({ exchange: after, finding: must(grown(at).gt(0), at, "more than before", numberAt(after, at)) }),
  };
}

export const checks: readonly Check[] = [
  keptByUs("MET-ENH-01", "the names of products in reports"),
  onlyObserved("MET-OTH-01", "OBS-MET-PRODUCT"),
  check("MET-WAL-06", usage({ as: "owner" })),
  withProject("MET-REQ-01", 3, {}, async (desk) => {
    const { project } = desk;
    const grew = await growth(desk, async () => {
      await project.consume("rpc", "1", { times: 1000, pool: "regular" });
      await project.consume("rpc", "1", { times: 234, pool: "regular" });
      await project.consume("das", "1", { times: 3, pool: "regular" });
    });
    const counts: { readonly [at: string]: number } = { "/requests/rpc": 1234, "/requests/das": 3 };
    return requests.map((at) => grew.by(at, counts[at] ?? 0));
  }),

  // One is beyond 32 bits, the other short of anything that could be its unit.
  withProject("MET-BYTE-01", 3, {}, async (desk) => {
    const grew = await growth(desk, async () => {
      await desk.project.stream("streamGrpc", 5_000_000_001);
      await desk.project.stream("streamWebsocket", 70_003);
    });
    return [grew.by("/dataTransfer/streamGrpc", 5_000_000_001), grew.by("/dataTransfer/streamWebsocket", 70_003)];
  }),

  // So much that no price worth metering is lost in rounding.
  withProject("MET-BYTE-02", 3, {}, async (desk) => {
    const streams = ["streamGrpc", "streamWebsocket"] as const;
    const grew = await growth(desk, async () => {
      for (const stream of streams) await desk.project.stream(stream, 600_000_000_000);
    });
    const metered = streams.flatMap((stream) => [grew.atAll(`/dataTransfer/${stream}`), grew.atAll(`/credits/${stream}`)]);
    return [...metered, ...requests.map((at) => grew.by(at, 0))];
  }),

  withProject("MET-HOOK-01", 3, {}, async (desk) => {
    const grew = await growth(desk, () => desk.project.deliverWebhooks(1000));
    return [grew.by("/requests/webhooks", 1000), grew.atAll("/credits/webhooks")];
  }),
];
