// What files register by exporting it, in plain JavaScript: the launcher asks before TypeScript can run.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** Where the types of what is registered are declared, as seen from a generated file. */
const declaredIn = {
  Check: "../../harness/model/check.ts",
  Law: "../../harness/model/law.ts",
  Probe: "../../harness/model/probe.ts",
  Ask: "../shared/requestSpecs.ts",
  Mutant: "../platform/mutant.ts",
  AlsoBroken: "../platform/mutant.ts",
  BenignVariant: "../platform/mutant.ts",
  ServedMethod: "../rpc/method.ts",
  RefusalsByCause: "../errors/causes.ts",
};

/** One generated file each: what the files of a folder export under that name. */
const kinds = [
  { registry: "checks", of: "contracts", type: "Check" },
  { registry: "laws", of: "contracts", type: "Law" },
  { registry: "probes", of: "contracts", type: "Probe" },
  { registry: "baseline", of: "contracts", type: "Ask", keys: "MethodName", isPartial: true },
  { registry: "properties", of: "property", type: "Check" },
  { registry: "rates", of: "load", exported: "checks", type: "Check" },
  { registry: "limitProbes", of: "load", exported: "probes", type: "Probe" },
  { registry: "mutants", of: "reference", type: "Mutant" },
  { registry: "alsoBroken", of: "reference", type: "AlsoBroken" },
  { registry: "benignVariants", of: "reference", type: "BenignVariant" },
  // Each under the name of its file, which is the method's.
  { registry: "methods", of: "reference", exported: "stem", type: "ServedMethod", keys: "MethodName" },
  { registry: "refusals", of: "reference", type: "RefusalsByCause", keys: "ErrorTable" },
];

/** Paths in the order of their names, without generated files. */
export const filesBelow = (folder, wanted) =>
  readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === "generated" ? [] : filesBelow(path, wanted);
      return wanted.test(entry.name) ? [path] : [];
    });

export const stemOf = (file) => basename(file, ".ts");

const methodsIn = (specsDir) => readdirSync(join(specsDir, "rpc")).map((file) => basename(file, ".yaml"));

const errorTablesIn = (specsDir) => [
  ...new Set(
    methodsIn(specsDir).flatMap((method) => {
      const text = readFileSync(join(specsDir, "rpc", `${method}.yaml`), "utf8");
      return text.match(/(?<=^x-errors: )\w+/m) ?? [];
    }),
  ),
];

/** Each file's path below the folder, and the names of the constants that it exports. */
const exportsIn = (folder) =>
  filesBelow(folder, /\.ts$/).map((path) => {
    const exported = readFileSync(path, "utf8").matchAll(/^export const (\w+)/gm);
    return { file: path.slice(folder.length + 1), names: new Set(Array.from(exported, ([, name]) => name)) };
  });

/** With paths below the folder, in the order of their names. */
export function registriesOf(specsDir) {
  const known = { MethodName: new Set(methodsIn(specsDir)), ErrorTable: new Set(errorTablesIn(specsDir)) };
  const filesOf = new Map(
    [...new Set(kinds.map(({ of }) => of))].map((of) => [of, exportsIn(join(specsDir, "..", of))]),
  );
  return kinds.map(({ exported, ...kind }) => {
    const name = exported ?? kind.registry;
    const registers = ({ file, names }) =>
      names.has(name === "stem" ? stemOf(file) : name) && (!kind.keys || known[kind.keys].has(stemOf(file)));
    return {
      ...kind,
      exported: name,
      from: declaredIn[kind.type],
      files: filesOf
        .get(kind.of)
        .filter(registers)
        .map(({ file }) => file),
    };
  });
}

/** One line for each file that a method or an error table lacks. */
export function unregisteredIn(specsDir) {
  const registries = registriesOf(specsDir);
  const lacking = (registry, name, problem) =>
    registries.some((one) => one.registry === registry && one.files.some((file) => stemOf(file) === name))
      ? []
      : [problem];
  const ofMethod = (method) => `specs/rpc/${method}.yaml describes a method, and`;
  return [
    ...methodsIn(specsDir).flatMap((method) => [
      ...lacking("methods", method, `${ofMethod(method)} reference/rpc/${method}.ts doesn't export ${method}`),
      ...lacking("checks", method, `${ofMethod(method)} no ${method}.ts below contracts/ exports checks`),
    ]),
    ...errorTablesIn(specsDir).flatMap((table) =>
      lacking(
        "refusals",
        table,
        `methods refuse by the error table ${table}, and reference/errors/${table}.ts doesn't export refusals`,
      ),
    ),
  ];
}

/** Whether each registry has been generated. */
export const areRegistriesThere = (specsDir) =>
  kinds.every(({ of, registry }) => existsSync(join(specsDir, "..", of, "generated", `${registry}.ts`)));
