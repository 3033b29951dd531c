// The report on a period for those who pay: what was kept and when not, and how that is counted
import { sum } from "simple-statistics";
import {
  code,
  type Document,
  foreign,
  type List,
  paragraph,
  type Section,
  type Sentence,
  sectionOf,
  sentenceOf,
} from "../document/document.ts";
import { groupedBy } from "../lists.ts";
import { counted, countsOf, numberText } from "../numbers.ts";
import { shown } from "../text.ts";
import { signOf } from "../words.ts";
import type { Night } from "./night.ts";
import type { PeriodHistory, PeriodNight } from "./period.ts";
import type { Availability, Incident, Period } from "./periodIncidents.ts";
import { isBrokenShare, listOfFew, periodTables, shareCells } from "./periodTables.ts";
import { nightDay } from "./strips.ts";

/** Of one target. */
export interface PeriodReport extends Pick<Night, "target" | "interface"> {
  readonly period: Period;
  /** The last day that can have a night by now. */
  readonly today: string;
  /** At least one. */
  readonly histories: readonly PeriodHistory[];
  /** Of Assay. */
  readonly version: string;
  /** Leaves out what concerns us alone: what was spent, warnings, known issues, and why nights were left out. */
  readonly isForVendor: boolean;
}

const withAvailability = (nights: readonly PeriodNight[], wanted: Availability): readonly PeriodNight[] =>
  nights.filter(({ availability }) => availability === wanted);

/** Over all histories: a night is one run or load. */
function totalsIn(histories: readonly PeriodHistory[]) {
  const nights = histories.flatMap((history) => history.nights);
  const shares = groupedBy(
    histories.flatMap((history) => history.shares).filter(({ judged }) => judged > 0),
    ({ id }) => id,
  );
  const kept = [...shares.values()].filter((some) => some.every(({ held, judged }) => held === judged));
  const broken = [...shares.values()].filter((some) => some.some(isBrokenShare));
  return {
    nights: nights.length,
    judged: withAvailability(nights, "available").length,
    requirements: shares.size,
    kept: kept.length,
    broken: broken.length,
    // Two vantages that see the same on the same days see one.
    incidents: new Set(
      histories.flatMap(({ incidents }) =>
        incidents.map(({ broken, first, last }) => JSON.stringify([broken.map(({ id }) => id), first, last])),
      ),
    ).size,
  };
}

const periodText = ({ from, to }: Period): string => (from === to ? `on ${from}` : `from ${from} to ${to}`);

/** `acme kept 296 of 301 requirements on every judged night from …`, without full stop. */
export function periodHeadline({ target, period, histories, isForVendor }: PeriodReport): string {
  const totals = totalsIn(histories);
  const { requirements, kept, broken } = totals;
  const when = periodText(period);
  const incidents = totals.incidents === 0 ? "no incident" : counted(totals.incidents, "incident");
  const none =
    totals.nights === 1 ? "couldn't be judged on the one night" : `could be judged on none of ${totals.nights} nights`;
  if (totals.judged === 0) return `${target} ${none} ${when}; ${incidents}`;
  const what = isForVendor
    ? `${target} broke ${broken === 0 ? "no requirement" : counted(broken, "requirement")} ${when}`
    : `${target} kept ${numberText(kept)} of ${counted(requirements, "requirement")} on every judged night ${when}`;
  return `${what}; ${incidents}; judged on ${numberText(totals.judged)} of ${counted(totals.nights, "night")}`;
}

/** Nothing judged is never green. */
function periodMood({ histories }: PeriodReport): Document["mood"] {
  const { judged, incidents } = totalsIn(histories);
  if (incidents > 0) return "broken";
  return judged > 0 ? "holds" : "inconclusive";
}

const day_ms = 24 * 3_600_000;

const daysOf = ({ from, to }: Period): readonly string[] =>
  Array.from({ length: Math.round((Date.parse(to) - Date.parse(from)) / day_ms) + 1 }, (_, nth) =>
    nightDay(new Date(Date.parse(from) + nth * day_ms).toISOString()),
  );

/** Days in a row as one: `2026-09-12, 2026-10-03 to 2026-10-05`. */
function dayRanges(days: readonly string[]): readonly string[] {
  const begins = days.filter((day, nth) => Date.parse(day) - Date.parse(days[nth - 1] ?? "") !== day_ms);
  return begins.map((day, nth) => {
    const next = begins[nth + 1];
    const last = days[(next === undefined ? days.length : days.indexOf(next)) - 1] ?? day;
    return last === day ? day : `${day} to ${last}`;
  });
}

