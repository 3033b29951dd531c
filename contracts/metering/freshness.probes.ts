// Probes of the charge of one wallet call: how late and how consistently it shows, and which pool pays (§2.1).
import Big from "big.js";
import type { Json } from "../../harness/core/json.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import type { AnsweredExchange } from "../../harness/model/fingerprint.ts";
import type { Probe, ProbeContext, Seen } from "../../harness/model/probe.ts";
import { seenAs } from "../shared/describeCalls.ts";
import { documentedPlaces } from "../shared/figures.ts";
import { figureAt } from "../usage/usageReader.ts";
import { chargePaceOf, patience_ms, showsAtOnce, slowest_ms } from "./chargePace.ts";
import { call, grownBy, meteringProbe, observedRepeat, onWallet, pauseFor } from "./chargeProbes.ts";
import { fallsByUse, type Growth } from "./meterRounds.ts";
import { Measurement } from "./usageMeasurement.ts";

/** The reads after one wallet call, and the growth until the last of them. */
interface ReadsAfterCall {
  readonly growth: Growth;
  /** From the call to each change. */
  readonly changes_ms: readonly number[];
  readonly fell: boolean;
}

const places = ["/creditsUsed", "/creditsRemaining", "/credits/walletApi", "/requests/walletApi"];
/** After so many equal reads the charge counts as complete; fewer suffice where each so far showed at once. */
const enoughAlike = 5;
const enoughAtOnce = 3;

/** Reads after one call in each repeat, which all probes describe. */
async function readsAfterCall(context: ProbeContext): Promise<ReadsAfterCall> {
  const pause_ms = await pauseFor(context, "owner");
  const repeat = observedRepeat(context);
  return context.once(`reads after a wallet call in repeat ${repeat}`, () => readAfterCall(context, pause_ms));
}

async function readAfterCall(context: ProbeContext, pause_ms: number): Promise<ReadsAfterCall> {
  const measured = { askers: ["owner"], counters: [documentedPlaces] } as const;
  const measurement = await Measurement.begin(context, measured, pause_ms);
  const { readings } = measurement;
  // Where charges show soon, a quarter of a second shows as much.
  const wait_ms = (slowest_ms(chargePaceOf(context)) ?? patience_ms) < 2_000 ? 250 : 1_000;
  const { sentAt_ms } = await context.ask(context.fresh(call("owner")));
  const enough = showsAtOnce(chargePaceOf(context)) ? enoughAtOnce : enoughAlike;
  const changes_ms: number[] = [];
  let last = readings.last;
  let alike = 0;
  let fell = false;
  for (let nth = 0; nth * wait_ms <= patience_ms && (changes_ms.length === 0 || alike < enough); nth += 1) {
    await readings.read();
    const next = readings.last;
    const isOther = places.some((at) => !isSameAt(next, last, at));
    if (isOther) changes_ms.push(readings.now_ms - sentAt_ms);
    fell ||= (figureAt(next, "/creditsUsed") ?? new Big(0)).lt(figureAt(last, "/creditsUsed") ?? 0);
    last = next;
    alike = isOther ? 0 : alike + 1;
    await context.wait(wait_ms);
  }
  measurement.end(true);
  const [growth] = readings.growths();
  if (!growth) throw new Error("nobody reads usage");
  return { growth, changes_ms, fell };
}

const isSameAt = (some: AnsweredExchange, other: AnsweredExchange, at: string): boolean =>
  (figureAt(some, at) ?? new Big(-1)).eq(figureAt(other, at) ?? -1);

/** Classes wide enough to stay the same from call to call. */
const bands_s = [2, 10, 30, 60] as const;
const bandOf = (duration_ms = Number.POSITIVE_INFINITY): string => {
  const band_s = bands_s.find((one) => duration_ms <= one * 1000);
  return band_s === undefined ? "not within a minute" : `within ${band_s} s`;
};

const describePools = ({ of }: Growth): string =>
  `${of("/creditsRemaining").neg().toFixed()} from the plan, ${of("/prepaidCreditsUsed").toFixed()} prepaid`;

/** The pool that pays where both have credits; a test project rarely has them, so that another has little left. */
async function pools(context: ProbeContext): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  const { growth } = await readsAfterCall(context);
  if (fallsByUse.every((at) => figureAt(growth.before, at)?.gt(0)))
    seen.push(seenAs("credits in both pools", growth.exchange, describePools(growth)));
  if (context.target.control) {
    const { asker, consume } = await context.project({ plan: { creditsLimit: 1_000 }, prepaid: "1000" });
    await consume("rpc", "950", { pool: "regular" });
    const split = await grownBy(context, asker, () => context.ask(context.fresh(call(asker))));
    seen.push(seenAs("less than the price left in the plan", split.exchange, describePools(split)));
  }
  if (seen.length === 0) throw new Withheld("no project has credits in both pools");
  return seen;
}

function afterCall(
  id: Probe["id"],
  requests: readonly RequestSpec[],
  describe: (reads: ReadsAfterCall) => Json,
): Probe {
  const observe = async (context: ProbeContext) => {
    const reads = await readsAfterCall(context);
    return [seenAs("one wallet call", reads.growth.exchange, describe(reads))];
  };
  return meteringProbe(id, onWallet, requests, { observe, onTargetsOwn: true });
}

export const probes: readonly Probe[] = [
  meteringProbe("OBS-CRD-ORDER", onWallet, [call("owner", 3)], { observe: pools, onTargetsOwn: true }),
  afterCall("OBS-MET-LAG", [call("owner"), call("owner", 1)], ({ changes_ms }) => ({
    complete: bandOf(changes_ms.at(-1)),
    "partial states": changes_ms.length > 1 ? "seen" : "none",
  })),
  afterCall("OBS-USG-FRESH", [call("owner", 2)], ({ changes_ms, fell }) => ({
    "first change": bandOf(changes_ms[0]),
    "reads older than the one before": fell ? "seen" : "none",
  })),
];
