// The table of mutation scores in docs/proof.md, from what `npm run mutate` has found

import { intervalOf } from "../../harness/core/interval.ts";
import { PublishedDocument, type Table } from "../publishedTable.ts";
import { type AreaEdit, allEdits } from "./areas.ts";
import { type Outcome, outcomeByKey } from "./journal.ts";
import { seed, shuffled } from "./sample.ts";
import { argued, editOf } from "./survivors.ts";

const script = "proof/mutation/table.ts";

/** The first part of the sample of which every outcome is known. */
function triedOf(edits: readonly AreaEdit[], known: ReadonlyMap<string, Outcome>): readonly AreaEdit[] {
  const order = shuffled(edits);
  const end = order.findIndex(({ key }) => !known.has(key));
  return end < 0 ? order : order.slice(0, end);
}

const inPercent = (share: number): string => (100 * share).toFixed(1);

const kinds = ["goldens", "self-tests", "platforms"] as const;

const kindOf = (judge: string): (typeof kinds)[number] =>
  judge.startsWith("tests/golden.spec.ts") ? "goldens" : judge.startsWith("tests/") ? "self-tests" : "platforms";

function rowOf(
  area: string,
  all: readonly AreaEdit[],
  known: ReadonlyMap<string, Outcome>,
  arguedKeys: ReadonlySet<string>,
) {
  const edits = all.filter((edit) => edit.area === area);
  const tried = triedOf(edits, known);
  const judges = tried.flatMap(({ key }) => known.get(key)?.killedBy ?? []);
  const [killed, count] = [judges.length, tried.length];
  const [least, most] = intervalOf(killed, count).map(inPercent);
  const isArgued = tried.filter(({ key }) => known.get(key)?.killedBy === null && arguedKeys.has(key)).length;
  return [
    area,
    edits.length,
    count,
    killed,
    `${inPercent(count === 0 ? 0 : killed / count)} %`,
    count === edits.length ? "all of it" : `${least} to ${most} %`,
    isArgued,
    count - killed - isArgued,
    ...kinds.map((kind) => judges.filter((judge) => kindOf(judge) === kind).length),
  ];
}

/** @param arguedKeys the survivors that are argued */
export const tableOf = (
  all: readonly AreaEdit[],
  known: ReadonlyMap<string, Outcome>,
  arguedKeys: ReadonlySet<string>,
): Table => ({
  by: script,
  summary: `${all.length} edits of the judge, those of each area in an order of seed ${seed}.`,
  columns: [
    ...["area", "edits", "tried", "killed", "score", "95 %", "argued", "open"],
    ...kinds.map((kind) => `by ${kind}`),
  ],
  rows: [...new Set(all.map(({ area }) => area))].map((area) => rowOf(area, all, known, arguedKeys)),
});

if (process.argv[1] === import.meta.filename) {
  const all = allEdits();
  const arguedKeys = new Set(argued().flatMap((one) => editOf(one, all)?.key ?? []));
  new PublishedDocument("proof.md").publish(tableOf(all, outcomeByKey(), arguedKeys));
}