function historyName({ kind, vantage }: PeriodHistory): Sentence {
  const from = vantage === null ? [] : [" from ", foreign(vantage)];
  if (kind === "run") return ["Runs", ...from];
  return kind === "recording" ? ["Recordings", ...from] : ["Load ", foreign(kind), ...from];
}

/** The accounting. */
const method =
  "A night is one run or load, on the day (UTC) on which it began. It is available if at least one answer could be " +
  "judged, and unavailable if it ran to its end and every request failed or timed out; a failure of the local " +
  "network looks the same, and so does a key that a gateway before the platform refuses. It counts as neither if a " +
  "signal or a budget ended it, if a load was otherwise inconclusive, or if requests were answered and yet nothing " +
  "could be judged, for whatever reason; nothing else of such a night counts. A requirement is judged on a night " +
  "where it passed, passed in part, was broken or was a known issue; it held where it passed, in part included. " +
  "Shares are of judged nights only, with Wilson's intervals of 95 %, as if nights were independent. An incident is " +
  "one night or several in a row on which the same requirements were broken, a load exceeded a bound of the target " +
  "file, or the platform was unavailable for all or a part of the night. Nights that say nothing of it don't end " +
  "it, warnings are no incidents, and what two places saw on the same days is one. Latencies are of served answers, " +
  "from histograms that are added up by month, each figure within 1 %, p95 from 20 answers on and p99 from 100; " +
  "runs, loads at different rates, and places from which they were sent aren't mixed.";

/** Of more, only the number is told: a weekly load has no night on most days. */
const mostDays = 10;

/** What was measured, and what wasn't. */
function measuredSentences(history: PeriodHistory, { period, today, isForVendor }: PeriodReport): readonly Sentence[] {
  const { nights, unknown } = history;
  const count = (wanted: Availability): number => withAvailability(nights, wanted).length;
  const [available, unavailable, uncounted] = [count("available"), count("unavailable"), count("uncounted")];
  const days = daysOf(period).filter((day) => day <= today);
  const nightDays = new Set(nights.map(({ day }) => day));
  const without = days.filter((day) => !nightDays.has(day));
  const parts = countsOf(
    [available, "available", "available"],
    [unavailable, "unavailable", "unavailable"],
    [uncounted, "counted as neither", "counted as neither"],
  );
  const listed = without.length > mostDays ? "" : `: ${listOfFew(dayRanges(without))}`;
  const noNight = without.length === 0 ? "" : ` No night on ${counted(without.length, "day")}${listed}.`;
  const known = available + unavailable;
  const [of, share, interval] = shareCells(available, known);
  const reasons = [...groupedBy(withAvailability(nights, "uncounted"), ({ left }) => left ?? "")].map(
    ([reason, some]) => `${reason} (${listOfFew(some.map(({ day }) => day))})`,
  );
  const on = `${counted(nights.length, "night")} on ${nightDays.size} of ${counted(days.length, "day")}`;
  return [
    [`${on}: ${parts.join(", ")}.${noNight}`],
    [
      known === 0
        ? "Whether it was available can't be told."
        : `Available on ${of} ${known === 1 ? "night" : "nights"}, ${share} (${interval}).`,
    ],
    ...(reasons.length > 0 && !isForVendor ? [sentenceOf`Counted as neither: ${foreign(reasons.join("; "))}.`] : []),
    ...(unknown.length > 0 && !isForVendor
      ? [sentenceOf`Left out, as this version doesn't know them: ${foreign(listOfFew(unknown))}.`]
      : []),
  ];
}

const measuredSection = (history: PeriodHistory, report: PeriodReport): Section =>
  sectionOf(historyName(history), { is: "list", items: measuredSentences(history, report) });

/** `nothing was served on 2 nights (13 requests failed, 2 timed out)`. */
function unavailableText({ nights, unserved, failed, timedOut }: Incident): string {
  const failures = countsOf([failed, "request failed", "requests failed"], [timedOut, "timed out", "timed out"]);
  const requests = failures.length > 0 ? ` (${failures.join(", ")})` : "";
  const inPart = nights - unserved;
  return [
    ...(unserved > 0 ? [`nothing was served on ${counted(unserved, "night")}`] : []),
    ...(inPart > 0 ? [`for a part of ${counted(inPart, "night")}, valid requests failed`] : []),
  ]
    .join("; ")
    .concat(requests);
}

