// Probes of how late and how consistently charges show in usage (§2.1).
import Big from "big.js";
import type { Json } from "../../harness/core/json.ts";
import type { Stimulus } from "../../harness/core/stimulus.ts";
import type { Answered } from "../../harness/model/fingerprint.ts";
import type { Probe, ProbeContext } from "../../harness/model/probe.ts";
import { seenAs } from "../shared/describeCalls.ts";
import { documentedPlaces } from "../shared/figures.ts";
import { usage } from "../shared/stimuli.ts";
import { figure } from "../usage/usageReader.ts";
import { paceOf, patience_ms } from "./chargePace.ts";
import { call, meteringProbe, onWallet, paceCall, pauseFor } from "./chargeProbes.ts";
import { Measurement } from "./usageMeasurement.ts";

/** The reads after one wallet call. */
interface ReadsAfterCall {
  readonly last: Answered;
  /** From the call to each change. */
  readonly changes_ms: readonly number[];
  readonly fell: boolean;
}

const places = ["/creditsUsed", "/creditsRemaining", "/credits/walletApi", "/requests/walletApi"];
/** After so many equal reads the charge counts as complete. */
const enoughAlike = 5;

/** Reads after one call in each pass, which both probes describe. */
const readsAfterCall = (context: ProbeContext): Promise<ReadsAfterCall> =>
  context.once(`reads after a wallet call in pass ${context.pass}`, () => readAfterCall(context));

async function readAfterCall(context: ProbeContext): Promise<ReadsAfterCall> {
  const read = (): Promise<Answered> => context.ask(context.fresh(usage({ as: "owner" })));
  const pause_ms = await pauseFor(context);
  if (pause_ms > 0) await Measurement.begin(context, { askers: ["owner"], counters: [documentedPlaces] }, pause_ms);
  // Where charges show within a second, a quarter of one shows as much.
  const wait_ms = (paceOf(context).slowest_ms ?? patience_ms) < 1_000 ? 250 : 1_000;
  const before = await read();
  await context.ask(context.fresh(paceCall));
  const changes_ms: number[] = [];
  let [last, alike, fell] = [before, 0, false];
  for (let nth = 0; nth * wait_ms <= patience_ms && (changes_ms.length === 0 || alike < enoughAlike); nth += 1) {
    const next = await read();
    const isOther = places.some((at) => !isSameAt(next, last, at));
    if (isOther) changes_ms.push(next.sentAt_ms - before.sentAt_ms);
    fell ||= (figure(next, "/creditsUsed") ?? new Big(0)).lt(figure(last, "/creditsUsed") ?? 0);
    [last, alike] = [next, isOther ? 0 : alike + 1];
    await context.wait(wait_ms);
  }
  return { last, changes_ms, fell };
}

const isSameAt = (some: Answered, other: Answered, at: string): boolean =>
  (figure(some, at) ?? new Big(-1)).eq(figure(other, at) ?? -1);

/** Classes wide enough to stay the same from call to call. */
const bands_s = [2, 10, 30, 60] as const;
const bandOf = (duration_ms = Number.POSITIVE_INFINITY): string => {
  const band_s = bands_s.find((one) => duration_ms <= one * 1000);
  return band_s === undefined ? "not within a minute" : `within ${band_s} s`;
};

function afterCall(id: Probe["id"], requests: readonly Stimulus[], describe: (reads: ReadsAfterCall) => Json): Probe {
  const observe = async (context: ProbeContext) => {
    const reads = await readsAfterCall(context);
    return [seenAs("one wallet call", reads.last, describe(reads))];
  };
  return meteringProbe(id, onWallet, requests, observe, { onTargetsOwn: true });
}

export const probes: readonly Probe[] = [
  afterCall("OBS-MET-LAG", [paceCall, call("owner", 1)], ({ changes_ms }) => ({
    complete: bandOf(changes_ms.at(-1)),
    "partial states": changes_ms.length > 1 ? "seen" : "none",
  })),
  afterCall("OBS-USG-FRESH", [call("owner", 2)], ({ changes_ms, fell }) => ({
    "first change": bandOf(changes_ms[0]),
    "reads older than the one before": fell ? "seen" : "none",
  })),
];
