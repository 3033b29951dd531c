// What each check and each law alone finds, by area and target; run it to write its table into docs/proof.md
import { PublishedDocument, percent, type Table } from "../publishedTable.ts";
import { aloneBy, type Count, countsOf, idle, targetsOf } from "./counts.ts";
import { entriesOf, writeList } from "./deletionList.ts";
import type { Deletion } from "./deletions.ts";
import { type Detector, detectors } from "./detectors.ts";
import { listNew } from "./list.ts";
import { allDeletions, allRows, type Deletions, deletionsKept, rowsKept } from "./matrix.ts";
import { allMutants, type On, type Row } from "./tried.ts";

export const script = "proof/alone/table.ts";
export const document = new PublishedDocument("proof.md");

const areaOf = ({ about }: Detector): string => about.split("-")[0] ?? "";

export const counted = detectors.filter(({ kind }) => kind === "check" || kind === "law");
export const areas = [...new Set(counted.map(areaOf))];

const isComplete = (target: On, rows: readonly Row[]): boolean =>
  rows.filter(({ on }) => on === target).length >= allMutants.length;

/** One number per target; `…` where not every mutant has been tried yet. */
const cells = (some: readonly Detector[], rows: readonly Row[], targets: readonly On[]) => {
  const counts = countsOf(some, rows, targets);
  const shown = (of: keyof Count): string =>
    counts.map((count, nth) => (isComplete(targets[nth] ?? "control", rows) ? count[of] : "…")).join(" · ");
  return some.length === 0 ? ["–", "–", "–"] : [some.length, shown("found"), shown("alone")];
};

const rowOf = (title: string, some: readonly Detector[], rows: readonly Row[]) => [
  title,
  ...(["check", "law"] as const).flatMap((kind) =>
    cells(
      some.filter((one) => one.kind === kind),
      rows,
      targetsOf[kind],
    ),
  ),
];

const named = (some: readonly Detector[]): string => some.map(({ name }) => name).join("; ") || "none";

/** Mutants that were tried on each target, and that something found. */
const tried = (rows: readonly Row[]): string =>
  targetsOf.law
    .map((target) => {
      const own = rows.filter(({ on }) => on === target);
      const found = percent(own.filter((row) => row.found.length > 0).length, own.length);
      return `${target}: ${isComplete(target, rows) ? found : `only ${own.length} of ${allMutants.length} tried yet`}`;
    })
    .join(", ");

export function tableOf(rows: readonly Row[], deletions: Deletions): Table {
  const ways = (wanted: Deletion["by"]): number => [...deletions.values()].filter((one) => one?.by === wanted).length;
  const found = new Set([...deletions].flatMap(([name, deletion]) => (deletion ? [name] : [])));
  return {
    by: script,
    summary: [
      `Mutants that checks or laws find, ${tried(rows)}.`,
      `The deletion of ${ways("any")} checks would miss a mutant, of ${ways("confined")} one confined to answers to ` +
        `what the check sends; of ${ways("others")} nothing, as others send and judge the same.`,
      `Checks that find no mutant: ${named(idle("check", rows).filter(({ name }) => !found.has(name)))}. Laws that ` +
        `find none, each of which finds a golden exchange that no other law finds: ${named(idle("law", rows))}.`,
    ].join("\n"),
    columns: ["area", "checks", "find", "alone", "laws", "find", "alone"],
    rows: [
      ...areas.map((area) =>
        rowOf(
          area,
          counted.filter((one) => areaOf(one) === area),
          rows,
        ),
      ),
      rowOf("all", counted, rows),
    ],
  };
}

function publish(rows: readonly Row[], deletions: Deletions): void {
  writeList(entriesOf(deletions));
  document.publish(tableOf(rows, deletions));
}

if (process.argv[1] === import.meta.filename) {
  const [flag] = process.argv.slice(2);
  const processes = flag === undefined ? undefined : Number(flag);
  if (flag === "--all")
    for (const [name, mutants] of aloneBy(rowsKept())) console.log(`${name}: ${mutants.join(" · ")}`);
  else if (flag === "--new") await listNew();
  else if (flag === "--so-far") publish(rowsKept(), deletionsKept());
  else publish(await allRows(processes), await allDeletions(processes));
}
