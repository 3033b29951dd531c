// Who of two vendors is better in what: only where what is compared says that they differ.
import type { JudgedRequirement, Run } from "../../harness/record/run.ts";
import { kindOf } from "../words.ts";
import type {
  Better,
  Both,
  ChargeChange,
  LatencyRatio,
  LimitChange,
  LoadChange,
  Scorecard,
  ShareChange,
} from "./comparedFigures.ts";
import type { Pair } from "./comparison.ts";
import { isJudged, stateOf } from "./requirements.ts";
import { speedOf } from "./slowness.ts";

type Counts = Both<number>;

const countOf = <One>(all: readonly One[], isOne: (one: One) => boolean): number => all.filter(isOne).length;
const countsWhere = <One>(all: readonly One[], isOne: (one: One, side: "was" | "is") => boolean): Counts => ({
  was: countOf(all, (one) => isOne(one, "was")),
  is: countOf(all, (one) => isOne(one, "is")),
});

/** The side that has something, where the other has nothing of it. */
const sideWith = ({ was, is }: Counts): Better =>
  was > 0 && is > 0 ? "neither" : was > 0 ? "was" : is > 0 ? "is" : "same";
const sideWithLess = ({ was, is }: Counts): Better => (was < is ? "was" : is < was ? "is" : "same");

/** @param together the ratio of all answers to the same requests; of loads, `pair` has it */
export function scorecardOf(base: Run, head: Run, pair: Pair, together: LatencyRatio | null): Scorecard {
  const { load } = pair;
  const isUnsure = [base, head].some(
    (run) => run.load && (run.load.doubt ?? run.load.withheld ?? run.load.lag ?? null) !== null,
  );
  const isSame = load !== undefined && !isUnsure && !isOtherLoad(load);
  const lessOf = ({ isReported, by }: ShareChange): Better =>
    !isSame ? "unmeasured" : !isReported ? "same" : by > 0 ? "was" : "is";
  return {
    conformance: conformanceOf(base, head),
    latency: load ? latencyOfLoads(isSame ? (pair.latencyRatios ?? []) : []) : latencyOfRuns(pair, together),
    limits: limitsOf(load ? [] : pair.limits),
    credits: creditsOf(pair.charges),
    ...(load ? { load: { limited: lessOf(load.limited), failed: lessOf(load.failed) } } : {}),
  };
}

/** How long it took, and in how many parts, makes no other answers. */
export const isOtherLoad = ({ differs }: LoadChange): boolean =>
  differs.some((aspect) => aspect !== "duration" && aspect !== "parts");

export const isFailing = (judged: JudgedRequirement): boolean =>
  kindOf(judged) === "broken" || (kindOf(judged) === "deviates" && judged.enforced === "fail");

/** Loads and recordings verify nothing, so nothing says what else they judged. */
export const isVerifying = ({ recording, load }: Run): boolean => !recording && (!load || load.after !== undefined);

function conformanceOf(base: Run, head: Run): Scorecard["conformance"] {
  const after = new Map(head.requirements.map((judged) => [judged.id, judged]));
  const pairs = base.requirements.flatMap((was) => {
    const is = after.get(was.id);
    return is && was.sentence === is.sentence ? [{ was, is }] : [];
  });
  const isJudgedAt = (both: Both<JudgedRequirement>, side: "was" | "is"): boolean => isJudged(stateOf(both[side]));
  const judged =
    isVerifying(base) && isVerifying(head)
      ? pairs.filter((both) => isJudgedAt(both, "was") && isJudgedAt(both, "is"))
      : [];
  const broken = countsWhere(judged, (both, side) => isFailing(both[side]));
  const warned = countsWhere(judged, (both, side) => kindOf(both[side]) === "warned");
  const alone = countsWhere(judged, (both, side) => isFailing(both[side]) && !isFailing(both[otherThan(side)]));
  const unjudgedThere = countsWhere(pairs, (both, side) => isFailing(both[side]) && !isJudgedAt(both, otherThan(side)));
  const sideOf = (side: "was" | "is"): Scorecard["conformance"]["was"] => ({
    broken: broken[side],
    warned: warned[side],
    alone: alone[side],
    unjudgedThere: unjudgedThere[side],
  });
  const better = judged.length === 0 ? "unmeasured" : fewerBroken(broken, alone, unjudgedThere);
  return { was: sideOf("was"), is: sideOf("is"), better, judged: judged.length };
}

/** Of what was judged at both, and with what wasn't: unless they say the same, no one is better. */
function fewerBroken(broken: Counts, alone: Counts, unjudgedThere: Counts): Better {
  const fewer = sideWithLess(broken);
  const fewerInAll = sideWithLess({ was: broken.was + unjudgedThere.was, is: broken.is + unjudgedThere.is });
  const isAny = alone.was + unjudgedThere.was + unjudgedThere.is > 0;
  return fewer === "same" ? (isAny ? "neither" : "same") : fewer === fewerInAll ? fewer : "neither";
}

const otherThan = (side: "was" | "is"): "was" | "is" => (side === "was" ? "is" : "was");

/** Operations that the rank tests tell apart say who is faster, and the ratio how much. */
function latencyOfRuns({ latency }: Pair, ratio: LatencyRatio | null): Scorecard["latency"] {
  const reported = latency.filter(({ isReported }) => isReported);
  const faster = countsWhere(reported, ({ shift }, side) => (shift?.by ?? 0) > 0 === (side === "was"));
  const of = countOf(latency, ({ shift }) => shift !== null);
  return { ...faster, of, better: of === 0 ? "unmeasured" : sideWith(faster), ratio: of === 0 ? null : ratio };
}

/** @param ratios none where the loads tell nothing of each other */
function latencyOfLoads(ratios: readonly LatencyRatio[]): Scorecard["latency"] {
  const each = ratios.filter(({ operation }) => operation !== null);
  const faster = countsWhere(each, (one, side) => speedOf(one) === (side === "was" ? "slower" : "faster"));
  const of = countOf(each, ({ p50 }) => p50.from !== null && p50.to !== null);
  const ratio = ratios.find(({ operation }) => operation === null) ?? (each.length === 1 ? each[0] : null) ?? null;
  return { ...faster, of, better: of === 0 ? "unmeasured" : sideWith(faster), ratio };
}

function limitsOf(limits: readonly LimitChange[]): Scorecard["limits"] {
  const stated = limits.filter((limit) => limit.stated.was.length > 0 && limit.stated.is.length > 0);
  const reported = stated.filter(({ isReported }) => isReported);
  const higher = countsWhere(reported, (limit, side) => limit.higher === side);
  const differ = reported.length;
  const isKnown = higher.was + higher.is === differ;
  return {
    ...higher,
    of: stated.length,
    differ,
    better: stated.length === 0 ? "unmeasured" : isKnown ? sideWith(higher) : "neither",
  };
}

function creditsOf(charges: readonly ChargeChange[]): Scorecard["credits"] {
  const audited = charges.filter(({ was, is }) => was.result !== "open" && is.result !== "open");
  const more = countsWhere(audited, (charge, side) => charge[side].thanExpected === "more");
  const less = countsWhere(audited, (charge, side) => charge[side].thanExpected === "less");
  const fewer = sideWithLess(more);
  // Who charges too little isn't better than who charges what is due.
  const better = fewer === "same" && less.was !== less.is ? "neither" : fewer;
  return {
    was: { more: more.was, less: less.was },
    is: { more: more.is, less: less.is },
    of: audited.length,
    better: audited.length === 0 ? "unmeasured" : better,
  };
}
