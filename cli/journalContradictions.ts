// Where a run's journal contradicts itself: verdicts that its own exchanges don't bear out.
import { type Json, jsonOrNull, valueAt } from "../harness/core/json.ts";
import { exitCodeOf } from "../harness/model/verdict.ts";
import { journalName } from "../harness/record/journal.ts";
import type { Run } from "../harness/record/run.ts";
import { siteLines } from "../specs/generated/lines.ts";
import type { FileDifference } from "./fileDifferences.ts";
import type { JudgedAnew } from "./judgedAnew.ts";

type Judged = Run["requirements"][number];
type Exchanges = ReadonlyMap<number, Run["exchanges"][number]>;

/** Each once. */
const missingIn = ({ exchanges, breaches }: Judged, known: Exchanges): readonly number[] =>
  [...new Set([...exchanges, ...breaches.map(({ exchange }) => exchange)])].filter((number) => !known.has(number));

/** Members that schemas require; `*` stands for any array index. Checks say of other places, too, that nothing fits. */
const required = new Set(
  Object.values(siteLines).flatMap((sites) =>
    sites.flatMap(({ id, at, keyword }) => (keyword === "present" ? [`${id} ${at}`] : [])),
  ),
);

/** Breaches by a required member that isn't there, although the answer has it. */
function madeUpIn({ id, breaches }: Judged, known: Exchanges) {
  return breaches.filter(({ at, got, exchange }) => {
    const answer = known.get(exchange)?.answer;
    if (!("is" in got) || !answer || answer.cutAt_chars !== null) return false;
    if (!required.has(`${id} ${at.replaceAll(/\/\d+(?=\/|$)/g, "/*")}`)) return false;
    return valueAt(jsonOrNull(answer.body) as Json, at) !== undefined;
  });
}

/** Where a journal contradicts itself. */
export function contradictionsIn(run: Run, anew: JudgedAnew | null): readonly FileDifference[] {
  const says = (text: string): FileDifference => ({ file: journalName, says: text });
  // A run that a signal ended has no exit code of its own.
  const isBroken = run.endedAt !== null && run.exitCode !== 1 && exitCodeOf(run.requirements, run.complete) === 1;
  const known = new Map(run.exchanges.map((exchange) => [exchange.number, exchange]));
  return [
    ...run.requirements.flatMap((judged) => [
      ...missingIn(judged, known).map((number) =>
        says(`cites exchange ${number} for ${judged.id}, and has none of it`),
      ),
      ...madeUpIn(judged, known).map(({ exchange, at }) =>
        says(`says that exchange ${exchange} breaks ${judged.id} as ${at} is absent, which is in its answer`),
      ),
    ]),
    ...(isBroken ? [says(`ends with exit code ${run.exitCode}, though a requirement is broken that fails a run`)] : []),
    ...(anew?.contradicted ?? []).map(({ id, exchange }) =>
      says(`says that ${id} holds, which the answer of its exchange ${exchange} breaks`),
    ),
  ];
}
