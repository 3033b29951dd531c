// assay generate: the TypeScript types of the spec that custom checks judge by.
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Command } from "commander";
import { typesSource } from "../custom/spec.ts";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import type { Invocation } from "./invocation.ts";
import { writeText } from "./writeText.ts";

export const generateCommand = (invocation: Invocation): Command =>
  new Command("generate")
    .description("Write the types of the spec that custom checks judge by, for assay.config.mjs and an editor.")
    .option("--out <file>", "file to write (default: next to the spec, as <name>.types.ts)")
    .addHelpText("after", "\nExample:\n  npx assay generate")
    .action((flags: GenerateFlags) => generate(invocation, flags));

interface GenerateFlags {
  readonly out?: string;
}

async function generate(invocation: Invocation, { out }: GenerateFlags): Promise<void> {
  const { custom } = invocation.project;
  if (!custom?.config.spec)
    throw new CommandLineError(
      "There is no assay.config.mjs with a spec beside this project's package.json. Write one, or name another with " +
        "--config.",
    );
  const spec = resolve(dirname(custom.file), custom.config.spec.file);
  const file = out ?? spec.replace(/(?:\.open(?:api|rpc))?\.(?:ya?ml|json)$/i, "").concat(".types.ts");
  const { default: openapiTS, astToString } = await import("openapi-typescript").catch((): never => {
    throw new CommandLineError(
      "Types are made by openapi-typescript, which isn't installed: npm i -D openapi-typescript typescript@5",
    );
  });
  const source = custom.spec.kind === "http" ? pathToFileURL(spec) : typesSource(custom.spec);
  const banner = `// Made by \`assay generate\` from ${custom.config.spec.file}; not to be edited.\n`;
  const types = await openapiTS(source, { silent: true }).catch((error: unknown): never => {
    throw new CommandLineError(`${spec} gives no types: ${(error as Error).message}. Fix it and retry.`);
  });
  writeText(file, banner + astToString(types));
  invocation.print(file);
}
