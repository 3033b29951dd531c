// The bundled judge in this process, loaded anew for every edit, with the switch and what it counts
import { constants, Script } from "node:vm";
import { type Bundle, ownJudgesFile, sharedPrefix, stubFile } from "./bundle.ts";
import type * as OwnJudges from "./ownJudges.ts";
import { switchName } from "./switched.ts";
import type * as TestStub from "./testStub.ts";

type Modules = { readonly [file: string]: () => unknown };
type Factory = (require: unknown, module: { exports: Modules }, isEdited: (id: number) => boolean) => void;

export interface Judge {
  readonly name: string;
  run(): Promise<void>;
}

/** Thrown where edited code never ends. */
class Endless extends Error {}

/** `packagesOf` says what the default of each is. */
const asOldDefault = /(__toESM\(require\("[^"]+"\)), 1\)/g;

const compiled = (code: string, filename: string): Factory =>
  new Script(`(function (require, module, ${switchName}) {${code.replace(asOldDefault, "$1)")}\n})`, {
    filename,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  }).runInThisContext() as Factory;

/** The packages that code asks for, as `import` gives them; a file that stands for one says what its default is. */
async function packagesOf(code: string): Promise<ReadonlyMap<string, unknown>> {
  const names = new Set([...code.matchAll(/require\("([^"]+)"\)/g)].map(([, name = ""]) => name));
  const loaded = [...names].filter((name) => !name.startsWith(sharedPrefix));
  return new Map(
    await Promise.all(
      loaded.map(async (name): Promise<[string, unknown]> => {
        const exports = (await import(name)) as object;
        return [name, Object.create(exports, { __esModule: { value: true } })];
      }),
    ),
  );
}

/** @param edits how many there are */
export async function loader(bundle: Bundle, edits: number) {
  const packages = await packagesOf(bundle.judges + bundle.shared);
  const judges = compiled(bundle.judges, "judges.cjs");
  const sharedModules: { exports: Modules } = { exports: {} };
  compiled(bundle.shared, "shared.cjs")(
    (name: string) => packages.get(name),
    sharedModules,
    () => false,
  );
  const { pathname: root } = new URL("../..", import.meta.url);
  const require = (name: string): unknown =>
    name.startsWith(sharedPrefix)
      ? sharedModules.exports[name.slice(sharedPrefix.length + root.length)]?.()
      : packages.get(name);

  let [edited, asked, most] = [-1, 0, Infinity];
  const reached = new Uint8Array(edits);
  const isEdited = (id: number): boolean => {
    asked += 1;
    if (asked > most) throw new Endless("edited code never ends");
    reached[id] = 1;
    return id === edited;
  };

  return {
    /** Modules that know nothing of earlier edits, with this one; -1: none. */
    load(edit: number) {
      edited = edit;
      const module: { exports: Modules } = { exports: {} };
      judges(require, module, isEdited);
      const moduleOf = (file: string): unknown => module.exports[file]?.();
      return {
        /** The judges of a spec file, or of the reference. */
        judgesOf(file: string): readonly Judge[] {
          if (file === ownJudgesFile) return (moduleOf(file) as typeof OwnJudges).ownJudges();
          const { collected } = moduleOf(stubFile) as typeof TestStub;
          const before = collected.length;
          moduleOf(file);
          return collected.slice(before).map((one) => ({ ...one, name: `${file} › ${one.title}` }));
        },
        finish: (): Promise<void> => (moduleOf(stubFile) as typeof TestStub).finish(),
      };
    },
    /** How often the switch was asked, and for which edits, since it was asked last. */
    counted(): { readonly asked: number; readonly reached: readonly number[] } {
      const found = [...reached.keys()].filter((id) => reached[id] === 1);
      const count = asked;
      reached.fill(0);
      asked = 0;
      return { asked: count, reached: found };
    },
    /** From now on. */
    allow(more: number): void {
      [asked, most] = [0, more];
    },
    isSpent: (): boolean => asked > most,
  };
}
