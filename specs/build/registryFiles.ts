// The generated registries: one file that imports what the files of a folder export.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { specsDir } from "./load.ts";
import { type Registry, registriesOf, stemOf } from "./registries.js";

/** One registry as TypeScript: a list, or by the names of methods. */
function registryFile({ registry, of, exported, type, from, byMethod, files }: Registry): string {
  const named = files.map((file) => ({
    file,
    local: byMethod ? stemOf(file) : file.replace(/\.ts$/, "").replaceAll(/[/.]/g, "_"),
  }));
  const imports = named.map(({ file, local }) => {
    const name = exported === "stem" ? stemOf(file) : exported;
    return `import { ${name}${name === local ? "" : ` as ${local}`} } from "../${file}";`;
  });
  const locals = named.map(({ local }) => local);
  const byName = `{ ${locals.join(", ")} };`;
  const values = {
    list: `export const ${registry}: readonly ${type}[] = [${locals.map((local) => `\n  ...${local},`).join("")}\n];`,
    some: `export const ${registry}: { readonly [M in MethodName]?: ${type} } = ${byName}`,
    all: `const described: { readonly [M in MethodName]: ${type} } = ${byName}

export const ${registry}: ReadonlyMap<string, ${type}> = new Map(Object.entries(described));`,
  };
  const methodNames = byMethod ? [`import type { MethodName } from "../../specs/generated/operations.ts";`] : [];
  return `// Made by \`npm run generate\` from ${of}/; not to be edited.
${[`import type { ${type} } from "${from}";`, ...methodNames, ...imports].join("\n")}

${values[byMethod ?? "list"]}
`;
}

export function writeRegistries(): void {
  for (const registry of registriesOf(specsDir)) {
    const folder = join(specsDir, "..", registry.of, "generated");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${registry.registry}.ts`), registryFile(registry));
  }
}
