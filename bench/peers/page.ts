// docs/peers.md: what was measured, in the text of template.md
import { readFileSync } from "node:fs";
import { type Result, type Results, type Tally, type ToolName, tallyOfResults, toolNames } from "./counting.ts";
import type { Coverage } from "./drift.ts";
import { budget_s, rates } from "./schemathesis.ts";

export interface PeerMeasurement {
  /** Of all tools, with as many platforms as usual. */
  readonly isWhole: boolean;
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly seed: number;
  /** Platforms that were judged at once. */
  readonly atOnce: number;
  readonly minutes: number;
  readonly versions: { readonly [tool in ToolName]?: string };
  readonly results: Results;
  /** By Assay's traffic on the honest platform; null where drift hasn't run. */
  readonly coverage: Coverage | null;
}

const template = readFileSync(new URL("template.md", import.meta.url), "utf8");

const titles: { readonly [tool in ToolName]: string } = {
  assay: "Assay",
  schemathesis: "Schemathesis",
  drift: "Redocly CLI `drift`",
  prism: "Prism as a proxy",
};

type Row = readonly (string | number)[];

const line = (cells: Row): string => `| ${cells.join(" | ")} |`;
const table = (head: Row, rows: readonly Row[]): string =>
  [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");

const rounded = (value: number | null): string =>
  value === null ? "–" : value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 1 : 0 });

interface TalliedTool {
  readonly tool: ToolName;
  readonly tally: Tally;
}

/** A tool that judged nothing has its reason instead. */
type ShownTool = TalliedTool | { readonly tool: ToolName; readonly failed: string };

const judgedOf = ({ results }: PeerMeasurement): readonly ShownTool[] =>
  toolNames.flatMap((tool): readonly ShownTool[] => {
    const own = results[tool];
    if (own === undefined) return [];
    const tally = tallyOfResults(own);
    return tally === null ? [{ tool, failed: ownReason(own) }] : [{ tool, tally }];
  });

const ownReason = (results: readonly Result[]): string =>
  results.flatMap(({ outcome }) => ("unable" in outcome ? [outcome.unable] : []))[0] ?? "nothing was judged";

const titleOf = ({ versions }: PeerMeasurement, tool: ToolName): string =>
  `${titles[tool]} ${versions[tool] ?? ""}`.trim();

function mainRow(measurement: PeerMeasurement, judged: ShownTool): Row {
  const title = titleOf(measurement, judged.tool);
  if ("failed" in judged) return [title, "not measured", "not measured", ...Array<string>(6).fill("–")];
  const { found, missed, accused, right, unable, requests, firstFinding_s, seconds, processorSeconds } = judged.tally;
  const described = (some: Tally["missed"]): number => some.filter(({ isDescribed }) => isDescribed).length;
  return [
    title,
    `${found.length} of ${found.length + missed.length}`,
    `${described(found)} of ${described(found) + described(missed)}`,
    `${accused.length} of ${right}`,
    unable.length,
    ...[requests, firstFinding_s, seconds, processorSeconds].map(rounded),
  ];
}

const head: Row = [
  "",
  "found",
  "found of what OpenAPI describes",
  "right platforms accused",
  "not judged",
  "requests",
  "s to the first finding",
  "s in all",
  "processor s",
];

function areaTable(tallies: readonly TalliedTool[]): string {
  const all = tallies.flatMap(({ tally }) => [...tally.found, ...tally.missed]);
  const areas = [...new Set(all.map(({ area }) => area ?? ""))].sort();
  const inArea = (some: Tally["missed"], wanted: string): number => some.filter(({ area }) => area === wanted).length;
  return table(
    ["area", ...tallies.map(({ tool }) => titles[tool])],
    areas.map((area) => [
      area,
      ...tallies.map(({ tally }) => {
        const found = inArea(tally.found, area);
        return `${found} of ${found + inArea(tally.missed, area)}`;
      }),
    ]),
  );
}

const list = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");

/** What others found and Assay didn't, and what Assay didn't find. */
function missedText(tallies: readonly TalliedTool[]): string {
  const own = tallies.find(({ tool }) => tool === "assay")?.tally;
  if (!own) return "";
  const missed = own.missed.map(({ name }) => name);
  const others = tallies.flatMap(({ tool, tally }) => {
    const more = tally.found.map(({ name }) => name).filter((name) => missed.includes(name));
    return more.length > 0 ? [`${titles[tool]} found ${list(more)}, which Assay missed.`] : [];
  });
  return [
    missed.length === 0 ? "Assay missed none of them." : `Assay missed ${list(missed)}.`,
    others.length === 0 ? "None of the others found a mutant that Assay missed." : others.join("\n"),
  ].join("\n");
}

const longest = 160;
const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);
const inTable = (text: string): string => cut(text.replace(/\s+/g, " ")).replaceAll("|", "\\|").replaceAll("`", "'");

/** Assay's own findings are named as the mutants are. */
const foundText = (tallies: readonly TalliedTool[]): string =>
  table(
    ["found by", "mutant", "what it says, first"],
    tallies
      .filter(({ tool }) => tool !== "assay")
      .flatMap(({ tool, tally }) =>
        tally.found.map(({ name, findings }) => [titles[tool], `\`${name}\``, inTable(findings[0] ?? "")]),
      ),
  );

function accusedText(tallies: readonly TalliedTool[]): string {
  const rows = tallies.flatMap(({ tool, tally }) =>
    tally.accused.map(({ name, findings }) => [titles[tool], name, inTable(findings[0] ?? ""), findings.length]),
  );
  return rows.length === 0
    ? "No right platform was accused by any tool."
    : table(["accused by", "right platform", "of what, first", "findings"], rows);
}

const unableText = (judged: readonly ShownTool[]): string => {
  const lines = judged.flatMap((one) =>
    "failed" in one
      ? [`- ${titles[one.tool]} was not measured: ${inTable(one.failed)}`]
      : one.tally.unable.map(({ name, why }) => `- ${titles[one.tool]} could not judge ${name}: ${inTable(why)}`),
  );
  return lines.length === 0 ? "Every tool judged every platform." : lines.join("\n");
};

const baselineText = (tallies: readonly TalliedTool[]): string =>
  tallies.map(({ tool, tally }) => `${titles[tool]} ${tally.baseline.length}`).join(", ");

const coverageText = (coverage: Coverage | null): string =>
  coverage === null
    ? ""
    : `, which reaches ${Object.entries(coverage)
        .map(([item, { covered, total }]) => `${covered} of ${total} ${item}`)
        .join(", ")}`;

/** Fills in the template. @throws Error for a place in it that has no text */
export function peersPage(measurement: PeerMeasurement): string {
  const judged = judgedOf(measurement);
  const tallies = judged.flatMap((one) => ("tally" in one ? [one] : []));
  const { day, seed, atOnce, minutes, coverage } = measurement;
  const texts: { readonly [place: string]: string } = {
    table: table(
      head,
      judged.map((one) => mainRow(measurement, one)),
    ),
    day,
    seed: String(seed),
    atOnce: String(atOnce),
    minutes: String(Math.round(minutes)),
    baseline: baselineText(tallies),
    budget_s: String(budget_s),
    usageRate: rates.usage,
    allRate: rates.all,
    coverage: coverageText(coverage),
    areas: areaTable(tallies),
    missed: missedText(tallies),
    found: foundText(tallies),
    accused: accusedText(tallies),
    unable: unableText(judged),
  };
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_, place: string) => {
    const text = texts[place];
    if (text === undefined) throw new Error(`the template has {{${place}}}`);
    return text;
  });
}
