// Which edits each judge reaches, as its run without edits shows; kept in a file while neither changes
import { createHash } from "node:crypto";
import { JsonLines } from "../jsonLines.ts";
import { type AreaEdit, filesOf, sourceOf, specFiles } from "./areas.ts";
import { ownJudgesFile } from "./bundle.ts";
import { folder } from "./journal.ts";
import type { WorkerProcess } from "./processes.ts";
import type { JudgeName } from "./worker.ts";

export interface JudgeCoverage extends JudgeName {
  readonly duration_ms: number;
  readonly asked: number;
  /** Edits that are reached while modules load, and those that its run reaches. */
  readonly loading: ReadonlySet<number>;
  readonly reached: ReadonlySet<number>;
}

/** A table of edits as [key, file], or a judge's coverage by a table; or that a judge is unfit after all. */
type Line =
  | { readonly table: string; readonly edits: readonly (readonly [key: string, file: string])[] }
  | (JudgeName & {
      readonly by: string;
      readonly text: string;
      readonly duration_ms: number;
      readonly asked: number;
      readonly loading: string;
      readonly reached: string;
      readonly unfit: string | null;
    })
  | (JudgeName & { readonly unfit: string });

const lines = new JsonLines<Line>(`${folder}/coverage.jsonl`);

const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

function packed(ids: readonly number[], edits: number): string {
  const bits = new Uint8Array(Math.ceil(edits / 8));
  for (const id of ids) bits[id >> 3] = (bits[id >> 3] ?? 0) | (1 << (id & 7));
  return Buffer.from(bits).toString("base64");
}

function unpacked(text: string): readonly number[] {
  const bits = Buffer.from(text, "base64");
  return [...bits].flatMap((byte, place) =>
    [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => byte & (1 << bit)).map((bit) => place * 8 + bit),
  );
}

export const markUnfit = (judge: JudgeName, unfit: string): void =>
  lines.add({ file: judge.file, name: judge.name, unfit });

interface Known extends JudgeCoverage {
  readonly unfit: string | null;
  readonly text: string;
}

/** What the file says of each judge, in terms of today's edits; new ones are reached by all that reach their file. */
function knownCoverage(edits: readonly AreaEdit[]): ReadonlyMap<string, Known> {
  const idOf = new Map(edits.map(({ key }, id) => [key, id]));
  const tables = new Map<string, readonly (readonly [string, string])[]>();
  const newIn = new Map<string, ReadonlyMap<string, readonly number[]>>();
  const known = new Map<string, Known>();
  for (const line of lines.read()) {
    if ("table" in line) {
      tables.set(line.table, line.edits);
      const keys = new Set(line.edits.map(([key]) => key));
      const added = new Map<string, number[]>();
      for (const [id, { key, file }] of edits.entries())
        if (!keys.has(key)) added.set(file, [...(added.get(file) ?? []), id]);
      newIn.set(line.table, added);
      continue;
    }
    if (!("by" in line)) {
      const before = known.get(line.name);
      if (before) known.set(line.name, { ...before, unfit: line.unfit });
      continue;
    }
    const table = tables.get(line.by) ?? [];
    const ids = (text: string): ReadonlySet<number> => {
      const found = unpacked(text).flatMap((place) => (table[place] ? [table[place]] : []));
      const added = [...new Set(found.map(([, file]) => file))].flatMap((file) => newIn.get(line.by)?.get(file) ?? []);
      return new Set([...found.flatMap(([key]) => idOf.get(key) ?? []), ...added]);
    };
    known.set(line.name, { ...line, loading: ids(line.loading), reached: ids(line.reached) });
  }
  return known;
}

/** The coverage of all judges that are fit to judge; runs those once of which nothing is known. */
export async function coverageOf(
  edits: readonly AreaEdit[],
  worker: WorkerProcess,
  onProgress: (line: string) => void,
): Promise<readonly JudgeCoverage[]> {
  const known = knownCoverage(edits);
  const by = digest(edits.map(({ key }) => key).join());
  lines.add({ table: by, edits: edits.map(({ key, file }) => [key, file]) });
  const all: Known[] = [];
  // Of a file that is judged from now on nothing is known.
  const judged = [...new Set(edits.map(({ file }) => file))].join();
  for (const file of [...filesOf(specFiles), ownJudgesFile]) {
    const text = digest(`${file === ownJudgesFile ? "" : sourceOf(file)}${judged}`);
    for (const name of await worker.list(file)) {
      const before = known.get(name);
      if (before?.text === text) {
        all.push(before);
        continue;
      }
      const { loading, reached, ...rest } = await worker.cover({ file, name });
      lines.add({
        file,
        name,
        by,
        text,
        ...rest,
        loading: packed(loading, edits.length),
        reached: packed(reached, edits.length),
      });
      all.push({ file, name, text, ...rest, loading: new Set(loading), reached: new Set(reached) });
      if (rest.unfit !== null) onProgress(`unfit: ${name}: ${rest.unfit}`);
      if (all.length % 50 === 0) onProgress(`${all.length} judges covered`);
    }
  }
  return all.filter(({ unfit }) => unfit === null);
}
