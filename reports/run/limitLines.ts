// Rate limits, as stated and as measured: lines of charts, and sentences beneath these
import { mean } from "simple-statistics";
import { type Interface, type StatedLimit, sharedLimitOf } from "../../harness/core/interface.ts";
import { measuredLimitsIn, measuredLimitText } from "../../harness/model/measuredLimit.ts";
import type { LimitTraffic, LoadReport } from "../../harness/record/load.ts";
import type { Run, RunObservation } from "../../harness/record/run.ts";
import type { List } from "../document/document.ts";
import { groupedBy } from "../lists.ts";
import { counted, durationText, toTenths } from "../numbers.ts";

/** What is known of a limit, in requests per second. */
export interface KnownLimit {
  /** An operation that has a stated limit of its own, else an API. */
  readonly name: string;
  /** Null where the interface states none. */
  readonly stated: StatedLimit | null;
  readonly measured: readonly MeasuredRate[];
  /** Why nothing was measured, or what was, as a clause of a sentence. */
  readonly finding: string;
}

interface MeasuredRate {
  readonly perSecond: number;
  /** Whether that is what is stated. */
  readonly isAsStated: boolean;
}

const statedFor = ({ limits }: Pick<Interface, "limits">, name: string): StatedLimit | null =>
  limits.find((limit) => ("api" in limit ? limit.api : limit.operation) === name) ?? null;

/** Of limits that a run's requests met; those of which nothing is known are left out. */
export const limitsOfRun = (
  run: Pick<Run, "observations">,
  tables: Interface,
  names: readonly string[],
): readonly KnownLimit[] =>
  names.flatMap((name): KnownLimit | readonly KnownLimit[] => {
    const stated = statedFor(tables, name);
    const texts = run.observations
      .filter((observation) => limitNameOf(observation, tables) === name)
      .flatMap(({ values }) => values.flatMap(({ summary }) => Object.values(summary)))
      .filter((value) => typeof value === "string");
    const limits = [...groupedBy(texts.flatMap(measuredLimitsIn), measuredLimitText).values()].map(([one]) => one);
    if (!stated && limits.length === 0) return [];
    return {
      name,
      stated,
      measured: limits.map(({ most, window_s }) => ({
        perSecond: most / window_s,
        isAsStated: most === (stated?.perSecond ?? 0) * window_s,
      })),
      finding: limits.length > 0 ? `measured ${limits.map(measuredLimitText).join(" or ")}` : "not measured",
    };
  });

/** Which limit an observation of limits measures; null for others. */
export function limitNameOf({ id, features }: RunObservation, tables: Interface): string | null {
  if (tables.unspecified.find((one) => one.id === id)?.measures !== "limits") return null;
  const operations = tables.operations.filter(({ feature }) => features.includes(feature));
  const [name, ...others] = new Set(operations.map(({ id: operation, api }) => sharedLimitOf(tables, api, operation)));
  return name !== undefined && others.length === 0 ? name : null;
}

/** Fewer stretches show no limit. */
const fewestStretches = 3;
/** A limit serves as much in each third of the time, but for this share, or for so many requests: seconds vary more. */
const mostSpread = { share: 0.1, requests: 2 };
/** A rate is as stated if it is so near: requests at the edges of stretches are counted in others. */
const nearly = 0.05;

