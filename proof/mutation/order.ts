// In which order judges see an edit: those first that found others in the same file, for the time they take
import { type AreaEdit, sourceOf } from "./areas.ts";
import type { JudgeCoverage } from "./coverage.ts";

/** Loading a file of judges takes some time, too. */
const load_ms = 40;

const requirementIds = /\b[A-Z]+(?:-[A-Z0-9]+)+-\d+\b/g;

/** How much more a judge is worth whose requirement the code names last before the edit, or anywhere in the file. */
const [named, near] = [5, 30];

/** A self-test that takes no longer is about little, and next to nothing is lost by it. */
const quick_ms = 100;

/** What the code before an edit names last, and what its file names. */
function relevanceTo(edit: AreaEdit): (name: string) => number {
  const text = sourceOf(edit.file);
  const all = [...text.matchAll(requirementIds)];
  const before = all.findLast(({ index }) => index < edit.start)?.[0] ?? "";
  const ids = new Set(all.map(([id]) => id));
  const areaOf = (id: string): string => id.slice(0, id.indexOf("-"));
  const areas = new Set([...ids].map(areaOf));
  const isLaw = edit.file.endsWith(".laws.ts");
  return (name) => {
    if (isLaw && /^tests\/(golden|contracts\/\w*[lL]aw)/.test(name)) return near;
    const [, about = ""] = /^(?:mutant|benign variant|honest platform): ([^.]+)/.exec(name) ?? [];
    if (about !== "" && (about === before || about === areaOf(before))) return near;
    return ids.has(about) || areas.has(about) ? named : 1;
  };
}

export class JudgeOrder {
  readonly #edits: readonly AreaEdit[];
  readonly #coverage: readonly JudgeCoverage[];
  readonly #scores = new Map<string, { kills: number; tries: number }>();
  /** The judges that see what a file does while modules load. */
  readonly #usersOf = new Map<string, readonly JudgeCoverage[]>();

  constructor(edits: readonly AreaEdit[], coverage: readonly JudgeCoverage[]) {
    this.#edits = edits;
    this.#coverage = coverage;
  }

  #scoreOf(judge: JudgeCoverage, file: string) {
    const name = `${file} ${judge.name}`;
    const score = this.#scores.get(name) ?? { kills: 0, tries: 0 };
    this.#scores.set(name, score);
    return score;
  }

  note(judge: JudgeCoverage, { file }: AreaEdit, isKill: boolean): void {
    const score = this.#scoreOf(judge, file);
    score.tries += 1;
    if (isKill) score.kills += 1;
  }

  /** The judges whose run, not only whose modules, reaches a file, and those whose spec file imports it by name. */
  #ofFile(file: string): readonly JudgeCoverage[] {
    const known = this.#usersOf.get(file);
    if (known) return known;
    const specs = new Map(this.#coverage.map((judge) => [judge.file, sourceOf(judge.file).includes(`/${file}"`)]));
    const users = this.#coverage.filter(
      (judge) => specs.get(judge.file) || [...judge.reached].some((id) => this.#edits[id]?.file === file),
    );
    this.#usersOf.set(file, users);
    return users;
  }

  /** As many as this time allows. */
  judgesOf(edit: AreaEdit, id: number, most_ms: number): readonly JudgeCoverage[] {
    const reaching = this.#coverage.filter(({ reached }) => reached.has(id));
    // What runs while modules load is seen by those that use the file.
    const using = this.#ofFile(edit.file).filter(({ loading }) => loading.has(id));
    const all = new Set([...reaching, ...using]);
    const relevance = relevanceTo(edit);
    const worth = new Map(
      [...all].map((judge) => {
        const { kills, tries } = this.#scoreOf(judge, edit.file);
        const isQuick = judge.duration_ms < quick_ms && judge.name.startsWith("tests/");
        return [
          judge,
          ((isQuick ? near : relevance(judge.name)) * (kills + 0.3)) / (tries + 1) / (judge.duration_ms + load_ms),
        ];
      }),
    );
    let left_ms = most_ms;
    return [...all]
      .sort((a, b) => (worth.get(b) ?? 0) - (worth.get(a) ?? 0))
      .filter(({ duration_ms }) => {
        // One that takes too long leaves the time to quicker ones.
        const fits = duration_ms < left_ms;
        if (fits) left_ms -= duration_ms;
        return fits;
      });
  }
}
