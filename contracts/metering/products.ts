// Checks that requests, bytes and deliveries count under their products (§1.5, §2.1 rule 1, §6).
import { must } from "../../harness/core/finding.ts";
import type { Check, Shown } from "../../harness/model/check.ts";
import type { MadeProject } from "../../harness/transport/control.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { documentedPlaces } from "../shared/figures.ts";
import { forFeature } from "../shared/forFeature.ts";
import { ownersUsage } from "../shared/requestSpecs.ts";
import { withProject } from "../usage/usageReader.ts";
import { growthBy } from "./growth.ts";
import { type Growth, grewBy } from "./meterRounds.ts";

const { check, onlyObserved, verifiedBySelfTest } = forFeature("usage");

const requests = documentedPlaces.filter((at) => at.startsWith("/requests/"));

/** Grown by any amount, as the price isn't documented. */
const atAll = (growth: Growth, at: string): Shown => ({
  exchange: growth.exchange,
  finding: must(growth.of(at).gt(0), at, "more than before", growth.of(at)),
});

/** Judges the growth of a project of its own by some consumption. */
const consuming = (
  id: RequirementId,
  consume: (project: MadeProject) => Promise<void>,
  judge: (growth: Growth) => readonly Shown[],
): Check =>
  withProject(id, 4, {}, async ({ project }, context) =>
    judge(await growthBy(context, project.asker, () => consume(project))),
  );

const streams = ["streamGrpc", "streamWebsocket"] as const;

export const checks: readonly Check[] = [
  verifiedBySelfTest("MET-ENH-01", "the names of products in reports"),
  onlyObserved("MET-OTH-01", "OBS-MET-PRODUCT"),
  check("MET-WAL-06", ownersUsage),
  consuming(
    "MET-REQ-01",
    async (project) => {
      await project.consume("rpc", "1", { times: 1000, pool: "regular" });
      await project.consume("rpc", "1", { times: 234, pool: "regular" });
      await project.consume("das", "1", { times: 3, pool: "regular" });
    },
    (growth) => {
      const counts: { readonly [at: string]: number } = { "/requests/rpc": 1234, "/requests/das": 3 };
      return requests.map((at) => grewBy(growth, at, counts[at] ?? 0));
    },
  ),

  // One amount is beyond 32 bits, the other no multiple of a larger unit.
  consuming(
    "MET-BYTE-01",
    async (project) => {
      await project.stream("streamGrpc", 5_000_000_001);
      await project.stream("streamWebsocket", 70_003);
    },
    (growth) => [
      grewBy(growth, "/dataTransfer/streamGrpc", 5_000_000_001),
      grewBy(growth, "/dataTransfer/streamWebsocket", 70_003),
    ],
  ),

  // So many bytes that rounding can't hide their price.
  consuming(
    "MET-BYTE-02",
    async (project) => {
      for (const stream of streams) await project.stream(stream, 600_000_000_000);
    },
    (growth) => [
      ...streams.flatMap((stream) => [atAll(growth, `/dataTransfer/${stream}`), atAll(growth, `/credits/${stream}`)]),
      ...requests.map((at) => grewBy(growth, at, 0)),
    ],
  ),

  consuming(
    "MET-HOOK-01",
    (project) => project.deliverWebhooks(1000),
    (growth) => [grewBy(growth, "/requests/webhooks", 1000), atAll(growth, "/credits/webhooks")],
  ),
];