/** Of limits that a load's requests met; those without a stated limit only where they were rate-limited. */
export const limitsOfLoad = ({ byLimit = [], overTime = [] }: LoadReport, tables: Interface): readonly KnownLimit[] =>
  byLimit.flatMap((traffic): KnownLimit | readonly KnownLimit[] => {
    const { name, limited } = traffic;
    const stated = statedFor(tables, name);
    if (limited.every((count) => count === 0))
      return stated ? { name, stated, measured: [], finding: "not measured: nothing was rate-limited" } : [];
    const rates = limitedRates(traffic, overTime);
    if (rates.length < fewestStretches)
      return { name, stated, measured: [], finding: "not measured: rate-limited too briefly" };
    const thirds = [0, 1, 2].map((third) =>
      mean(rates.slice(Math.floor((third * rates.length) / 3), Math.floor(((third + 1) * rates.length) / 3))),
    );
    const [least, most] = [Math.min(...thirds), Math.max(...thirds)];
    const perSecond = mean([...rates]);
    const seconds = overTime[0]?.seconds ?? 1;
    const where = `over ${durationText(rates.length * seconds)} in which others were rate-limited`;
    const range = [...new Set([least, most].map(toTenths))].join(" to ");
    if (most - least > Math.max(mostSpread.share * perSecond, mostSpread.requests / seconds))
      return {
        name,
        stated,
        measured: [],
        finding: `no steady limit measured: served ${range} requests a second ${where}`,
      };
    const isAsStated =
      stated !== null && least * (1 - nearly) <= stated.perSecond && stated.perSecond <= most * (1 + nearly);
    return { name, stated, measured: [{ perSecond, isAsStated }], finding: `measured ${range} ${where}` };
  });

/** Answers that weren't rate-limited, per second, in stretches amidst others in which some were. */
const limitedRates = ({ requests, limited, failed }: LimitTraffic, overTime: NonNullable<LoadReport["overTime"]>) =>
  overTime.flatMap(({ seconds }, nth) =>
    [nth - 1, nth, nth + 1].every((at) => (limited[at] ?? 0) > 0) && failed[nth] === 0
      ? [((requests[nth] ?? 0) - (limited[nth] ?? 0)) / seconds]
      : [],
  );

/** `limited to 5 requests a second, as stated (§8); measured 5 in 1 s`, without a full stop. */
function limitSentence({ stated, measured, finding }: KnownLimit): string {
  const perSecond = (rate: number): string => `${counted(Math.round(rate * 10) / 10, "request")} a second`;
  const [first, ...others] = measured;
  if (stated && first?.isAsStated && others.length === 0)
    return `limited to ${perSecond(stated.perSecond)}, as stated (${stated.clause}); ${finding}`;
  if (stated) return `${perSecond(stated.perSecond)} are stated (${stated.clause}); ${finding}`;
  const limited = first && others.length === 0 ? `limited to ${perSecond(first.perSecond)}; ` : "";
  return `${limited}${finding}; the interface states no limit`;
}

/** Below a chart with these limits. */
export const limitList = (limits: readonly KnownLimit[]): List => ({
  is: "list",
  items: limits.map((limit) => [{ text: limit.name, as: "strong" }, `: ${limitSentence(limit)}.`]),
});

/** A horizontal line of a chart, with what stands on it. */
export interface LimitLine {
  readonly perSecond: number;
  readonly label: string;
  readonly isStated: boolean;
}

/** One line where the limit was measured as stated. */
export function limitLinesOf({ stated, measured }: KnownLimit): readonly LimitLine[] {
  const others = measured.filter(({ isAsStated }) => !isAsStated);
  const isMeasured = measured.length > others.length;
  const lineOf = (perSecond: number, isStated: boolean, how: string): LimitLine => ({
    perSecond,
    label: `${toTenths(perSecond)} a second, ${how}`,
    isStated,
  });
  return [
    ...(stated ? [lineOf(stated.perSecond, true, isMeasured ? "stated and measured" : "stated")] : []),
    ...others.map(({ perSecond }) => lineOf(perSecond, false, "measured")),
  ];
}

/** For those who don't see the lines: `; limits: admin 5 a second, stated and measured`. */
export const spokenLimits = (limits: readonly KnownLimit[]): string => {
  const texts = limits.flatMap((limit) => limitLinesOf(limit).map(({ label }) => `${limit.name} ${label}`));
  return texts.length > 0 ? `; limits: ${texts.join("; ")}` : "";
};
