// What is left open about streams and webhooks, which only power over a platform can set going? (§2.1, §6)
import {
  experiment,
  type Probe,
  type ProbeContext,
  readingOf,
  type Seen,
  unsupported,
} from "../../harness/model/probe.ts";
import { seenAs } from "../shared/describeCalls.ts";
import { ownersUsage } from "../shared/probeRequests.ts";
import { type Growth, growthBy } from "./usageMeasurement.ts";

const streams = ["streamGrpc", "streamWebsocket"] as const;
/** So many bytes that no price worth metering is lost in rounding. */
const gibibytes = 100;
const gibibyte = 1024 ** 3;

const events = 10;
const attempts = 3;

const seenIn = (name: string, { exchange }: Growth, summary: string): readonly Seen[] =>
  exchange.answer ? [seenAs(name, { ...exchange, answer: exchange.answer }, summary)] : [];

async function bytes(context: ProbeContext): Promise<readonly Seen[]> {
  const project = await context.project();
  const growth = await growthBy(context, project.asker, async () => {
    for (const stream of streams) await project.stream(stream, gibibytes * gibibyte);
  });
  return streams.flatMap((stream) =>
    seenIn(
      stream,
      growth,
      `${growth.of(`/credits/${stream}`).div(gibibytes).toFixed()} credits per GiB that is delivered`,
    ),
  );
}

async function deliveries(context: ProbeContext): Promise<readonly Seen[]> {
  const project = await context.project();
  const growth = await growthBy(context, project.asker, () => project.deliverWebhooks(events, attempts));
  return seenIn(
    `${events} events, each at attempt ${attempts}`,
    growth,
    `${growth.of("/requests/webhooks").toFixed()} requests`,
  );
}

const inside = (id: Probe["id"], look: (context: ProbeContext) => Promise<readonly Seen[]>): Probe =>
  experiment(id, [ownersUsage], async (context) => readingOf(await look(context)), {
    feature: "usage",
    control: { reads: 8 },
    when: "isolated",
  });

export const probes: readonly Probe[] = [
  inside("OBS-MET-BYTES", bytes),
  inside("OBS-MET-HOOK", deliveries),
  unsupported(
    "OBS-EVT",
    "webhooks have no interface that could be asked (§6): what they send, and how, isn't seen from here",
    "usage",
  ),
];
