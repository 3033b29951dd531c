/** @jsxImportSource hono/jsx */
// Sections of a run's page: coverage, charges, traffic, limits, latency, mutants.
import { type Interface, sharedLimitOf } from "../../harness/core/interface.ts";
import type { Audit } from "../../harness/model/chargeAudit.ts";
import type { ExperimentShown } from "../../harness/model/probe.ts";
import type { JudgedRequirement, Run } from "../../harness/record/run.ts";
import { expectedText } from "../audit.ts";
import { areaName, areaOf, type Described } from "../described.ts";
import { type Block, code, detail, foreign, paragraph, type TextTable } from "../document/document.ts";
import { Bar, figure } from "../document/elements.tsx";
import { shownBursts, stripOf } from "../experiments.ts";
import { groupedBy } from "../lists.ts";
import { counted, inMs, numberText } from "../numbers.ts";
import { type Call, type Fate, type Latency, peakOf, type Timeline } from "../traffic.ts";
import { type Kind, kindOf, presentIn, words } from "../words.ts";
import type { KillMatrix, Tried } from "./killedBy.ts";

/** Sort key of an area: the more is broken, and the less verified, the higher. */
const worst = (members: readonly JudgedRequirement[], unchecked: number): number => {
  const of = (...some: readonly Kind[]): number => members.filter((one) => some.includes(kindOf(one))).length;
  return of("broken") * 1_000 + (of("withheld", "inconclusive") + unchecked) / (members.length + unchecked);
};

/** How much was verified in each area, and how much wasn't. */
export function coverageBlocks(run: Run, described: Described): readonly Block[] {
  const { unchecked } = run;
  const selected = run.requirements.filter(({ unselected }) => !unselected);
  const present = presentIn(run.totals);
  const areas = [...new Set([...selected.map(({ area }) => area), ...unchecked.map(areaOf)])]
    .map((area) => ({
      area,
      members: selected.filter((one) => one.area === area),
      left: unchecked.filter((id) => areaOf(id) === area).length,
    }))
    .sort((a, b) => worst(b.members, b.left) - worst(a.members, a.left));
  const most = Math.max(...areas.map(({ members, left }) => members.length + left));
  const sentenceOf = (id: string) => described.tables.requirements.find((one) => one.id === id)?.sentence ?? "";
  return [
    {
      is: "table",
      isCaptionShown: true,
      caption: "Requirements by area and verdict, worst first",
      heads: [
        "Area",
        "",
        ...present.map((kind) => words[kind].many),
        ...(unchecked.length > 0 ? ["not yet checked"] : []),
      ],
      rows: areas.map(({ area, members, left }) => {
        const counts = present.map((kind) => [kind, members.filter((one) => kindOf(one) === kind).length] as const);
        return [
          areaName(described, area),
          { is: "element", element: <Bar counts={counts} of={most} /> },
          ...counts.map(([, count]) => figure(count)),
          ...(unchecked.length > 0 ? [figure(left)] : []),
        ];
      }),
    },
    detail(`${counted(unchecked.length, "requirement")} not yet checked by this version`, {
      is: "list",
      items: unchecked.map((id) => [code(id), " ", foreign(sentenceOf(id))]),
    }),
  ];
}

const auditResults = { agrees: "✓ as expected", differs: "✗ differs", open: "? inconclusive" } as const;

/** The charge audit, counter by counter. */
export const chargeBlocks = ({ entries, reason }: Audit): readonly Block[] => [
  paragraph(
    "From the first request of the run to its last. Two amounts where it is unspecified whether a refused call counts.",
    ...(reason === null ? [] : [" Not compared: ", foreign(reason), "."]),
  ),
  {
    is: "table",
    isCaptionShown: true,
    caption: "Expected and charged, by project and counter",
    heads: ["Project and counter", "Expected", "Charged", "Result"],
    rows: entries.map((entry) => [
      `${entry.project} ${entry.at}`,
      expectedText(entry),
      entry.charged ?? "–",
      `${auditResults[entry.result]}${entry.reason === null ? "" : ` (${entry.reason})`}`,
    ]),
  },
];

/** How many requests were sent when, by feature or by operation. */
export const timelineFigure = (by: string, { width_s, stretches }: Timeline, svg: string | null): Block => ({
  is: "figure",
  svg,
  table: {
    is: "table",
    caption: `Requests by ${by} and stretch of ${width_s} s`,
    heads: ["Seconds", by.replace(/^./, (letter) => letter.toUpperCase()), "Requests"],
    rows: stretches.map((stretch) => [
      `${stretch.from_s} to ${stretch.from_s + width_s}`,
      stretch.name,
      figure(stretch.accepted + stretch.refused + stretch.unanswered),
    ]),
  },
});

