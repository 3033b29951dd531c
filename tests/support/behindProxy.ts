// The reference behind the proxy, and a judge of what passes it, in this process.
import { wholeSuite } from "../../cli/suite.ts";
import { placeholder, referenceFile, targetOf } from "../../cli/target.ts";
import { RecordedCallers } from "../../harness/recordings/callers.ts";
import { RecordingJudge } from "../../harness/recordings/judge.ts";
import type { Target } from "../../harness/targets/target.ts";
import { startProxy } from "../../proxy/forwarding.ts";
import { queueBefore } from "../../proxy/queue.ts";
import { runApplication } from "./application.ts";
import { clients, type Place } from "./clients.ts";
import { servedReference } from "./servedReference.ts";

/** What clients send to a platform, as its target file describes it. */
export type Send = (place: Place, target: Target) => Promise<void>;

/** All clients and the application, whatever the platform answers. */
export const sendAll: Send = async (place, target) => {
  for (const call of Object.values(clients).flatMap((calls) => Object.values(calls)))
    await call(place).catch(() => undefined);
  await runApplication(place, target);
};

/** Judges what clients send through a proxy to a fresh platform. */
export async function judgedBehindProxy(variant: string | undefined, send: Send) {
  const platform = await servedReference(variant);
  const target = targetOf(referenceFile, platform);
  const callers = new RecordedCallers(target, new Map(), placeholder);
  const judge = new RecordingJudge({ callers, laws: wholeSuite.laws, impliedFails: true, onExchange: () => undefined });
  const queue = queueBefore({ judge: (recorded) => judge.add(recorded), running: () => 0 });
  const proxy = await startProxy({
    upstream: new URL(platform.base),
    port: 0,
    host: "127.0.0.1",
    environment: {},
    onExchange: queue.add,
  });
  try {
    await send({ ...platform, base: proxy.url }, target);
  } finally {
    await proxy.close();
    await platform.close();
    await queue.drain();
  }
  const { report } = judge;
  const byReason = Object.fromEntries(report.unjudged.map(({ reason, exchanges }) => [reason, exchanges]));
  return { report, byReason, failure: queue.failure(), forwarded: queue.counts().judged };
}
