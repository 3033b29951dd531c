// `npm run mutate`: edits the judge, one place at a time, and sees which edits nothing notices
import { mkdirSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type AreaEdit, allEdits, areas } from "./areas.ts";
import { bundleOf } from "./bundle.ts";
import { coverageOf, markUnfit } from "./coverage.ts";
import { folder, outcomeByKey, outcomes } from "./journal.ts";
import { JudgeOrder } from "./order.ts";
import { WorkerProcess } from "./processes.ts";
import { shuffled } from "./sample.ts";
import { argued, editOf } from "./survivors.ts";

const { values } = parseArgs({
  options: {
    /** Only these areas. */
    area: { type: "string", multiple: true, default: Object.keys(areas) },
    /** How many edits of each area, at random; all where there are fewer. */
    sample: { type: "string", default: "200" },
    /** Try again what survived, by new tests for instance. */
    survivors: { type: "boolean", default: false },
    /** Only say what survived and isn't argued. */
    list: { type: "boolean", default: false },
    /** How many seconds of judges an edit may cost. */
    seconds: { type: "string", default: "15" },
    processes: { type: "string", default: "1" },
  },
});

for (const area of values.area) if (!Object.hasOwn(areas, area)) throw new Error(`no area is called ${area}`);

const report = (line: string): void => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`);

const edits = allEdits();
const known = outcomeByKey();
const sampled = values.area.flatMap((area) =>
  shuffled(edits.filter((edit) => edit.area === area)).slice(0, Number(values.sample)),
);

function listOpen(): void {
  const arguedKeys = new Set(argued().flatMap((one) => editOf(one, edits)?.key ?? []));
  const open = sampled.filter(({ key }) => known.get(key)?.killedBy === null && !arguedKeys.has(key));
  const inOrder = [...open].sort((a, b) => (a.file === b.file ? a.start - b.start : a.file < b.file ? -1 : 1));
  for (const { file, line, on, original, mutated, key } of inOrder)
    console.log(`${file}:${line}  ${on}\n    ${original} → ${mutated || "nothing"}   ${known.get(key)?.how ?? ""}`);
  console.log(`${open.length} open`);
}

/** A judge may take so many times as long as without an edit. */
const patience = 8;

async function tryEdit(edit: AreaEdit, id: number, order: JudgeOrder, worker: WorkerProcess): Promise<boolean> {
  const most_ms = Number(values.seconds) * 1000;
  const judges = order.judgesOf(edit, id, most_ms);
  const limited = judges.map(({ file, name, asked, duration_ms }) => ({
    file,
    name,
    asked,
    limit_ms: 3_000 + patience * duration_ms,
  }));
  const { killedBy, how, durations_ms, unfit } = await worker.try({ edit: id, judges: limited }, 30_000 + 4 * most_ms);
  for (const judge of judges) {
    if (Object.hasOwn(durations_ms, judge.name)) order.note(judge, edit, killedBy === judge.name);
    if (unfit.includes(judge.name)) markUnfit(judge, "it failed without an edit");
  }
  outcomes.add({
    key: edit.key,
    killedBy,
    how: killedBy === null && judges.length === 0 ? "no coverage" : how,
    judges: judges.length,
  });
  return killedBy !== null;
}

async function tryAll(): Promise<void> {
  const ids = new Map(edits.map(({ key }, id) => [key, id]));
  const bundleFile = `${folder}/bundle.json`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(bundleFile, JSON.stringify(await bundleOf(edits)));
  const workers = Array.from({ length: Number(values.processes) }, () => new WorkerProcess(bundleFile, edits.length));
  const [first] = workers;
  const coverage = first ? await coverageOf(edits, first, report) : [];
  const order = new JudgeOrder(edits, coverage);
  const isLeft = ({ key }: AreaEdit): boolean =>
    !known.has(key) || (values.survivors && known.get(key)?.killedBy === null);
  const left = sampled.filter(isLeft);
  report(`${left.length} of ${edits.length} edits to try, by ${coverage.length} judges`);
  let [done, survived] = [0, 0];
  const work = async (worker: WorkerProcess): Promise<void> => {
    for (let edit = left.shift(); edit; edit = left.shift()) {
      if (!(await tryEdit(edit, ids.get(edit.key) ?? -1, order, worker))) survived += 1;
      done += 1;
      if (done % 20 === 0) report(`${edit.area}: ${done} tried, ${survived} survived, ${left.length} left`);
    }
    worker.stop();
  };
  await Promise.all(workers.map(work));
  report(`${done} tried, ${survived} survived`);
}

if (values.list) listOpen();
else await tryAll();
