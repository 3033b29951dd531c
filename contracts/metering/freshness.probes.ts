// Probes of how late and how consistently charges show in usage (§2.1).
import Big from "big.js";
import type { Json } from "../../harness/core/json.ts";
import type { Stimulus } from "../../harness/core/stimulus.ts";
import type { Answered } from "../../harness/model/fingerprint.ts";
import type { Probe, ProbeContext } from "../../harness/model/probe.ts";
import { seenAs } from "../shared/describeCalls.ts";
import { usage } from "../shared/stimuli.ts";
import { documentedPlaces, figure } from "../usage/usageReader.ts";
import { patience_ms } from "./chargePace.ts";
import { call, learnPace, meteringProbe, onWallet, paceCall, pause_ms } from "./chargeProbes.ts";
import { Measurement } from "./usageMeasurement.ts";

/** The reads after one wallet call. */
interface ReadsAfterCall {
  readonly last: Answered;
  /** From the call to the first and the last change, in ms; null: never. */
  readonly first_ms: number | null;
  readonly complete_ms: number | null;
  readonly changes: number;
  readonly fell: boolean;
}

const places = ["/creditsUsed", "/creditsRemaining", "/credits/walletApi", "/requests/walletApi"];
/** After so many equal reads the charge counts as complete. */
const enoughAlike = 5;

async function readsAfterCall(context: ProbeContext): Promise<ReadsAfterCall> {
  const read = (): Promise<Answered> => context.ask(context.fresh(usage({ as: "owner" })));
  await learnPace(context);
  await Measurement.begin(context, { askers: ["owner"], counters: [documentedPlaces] }, () => pause_ms(context));
  const before = await read();
  await context.ask(context.fresh(paceCall));
  let [last, alike, changes, fell]: [Answered, number, number, boolean] = [before, 0, 0, false];
  let [first_ms, complete_ms]: [number | null, number | null] = [null, null];
  for (let waited_ms = 0; waited_ms <= patience_ms && (changes === 0 || alike < enoughAlike); waited_ms += 1_000) {
    const next = await read();
    const isOther = places.some((at) => !isSameAt(next, last, at));
    fell ||= (figure(next, "/creditsUsed") ?? new Big(0)).lt(figure(last, "/creditsUsed") ?? 0);
    if (isOther) complete_ms = next.sentAt_ms - before.sentAt_ms;
    if (isOther) first_ms ??= complete_ms;
    [last, changes, alike] = [next, changes + Number(isOther), isOther ? 0 : alike + 1];
    // On the reference a quarter of a second shows as much as a second elsewhere.
    await context.wait(context.target.isReference ? 250 : 1_000);
  }
  return { last, first_ms, complete_ms, changes, fell };
}

const isSameAt = (some: Answered, other: Answered, at: string): boolean =>
  (figure(some, at) ?? new Big(-1)).eq(figure(other, at) ?? -1);

/** Classes wide enough to stay the same from call to call. */
const bands_s = [2, 10, 30, 60] as const;
const bandOf = (duration_ms: number | null): string => {
  const band_s = duration_ms === null ? undefined : bands_s.find((one) => duration_ms <= one * 1000);
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
  afterCall("OBS-MET-LAG", [paceCall, call("owner", 1)], ({ complete_ms, changes }) => ({
    complete: bandOf(complete_ms),
    "partial states": changes > 1 ? "seen" : "none",
  })),
  afterCall("OBS-USG-FRESH", [call("owner", 2)], ({ first_ms, fell }) => ({
    "first change": bandOf(first_ms),
    "reads older than the one before": fell ? "seen" : "none",
  })),
];
