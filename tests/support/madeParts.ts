// Parts of a load made by hand: a recorded stream of what k6 logs, split over generators
import type { TrafficRecord, TrafficShown } from "../../load/k6/orders.ts";
import { smoke } from "../../load/shapes/shapes.ts";
import { loadSuite } from "../../load/suite.ts";
import type { LoadJudging } from "../../load/traffic/load.ts";
import { type LoadPart, PartReader } from "../../load/traffic/parts.ts";
import { planLoad } from "../../load/traffic/plan.ts";
import { loadTarget } from "./madeLoads.ts";

const target = loadTarget();
export const plan = planLoad(target, smoke, { suite: loadSuite, seed: 1, seconds: 24, perSecond: 10 });
export const iterations = 240;

export const judging: LoadJudging = {
  ...{ target, plan, suite: loadSuite, impliedFails: false, generator: "k6 2.2.0" },
  before: { requests: 4, credits: 0, unpriced: 0 },
};

/** What one iteration logs. */
export interface Logged {
  readonly record: TrafficRecord;
  readonly shown?: TrafficShown;
}

export const operations = plan.mix.shares.map(({ operation }) => operation);

/** As parts are kept: JSON. */
const kept = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

/** The stream in so many parts; by default as k6 deals it. */
export function splitUp(
  stream: readonly Logged[],
  of: number,
  {
    partOf = (nth) => nth % of,
    change = (part) => part,
  }: { readonly partOf?: (nth: number) => number; readonly change?: (part: LoadPart) => LoadPart } = {},
): readonly LoadPart[] {
  return Array.from({ length: of }, (_, at) => {
    const reader = new PartReader({ nth: at + 1, of }, operations, plan.phases);
    const own = stream.filter(({ record: [nth] }) => partOf(nth) === at);
    reader.add({ segment: null, beganAt_ms: 1_000_000, kept: null });
    if (of > 1) reader.add({ stoodStill_ms: 40 });
    for (const { record, shown } of own) {
      reader.add(record);
      if (shown) reader.add(shown);
    }
    const summary = { iterations: own.length + (of > 1 ? 1 : 0), droppedIterations: 0, requests: own.length };
    const how = { startAt_ms: 1_000_000, summary, stopped: null, failure: null, page: null };
    return kept(change(reader.part(how)));
  });
}

/** An honest load: every request served. */
export const honest: readonly Logged[] = Array.from({ length: iterations }, (_, nth) => ({
  record: [nth, 0, nth % operations.length, 0, 1_000 + nth, 1, []],
}));