/** What was seen on the nights of an incident. */
function seenText(incident: Incident): string {
  const { broken, nights, silent, before, isOpen } = incident;
  return [
    broken.length > 0 ? `broken on ${counted(nights, "judged night")}` : unavailableText(incident),
    ...(silent > 0 ? [`${counted(silent, "night")} in between ${silent === 1 ? "says" : "say"} nothing of it`] : []),
    ...(before === null ? [] : [`it began on ${before}, before this period`]),
    ...(isOpen ? ["no later night shows its end"] : []),
  ].join("; ");
}

const rangeText = ({ first, last }: Pick<Incident, "first" | "last">): string =>
  first === last ? first : `${first} to ${last}`;

/** Of more than this many of the same, a list would repeat all but the days. */
const mostAlike = 2;
const mostRanges = 12;

/** The same requirements, or the platform: one sentence for each, or for all where they are many. */
function incidentSentences(alike: readonly [Incident, ...Incident[]]): readonly Sentence[] {
  const [{ broken }] = alike;
  const [only] = broken;
  const several: Sentence = [`${broken.length} requirements: `, foreign(listOfFew(broken.map(({ id }) => id)))];
  const named: Sentence = only ? [code(only.id), " ", foreign(only.sentence)] : ["the platform was unavailable"];
  const what = broken.length > 1 ? several : named;
  if (alike.length <= mostAlike)
    return alike.map((incident) => sentenceOf`${rangeText(incident)}: ${what}: ${seenText(incident)}`);
  const [first, last] = [alike[0], alike.at(-1) ?? alike[0]];
  const nights = counted(sum(alike.map((incident) => incident.nights)), "night");
  const days = `${alike.length} incidents, ${nights} in all: ${listOfFew(alike.map(rangeText), mostRanges)}`;
  const isOpen = last.isOpen ? "; no later night shows its end" : "";
  return [sentenceOf`${rangeText({ first: first.first, last: last.last })}: ${what}: ${days}${isOpen}`];
}

function incidentsSection({ histories }: PeriodReport): Section {
  const lists = histories.map((history): List => {
    const alike = groupedBy(history.incidents, ({ broken }) => JSON.stringify(broken.map(({ id }) => id)));
    const items = [...alike.values()].flatMap(incidentSentences);
    const prefix: Sentence = histories.length > 1 ? [...historyName(history), ", "] : [];
    return { is: "list", sign: signOf("broken"), items: items.map((item) => [...prefix, ...item]) };
  });
  return { ...sectionOf(["Incidents"], ...lists), tone: "broken" };
}

/** `Assay 0.1.0; since 2026-10-03 Assay 0.2.0`: what changes on that night may be the judge. */
function judgesText(histories: readonly PeriodHistory[]): string {
  const nights = histories.flatMap((history) => history.nights).sort((a, b) => (a.day < b.day ? -1 : 1));
  const begins = [...groupedBy(nights, ({ assay }) => assay)].map(
    ([assay, [first]], nth) => `${nth === 0 ? "" : `since ${first.day} `}Assay ${assay}`,
  );
  return begins.join("; ");
}

export function periodDocument(periodReport: PeriodReport): Document {
  const report = shown(periodReport);
  const { target, period, today, histories, version, isForVendor } = report;
  const days = daysOf(period);
  const ahead = days.filter((day) => day > today).length;
  const length = `${counted(days.length, "day")}${ahead > 0 ? `, ${ahead} of them still to come` : ""}`;
  return {
    kind: `Assay ${version}, report on a period`,
    headline: periodHeadline(report),
    mood: periodMood(report),
    of: target,
    first: [
      {
        is: "terms",
        entries: [
          ["Platform", [foreign(target)]],
          ["Interface", [foreign(`${report.interface.name} ${report.interface.version}`)]],
          ["Period", [`${rangeText({ first: period.from, last: period.to })}: ${length}`]],
          ["Judged by", [foreign(judgesText(histories))]],
        ],
      },
      ...histories.map((history): Section => ({ ...measuredSection(history, report), only: "terminal" })),
      incidentsSection(report),
    ],
    sections: [
      sectionOf(["How this is counted"], paragraph(method)),
      ...histories.map((history, nth): Section => {
        const { title, blocks } = measuredSection(history, report);
        return sectionOf(title, ...blocks, ...periodTables(history, isForVendor, nth));
      }),
    ],
    foot: isForVendor
      ? ["Found by Assay ", foreign(version), ", which tests whether a platform keeps its published interface."]
      : ["The history from which this is made contains no keys, bodies or addresses."],
  };
}
