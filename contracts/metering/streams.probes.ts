// Probes of streams and webhooks, which only control can set going (§2.1, §6).
import { type Observe, type Probe, type ProbeContext, type Seen, unsupported } from "../../harness/model/probe.ts";
import { controlOf } from "../shared/control.ts";
import { seenAs } from "../shared/describeCalls.ts";
import { probesFor } from "../shared/forFeature.ts";
import { ownersUsage } from "../shared/requestSpecs.ts";
import { growthBy } from "./growth.ts";

const streams = ["streamGrpc", "streamWebsocket"] as const;
/** So many bytes that rounding can't hide their price. */
const gibibytes = 100;
const gibibyte = 1024 ** 3;

const events = 10;
const attempts = 3;

async function bytes(context: ProbeContext): Promise<readonly Seen[]> {
  const project = await context.project();
  const growth = await growthBy(context, project.asker, async () => {
    for (const stream of streams) await project.stream(stream, gibibytes * gibibyte);
  });
  return streams.map((stream) => {
    const price = growth.of(`/credits/${stream}`).div(gibibytes).toFixed();
    return seenAs(stream, growth.exchange, `${price} credits per GiB delivered`);
  });
}

async function deliveries(context: ProbeContext): Promise<readonly Seen[]> {
  const project = await context.project();
  const { exchange, of } = await growthBy(context, project.asker, () => project.deliverWebhooks(events, attempts));
  const requests = `${of("/requests/webhooks").toFixed()} requests`;
  return [seenAs(`${events} events, each at attempt ${attempts}`, exchange, requests)];
}

const onOwnProject = (id: Probe["id"], observe: Observe): Probe =>
  probesFor("usage").experiment(id, [ownersUsage], observe, {
    control: { reads: 8, of: controlOf.billing },
    when: "isolated",
  });

export const probes: readonly Probe[] = [
  onOwnProject("OBS-MET-BYTES", bytes),
  onOwnProject("OBS-MET-HOOK", deliveries),
  unsupported(
    "usage",
    "OBS-EVT",
    "webhooks have no interface that could be asked (§6): what they send, and how, isn't seen from here",
  ),
];
