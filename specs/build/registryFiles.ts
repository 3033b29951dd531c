// The generated registries: one file that imports what the files of a folder export.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { specsDir } from "./load.ts";
import { type Registry, registriesOf, stemOf } from "./registries.js";

/** One registry as TypeScript: a list, or by name. */
function registryFile(registryGiven: Registry): string {
  const { registry, of, exported, type, from, keys, isPartial, files } = registryGiven;
  const named = files.map((file) => ({
    file,
    local: keys ? stemOf(file) : file.replace(/\.ts$/, "").replaceAll(/[/.]/g, "_"),
  }));
  const imports = named.map(({ file, local }) => {
    const name = exported === "stem" ? stemOf(file) : exported;
    return `import { ${name}${name === local ? "" : ` as ${local}`} } from "../${file}";`;
  });
  const locals = named.map(({ local }) => local);
  const list = `readonly ${type}[] = [${locals.map((local) => `\n  ...${local},`).join("")}\n];`;
  const byName = `{ readonly [N in ${keys}]${isPartial ? "?" : ""}: ${type} } = { ${locals.join(", ")} };`;
  const names = keys ? [`import type { ${keys} } from "../../specs/generated/operations.ts";`] : [];
  return `// Made by \`npm run generate\` from ${of}/; not to be edited.
${[`import type { ${type} } from "${from}";`, ...names, ...imports].join("\n")}

export const ${registry}: ${keys ? byName : list}
`;
}

export function writeRegistries(): void {
  for (const registry of registriesOf(specsDir)) {
    const folder = join(specsDir, "..", registry.of, "generated");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${registry.registry}.ts`), registryFile(registry));
  }
}