/** What was accepted at each limit, and what was rate-limited. */
export function limitBlocks(
  calls: readonly Call[],
  tables: Pick<Interface, "limits">,
  { width_s, stretches }: Timeline,
  svg: string | null,
): readonly Block[] {
  const byLimit = [...groupedBy(calls, (call) => sharedLimitOf(tables, call.api, call.operation))].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  return [
    {
      is: "list",
      items: byLimit.map(([name, all]) => {
        const of = (wanted: Fate) => all.filter(({ fate }) => fate === wanted);
        const peak = peakOf(of("accepted").map(({ sentAt_ms }) => sentAt_ms));
        const silent = of("unanswered").length;
        return [
          { text: name, as: "strong" },
          `: ${counted(all.length, "request")}, at most ${peak} accepted within one second over all projects, ` +
            `${numberText(of("refused").length)} rate-limited`,
          silent > 0 ? `, ${numberText(silent)} without an answer.` : ".",
        ];
      }),
    },
    {
      is: "figure",
      svg,
      table: {
        is: "table",
        caption: `Requests by limit and stretch of ${width_s} s`,
        heads: ["Seconds", "Limit", "Accepted", "Rate-limited", "No answer"],
        rows: stretches.map((stretch) => [
          `${stretch.from_s} to ${stretch.from_s + width_s}`,
          stretch.name,
          ...[stretch.accepted, stretch.refused, stretch.unanswered].map(figure),
        ]),
      },
    },
  ];
}

export const experimentsFigure = (experiments: readonly ExperimentShown[], svg: string | null): Block => ({
  is: "figure",
  svg,
  table: {
    is: "table",
    caption: "Experiments on limits, in which ● was served and ○ refused",
    heads: ["Experiment", "Seconds", "Served", "Requests"],
    rows: experiments
      .flatMap(shownBursts)
      .map(({ experiment, from_s, requests }) => [
        experiment,
        String(from_s),
        `${requests.filter(({ outcome }) => outcome === "served").length} of ${requests.length}`,
        stripOf({ requests }),
      ]),
  },
});

/** Latency, operation by operation. */
export const latencyBlocks = (latencies: readonly Latency[], svg: string | null): readonly Block[] => [
  paragraph(
    "As seen by this client, without rate-limited answers. A conformance run sends few requests, so this isn't " +
      "latency under load.",
    svg === null
      ? ""
      : " Bar: the middle half of the answers; dark line: median; thin line: 5th to 95th percentile; dot: slowest.",
  ),
  {
    is: "figure",
    svg,
    table: {
      is: "table",
      caption: "Latency of accepted requests by operation, in ms",
      heads: ["Operation", "Answers", "p5", "p25", "Median", "p75", "p95", "Slowest"],
      rows: latencies.map((latency) => [
        latency.operation,
        numberText(latency.answers),
        ...[latency.p05_ms, latency.p25_ms, latency.p50_ms, latency.p75_ms, latency.p95_ms, latency.max_ms].map(inMs),
      ]),
    },
  },
];

/** Mutants of the reference, and which requirements find them. */
export function killBlocks(kills: KillMatrix, described: Described, svg: string | null): readonly Block[] {
  const of = (...wanted: readonly Tried["result"][]): readonly Tried[] =>
    kills.results.filter(({ result }) => wanted.includes(result));
  const mutants = of("killed", "survived", "misdeclared");
  const faults = [
    ...kills.honest.map((id) => `The honest platform seems to break ${id}: a false alarm.`),
    ...of("flagged").map(
      ({ id, broken }) => `The benign variant ${id} seems to break ${broken.join(", ")}: a false alarm.`,
    ),
    ...of("survived").map(({ id }) => `The mutant ${id} survived.`),
    ...of("misdeclared").map(
      ({ id, broken }) => `The mutant ${id} breaks ${broken.join(", ")}, which isn't what it declares.`,
    ),
  ];
  return [
    paragraph(
      [
        `${numberText(of("killed").length)} of ${counted(mutants.length, "mutant")} killed by the requirement that ` +
          "each breaks",
        `${numberText(of("silent").length)} of ${counted(of("silent", "flagged").length, "benign variant")} silent`,
        `honest platform: ${counted(kills.honest.length, "false alarm")}`,
        `${counted(kills.pending.length, "mutant")} of the register not implemented.`,
      ].join(" · "),
    ),
    { is: "list", items: faults.map((fault) => [{ text: fault, tone: "broken", sign: "✗" }]) },
    { is: "figure", svg, table: killsTable(mutants, described) },
  ];
}

function killsTable(mutants: readonly Tried[], described: Described): TextTable {
  const areas = [...groupedBy(mutants, ({ id }) => areaOf(id))].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    is: "table",
    caption: "Mutants by area",
    heads: ["Area of the mutants", "Mutants", "Killed", "Not killed", "Requirements broken"],
    rows: areas.map(([area, members]) => {
      const killed = members.filter(({ result }) => result === "killed").length;
      const broken = new Set(members.flatMap((one) => one.broken));
      const counts = [members.length, killed, members.length - killed, broken.size];
      return [areaName(described, area), ...counts.map(figure)];
    }),
  };
}
