// One build of the judge, of its self-tests and of what else judges edits, with all edits behind a switch
import { readFileSync } from "node:fs";
import { dirname, extname } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Loader, type Plugin } from "esbuild";
import { type AreaEdit, filesOf, root, sourceOf, specFiles } from "./areas.ts";
import { type Numbered, switched } from "./switched.ts";

/** Slow to load and the same for every edit, so that they are loaded once. */
const shared = /\/(tests\/golden\/lists|specs\/generated\/\w+|specs\/build\/\w+|reference\/.+)\.(ts|js)$/;
export const sharedPrefix = "shared:";

const here = `${root}/proof/mutation`.replaceAll("//", "/");

/** What a file does as a command of its own, which stands at its end and may wait. */
const asCommand = /\nif \(process\.argv\[1\] === import\.meta\.filename\)[\s\S]*$/;

/** But where it is itself a text. */
const ownAddress = /(?<!")import\.meta\.(url|dirname)/g;

/** Sources with the switch, at their own addresses, by which they find files beside them. */
const sources = (numbered: ReadonlyMap<string, readonly Numbered[]>): Plugin => ({
  name: "sources",
  setup({ onLoad, onResolve }) {
    onLoad({ filter: /\.(tsx?|js)$/ }, ({ path }) => {
      const file = path.slice(root.length);
      const edits = numbered.get(file);
      const text = edits ? switched(sourceOf(file), edits) : readFileSync(path, "utf8");
      return {
        contents: text
          .replace(asCommand, "")
          .replace(ownAddress, (_, kind) => JSON.stringify(kind === "url" ? pathToFileURL(path).href : dirname(path))),
        loader: extname(path).slice(1) as Loader,
      };
    });
    onResolve({ filter: /^@playwright\/test$/ }, ({ importer }) =>
      importer.endsWith("/testStub.ts") ? { external: true } : { path: `${here}/testStub.ts` },
    );
  },
});

const asShared: Plugin = {
  name: "shared",
  setup({ onResolve }) {
    onResolve({ filter: /^\..*\.(ts|js)$/ }, ({ path, resolveDir, kind }) => {
      const whole = new URL(path, pathToFileURL(`${resolveDir}/`)).pathname;
      return kind !== "entry-point" && shared.test(whole)
        ? { path: `${sharedPrefix}${whole}`, external: true }
        : undefined;
    });
  },
};

async function bundled(contents: string, plugins: Plugin[]): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents, resolveDir: root, loader: "js" },
    bundle: true,
    write: false,
    format: "cjs",
    platform: "node",
    target: "node20",
    packages: "external",
    jsx: "automatic",
    jsxImportSource: "hono/jsx",
    logLevel: "error",
    plugins,
  });
  return outputFiles[0]?.text ?? "";
}

/** Modules by path, each loaded when it is asked for. */
const entry = (files: readonly string[]): string =>
  `module.exports = {${files.map((file) => `${JSON.stringify(file)}: () => require("./${file}")`).join(",")}};`;

export const ownJudgesFile = "proof/mutation/ownJudges.ts";
export const stubFile = "proof/mutation/testStub.ts";

export interface Bundle {
  readonly judges: string;
  readonly shared: string;
}

export async function bundleOf(edits: readonly AreaEdit[]): Promise<Bundle> {
  const numbered = new Map<string, Numbered[]>();
  for (const [id, edit] of edits.entries()) numbered.set(edit.file, [...(numbered.get(edit.file) ?? []), [edit, id]]);
  const switchedSources = sources(numbered);
  const judges = await bundled(entry([...filesOf(specFiles), ownJudgesFile, stubFile]), [asShared, switchedSources]);
  const wanted = [...new Set([...judges.matchAll(/require\("shared:([^"]+)"\)/g)].map(([, path = ""]) => path))];
  return { judges, shared: await bundled(entry(wanted.map((path) => path.slice(root.length))), [sources(new Map())]) };
}
