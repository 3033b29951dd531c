// Which files have something to register? Found by what they export, so that a new file is found without a list. Plain JavaScript: the launcher asks before TypeScript can run.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/**
 * One generated file each: what is exported under that name below these folders.
 * `stem`: the export is called as its file, which is called as a method; a file of another name is none.
 *
 * @type {readonly import("./registries.js").Kind[]}
 */
export const kinds = [
  {
    registry: "checks",
    of: "contracts",
    below: [""],
    exported: "checks",
    type: "Check",
    from: "../../harness/model/check.ts",
  },
  { registry: "laws", of: "contracts", below: [""], exported: "laws", type: "Law", from: "../../harness/model/law.ts" },
  {
    registry: "probes",
    of: "contracts",
    below: [""],
    exported: "probes",
    type: "Probe",
    from: "../../harness/model/probe.ts",
  },
  {
    registry: "baseline",
    of: "contracts",
    below: [""],
    exported: "baseline",
    type: "Ask",
    from: "../shared/stimuli.ts",
    byMethod: "some",
  },
  {
    registry: "properties",
    of: "property",
    below: [""],
    exported: "properties",
    type: "Check",
    from: "../../harness/model/check.ts",
  },
  {
    registry: "rates",
    of: "load",
    below: ["rateLimits"],
    exported: "checks",
    type: "Check",
    from: "../../harness/model/check.ts",
  },
  {
    registry: "limitProbes",
    of: "load",
    below: ["rateLimits"],
    exported: "probes",
    type: "Probe",
    from: "../../harness/model/probe.ts",
  },
  {
    registry: "mutants",
    of: "reference",
    below: [""],
    exported: "mutants",
    type: "Mutant",
    from: "../platform/mutant.ts",
  },
  {
    registry: "benignVariants",
    of: "reference",
    below: [""],
    exported: "benignVariants",
    type: "BenignVariant",
    from: "../platform/mutant.ts",
  },
  {
    registry: "methods",
    of: "reference",
    below: ["rpc"],
    exported: "stem",
    type: "Method",
    from: "../rpc/method.ts",
    byMethod: "all",
  },
];

/**
 * @param {string} folder
 * @param {RegExp} wanted
 * @returns {string[]} paths in the order of their names; what is generated is left out
 */
export const filesBelow = (folder, wanted) =>
  readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === "generated" ? [] : filesBelow(path, wanted);
      return wanted.test(entry.name) ? [path] : [];
    });

/** TypeScript that is no test. */
const source = /(?<!\.spec)\.ts$/;

/** @param {string} file */
export const stemOf = (file) => basename(file).replace(/(\.mutants)?\.ts$/, "");

/** @param {string} specsDir */
const methodsIn = (specsDir) => readdirSync(join(specsDir, "rpc")).map((file) => basename(file, ".yaml"));

/**
 * @param {string} specsDir
 * @returns {readonly import("./registries.js").Registry[]} paths below the folder that the registry is of, in the order of their names
 */
export function registriesOf(specsDir) {
  const root = join(specsDir, "..");
  const methods = new Set(methodsIn(specsDir));
  const exportsOf = new Map();
  const doesExport = (file, name) => {
    const names =
      exportsOf.get(file) ??
      new Set([...readFileSync(file, "utf8").matchAll(/^export const (\w+)/gm)].map(([, exported]) => exported));
    exportsOf.set(file, names);
    return names.has(name);
  };
  return kinds.map((kind) => {
    const home = join(root, kind.of);
    const files = kind.below
      .flatMap((folder) => filesBelow(join(home, folder), source))
      .filter(
        (file) =>
          (kind.byMethod ? methods.has(stemOf(file)) : true) &&
          doesExport(file, kind.exported === "stem" ? stemOf(file) : kind.exported),
      );
    return { ...kind, files: files.map((file) => file.slice(home.length + 1)) };
  });
}

/**
 * @param {string} specsDir
 * @returns {readonly string[]} one line for each place of a method that is lacking
 */
export function lackingIn(specsDir) {
  const registries = registriesOf(specsDir);
  const has = (registry, stem) =>
    registries.some((one) => one.registry === registry && one.files.some((file) => stemOf(file) === stem));
  return methodsIn(specsDir).flatMap((method) => [
    ...(has("methods", method)
      ? []
      : [`specs/rpc/${method}.yaml describes a method, and reference/rpc/${method}.ts doesn't export ${method}`]),
    ...(has("checks", method)
      ? []
      : [`specs/rpc/${method}.yaml describes a method, and no ${method}.ts below contracts/ exports checks`]),
  ]);
}
