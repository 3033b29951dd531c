// What each of several vendors' runs found of what all of them were asked, for a table with a column for each.

import { measuredLimitsIn, measuredLimitText } from "../../harness/model/measuredLimit.ts";
import type { LoadReport } from "../../harness/record/load.ts";
import type { Run } from "../../harness/record/run.ts";
import type { Described } from "../described.ts";
import { groupedBy } from "../lists.ts";
import { limitNameOf } from "../run/limitLines.ts";
import { kindOf } from "../words.ts";
import { chargesIn } from "./charges.ts";
import type { OwnLimit, VendorFigures } from "./comparedFigures.ts";
import { limitsStatedIn } from "./limits.ts";
import { figuresOfLoad, latenciesOfLoad, loadChangeBetween, loadOnly, withoutLoad } from "./loads.ts";
import { addedUp, fewestForP95, type LatencySample, latencySampleOf, quantileBetween } from "./quantileRatio.ts";
import { plainAnswers } from "./questions.ts";
import { isJudged, stateOf } from "./requirements.ts";
import { isFailing, isOtherLoad, isVerifying } from "./scorecard.ts";

/** Keys that all have. */
const sharedKeys = (all: readonly ReadonlyMap<string, unknown>[]): readonly string[] =>
  [...(all[0]?.keys() ?? [])].filter((key) => all.every((one) => one.has(key)));

function conformanceOf(runs: readonly Run[]): readonly VendorFigures["conformance"][] {
  const all = runs.map(({ requirements }) => new Map(requirements.map((judged) => [judged.id as string, judged])));
  const asked = sharedKeys(all).filter((id) => new Set(all.map((one) => one.get(id)?.sentence)).size === 1);
  const judged = runs.every(isVerifying)
    ? asked.filter((id) => all.every((one) => isJudged(stateOf(one.get(id)))))
    : [];
  const isOfAll = new Set(judged);
  return all.map((one) => {
    if (judged.length === 0) return null;
    const own = asked.flatMap((id) => one.get(id) ?? []);
    const broken = own.filter(isFailing);
    return {
      judged: judged.length,
      broken: broken.filter(({ id }) => isOfAll.has(id)).length,
      warned: own.filter((is) => isOfAll.has(is.id) && kindOf(is) === "warned").length,
      elsewhere: broken.filter(({ id }) => !isOfAll.has(id)).length,
    };
  });
}

/** As many served answers of each to each request that all of them served. */
function samplesOf(runs: readonly Run[]): readonly LatencySample[] {
  const all = runs.map((run) =>
    groupedBy(
      plainAnswers(run).filter(({ outcome }) => outcome === "served"),
      ({ operation, stimulus, answer }) => `${operation} ${stimulus} ${answer.status}`,
    ),
  );
  const requests = sharedKeys(all).map((key) => all.map((one) => one.get(key) ?? []));
  const counts = requests.map((answers) => Math.min(...answers.map(({ length }) => length)));
  return runs.map((_, nth) =>
    latencySampleOf(
      requests.flatMap((answers, request) =>
        (answers[nth] ?? []).slice(0, counts[request]).map(({ latency_ms }) => latency_ms),
      ),
    ),
  );
}

/** Of loads alone; null where they aren't the same load, or one is in doubt. */
function loadsOf(runs: readonly Run[], loads: readonly LoadReport[]): readonly LatencySample[] | null {
  const served = loads.map((load, nth) => latenciesOfLoad(runs[nth] ?? { id: "" }, load));
  const [first, ...others] = loads.map(figuresOfLoad);
  const isSame = others.every((other) => first && !isOtherLoad(loadChangeBetween(first, other)));
  if (!isSame || served.some(({ unsure }) => unsure !== null)) return null;
  const shared = sharedKeys(served.map(({ byOperation }) => byOperation));
  return served.map(({ byOperation }) => {
    const samples = shared.flatMap((operation) => byOperation.get(operation) ?? []);
    return addedUp(samples, samples[0]?.seconds ?? null);
  });
}

function latencyOf(sample: LatencySample | undefined): VendorFigures["latency"] {
  const answers = sample?.histogram.totalCount ?? 0;
  if (!sample || answers === 0) return null;
  const p95 = answers < fewestForP95 ? null : quantileBetween(sample, 0.95);
  return { answers, p50: quantileBetween(sample, 0.5), p95 };
}

function limitsOf(run: Run, { tables }: Described): readonly OwnLimit[] {
  const named = run.observations.flatMap((observation) => {
    const name = limitNameOf(observation, tables);
    const texts = observation.values.flatMap(({ summary }) => Object.values(summary));
    return name === null ? [] : texts.flatMap((text) => (typeof text === "string" ? [{ name, text }] : []));
  });
  const measured = [...groupedBy(named, ({ name }) => name)].flatMap(([name, all]): readonly OwnLimit[] => {
    const limits = all.flatMap(({ text }) => measuredLimitsIn(text));
    const rates = limits.map(({ most, window_s }) => most / window_s);
    const text = [...new Set(limits.map(measuredLimitText))].join(" or ");
    return limits.length === 0
      ? []
      : [{ of: name, is: "measured", text, least: Math.min(...rates), most: Math.max(...rates) }];
  });
  if (measured.length > 0) return measured;
  return [...limitsStatedIn(run)].map(([text, rate]) => ({ of: null, is: "stated", text, least: rate, most: rate }));
}

function chargesOf(runs: readonly Run[]): readonly VendorFigures["charges"][] {
  const all = runs.map(chargesIn);
  const audited = sharedKeys(all).filter((counter) => all.every((one) => one.get(counter)?.result !== "open"));
  return all.map((one) => {
    const countOf = (wanted: "more" | "less"): number =>
      audited.filter((counter) => one.get(counter)?.thanExpected === wanted).length;
    return audited.length === 0 ? null : { audited: audited.length, more: countOf("more"), less: countOf("less") };
  });
}

/** @param runs of several vendors */
export function vendorFiguresOf(runs: readonly Run[], described: Described): readonly VendorFigures[] {
  const loads = runs.flatMap((run) => loadOnly(run) ?? []);
  const checked = runs.flatMap((run) => withoutLoad(run) ?? []);
  const samples =
    loads.length === runs.length ? loadsOf(runs, loads) : checked.length === runs.length ? samplesOf(checked) : null;
  const [conformance, charges] = [conformanceOf(runs), chargesOf(runs)];
  return runs.map((run, nth) => {
    const load = samples && loadOnly(run);
    const figures = load ? figuresOfLoad(load) : null;
    return {
      conformance: conformance[nth] ?? null,
      latency: latencyOf(samples?.[nth]),
      refusals: figures && { limited: figures.limited, failed: figures.failed },
      limits: limitsOf(run, described),
      charges: charges[nth] ?? null,
    };
  });
}
