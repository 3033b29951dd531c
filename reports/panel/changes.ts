// Two panels compared, vendor by vendor: who is newly wrong or behind, slower, or refused more often.
import { decodeFromCompressedBase64 } from "hdr-histogram-js";
import { probit, sum } from "simple-statistics";
import { intervalOf } from "../../harness/core/interval.ts";
import type { PanelReport, Standing } from "../../panel/panelReport.ts";
import { falseAlarms, measuredOf } from "../compare/measured.ts";
import { comparedMoods, type Document, foreign, paragraph, type Section, sectionOf } from "../document/document.ts";
import { inMs, toTenths } from "../numbers.ts";
import { shown } from "../text.ts";
import { signOf } from "../words.ts";
import { backwardsOf } from "./backwards.ts";
import { answerCountsIn, lagIn, panelExitCode, summariesOf } from "./figures.ts";

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

const changingStandings = ["stale", "unavailable", "rate-limited", "incomparable"] as const;

/** Whether chance doesn't explain it, in any share of any vendor of the panel. */
function isOther(was: Share, is: Share, { vendors }: PanelReport): boolean {
  const shares = vendors.length * (changingStandings.length + 2);
  // Intervals as wide as each other are apart by √2 times what their difference needs.
  const z = probit(1 - falseAlarms / shares / 2) / Math.SQRT2;
  const [before, now] = [intervalOf(...was, z), intervalOf(...is, z)];
  return before[1] < now[0] || now[1] < before[0];
}

function shareLine(what: string, was: Share, is: Share, panel: PanelReport): readonly string[] {
  const [before, now] = [was, is].map(([some, all]) => `${toTenths((100 * some) / Math.max(1, all))} %`);
  return isOther(was, is, panel) ? [`${what} in ${now} of its answers, before in ${before}`] : [];
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

function staleIn({ panel, vendor }: Seen, operation: string) {
  const lag = panel.freshness[operation]?.find((one) => one.vendor === vendor);
  const { stale, answers, isStale } = lag ? lagIn(lag) : { stale: 0, answers: 0, isStale: false };
  return { share: [stale, answers] as const, isStale };
}

/** Crossing the bound alone is chance: in one of the operations, it has to be behind more or less often. */
function behindLines(was: Seen, is: Seen): readonly string[] {
  if (isBehind(was) === isBehind(is)) return [];
  const isChanged = Object.keys(is.panel.freshness).some((operation) => {
    const [before, now] = [staleIn(was, operation), staleIn(is, operation)];
    return before.isStale !== now.isStale && isOther(before.share, now.share, is.panel);
  });
  return isChanged ? [isBehind(is) ? "newly behind" : "no longer behind"] : [];
}

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
    ...behindLines(was, is),
    ...changingStandings.flatMap((one) => shareLine(one, standingShare(one, was), standingShare(one, is), is.panel)),
    ...shareLine("goes back", backwardsShare(was), backwardsShare(is), is.panel),
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
