// Two panels compared, vendor by vendor: who is newly wrong or behind, slower, or refused more often.
import { decodeFromCompressedBase64 } from "hdr-histogram-js";
import { sum } from "simple-statistics";
import { intervalOf } from "../../harness/core/interval.ts";
import type { PanelReport, Standing } from "../../panel/panelReport.ts";
import { measuredOf } from "../compare/measured.ts";
import { comparedMoods, type Document, foreign, paragraph, type Section, sectionOf } from "../document/document.ts";
import { inMs, toTenths } from "../numbers.ts";
import { shown } from "../text.ts";
import { signOf } from "../words.ts";
import { backwardsOf } from "./backwards.ts";
import { answerCountsIn, panelExitCode, summariesOf } from "./figures.ts";

export interface PanelChanges {
  readonly headline: string;
  /** Vendors of both panels: what each shows now that it didn't before, or no longer shows. */
  readonly vendors: readonly {
    readonly name: string;
    readonly lines: readonly string[];
    readonly isNewlyWrong: boolean;
  }[];
  /** Names that one of the panels has alone. */
  readonly others: readonly string[];
  readonly exitCode: 0 | 1 | 3;
}

interface Seen {
  readonly panel: PanelReport;
  readonly vendor: number;
}

/** How many answers are so, of all. */
type Share = readonly [some: number, all: number];

function shareLine(what: string, was: Share, is: Share): readonly string[] {
  const [before, now] = [was, is].map(([some, all]) => {
    return { percent: `${toTenths((100 * some) / Math.max(1, all))} %`, interval: intervalOf(some, all) };
  });
  // What chance explains isn't a change.
  const isOther = before && now && (before.interval[1] < now.interval[0] || now.interval[1] < before.interval[0]);
  return isOther ? [`${what} in ${now.percent} of its answers, before in ${before.percent}`] : [];
}

function standingShare(standing: Standing, { panel, vendor }: Seen): Share {
  const counts = answerCountsIn(panel, vendor);
  return [counts[standing], sum(Object.values(counts))];
}

/** Of nothing where it isn't known. */
function backwardsShare({ panel, vendor }: Seen): Share {
  const { back, answers } = backwardsOf(panel, vendor) ?? { back: 0, answers: 0 };
  return [back, answers];
}

const isBehind = ({ panel, vendor }: Seen): boolean => summariesOf(panel)[vendor]?.isBehind ?? false;

/** In ms, and as a share of the median before. */
const smallest = { by: 20, share: 0.2 } as const;
const mostSamples = 400;

/** Values of a histogram that are evenly spread over it. */
function samplesOf(histogram: string): readonly number[] {
  const all = decodeFromCompressedBase64(histogram);
  const count = Math.min(all.totalCount, mostSamples);
  return Array.from({ length: count }, (_, nth) => all.getValueAtPercentile(((nth + 0.5) / count) * 100) / 1_000);
}

function latencyLines(was: Seen, is: Seen): readonly string[] {
  const pairs = is.panel.latencies.flatMap((now) => {
    const before = was.panel.latencies.find(
      ({ vendor, operation, kind }) => vendor === was.vendor && operation === now.operation && kind === now.kind,
    );
    if (!before || now.vendor !== is.vendor) return [];
    return [{ of: now, was: samplesOf(before.histogram), is: samplesOf(now.histogram), smallest }];
  });
  return measuredOf(pairs)
    .filter(({ isReported }) => isReported)
    .map(({ operation, kind, was: before, is: now }) => {
      return `${operation} (${kind}): median ${inMs(now.median)} ms, before ${inMs(before.median)} ms`;
    });
}

/** Ids of questions on which a vendor is wrong. */
const wrongOn = ({ panel, vendor }: Seen): readonly string[] =>
  panel.questions.flatMap(({ id, counts }) => ((counts[vendor]?.wrong ?? 0) > 0 ? [id] : []));

function changesOf(name: string, was: Seen, is: Seen): PanelChanges["vendors"][number] {
  const before = wrongOn(was);
  const now = wrongOn(is);
  const newly = now.filter((id) => !before.includes(id));
  const still = now.filter((id) => before.includes(id));
  const agreesOn = (id: string): boolean =>
    is.panel.questions.some((one) => one.id === id && (one.counts[is.vendor]?.agrees ?? 0) > 0);
  const noMore = before.filter((id) => !now.includes(id) && agreesOn(id));
  const lines = [
    ...(newly.length > 0 ? [`newly wrong: ${newly.join(", ")}`] : []),
    ...(still.length > 0 ? [`still wrong: ${still.join(", ")}`] : []),
    ...(noMore.length > 0 ? [`right again: ${noMore.join(", ")}`] : []),
    ...(isBehind(was) === isBehind(is) ? [] : [isBehind(is) ? "newly behind" : "no longer behind"]),
    ...(["stale", "unavailable", "rate-limited", "incomparable"] as const).flatMap((one) =>
      shareLine(one, standingShare(one, was), standingShare(one, is)),
    ),
    ...shareLine("goes back", backwardsShare(was), backwardsShare(is)),
    ...latencyLines(was, is),
  ];
  return { name, lines: lines.length > 0 ? lines : ["as before"], isNewlyWrong: newly.length > 0 };
}

export function panelChanges(was: PanelReport, is: PanelReport): PanelChanges {
  const [before, now] = [was, is].map(({ vendors }) => vendors.map(({ name }) => name)) as [string[], string[]];
  const vendors = now
    .filter((name) => before.includes(name))
    .map((name) =>
      changesOf(name, { panel: was, vendor: before.indexOf(name) }, { panel: is, vendor: now.indexOf(name) }),
    );
  const others = [...before, ...now].filter((name) => !before.includes(name) || !now.includes(name));
  const wrong = vendors.filter(({ isNewlyWrong }) => isNewlyWrong).map(({ name }) => name);
  const isNothing = vendors.length === 0 || panelExitCode(is) === 3;
  const found = { vendors, others };
  if (wrong.length > 0) return { ...found, headline: `Newly wrong: ${wrong.join(", ")}`, exitCode: 1 };
  if (isNothing) return { ...found, headline: "Nothing could be compared", exitCode: 3 };
  return { ...found, headline: "Nobody is newly wrong", exitCode: 0 };
}

export function panelChangesDocument(changes: PanelChanges, version: string): Document {
  const { vendors, others, exitCode, headline } = shown(changes);
  return {
    kind: `Assay ${version}, panels compared`,
    headline,
    mood: comparedMoods[exitCode],
    icon: "comparison",
    first: [],
    sections: [
      ...vendors.map(({ name, lines, isNewlyWrong }): Section => {
        const tone = isNewlyWrong ? "broken" : "noted";
        const items = lines.map((line) => [foreign(line)]);
        return { ...sectionOf([foreign(name)], { is: "list", sign: signOf(tone), items }), tone };
      }),
      ...(others.length > 0 ? [paragraph("Not in both: ", foreign(others.join(", ")))] : []),
    ],
  };
}
