// assay spec: the interface and the format of target files, as other tools read them.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Argument, Command } from "commander";
import { openApi } from "../specs/generated/openApiDocument.ts";
import { openRpc } from "../specs/generated/openrpc.ts";
import type { Invocation } from "./invocation.ts";
import { specDiffCommand } from "./specDiff.ts";

const targetSchema = fileURLToPath(new URL("../targets/target.schema.json", import.meta.url));

const json = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;

const documents: { readonly [name: string]: () => string } = {
  openapi: () => json(openApi),
  openrpc: () => json(openRpc),
  target: () => readFileSync(targetSchema, "utf8"),
};

export const specCommand = (invocation: Invocation): Command =>
  new Command("spec")
    .description("Print the interface as OpenAPI or OpenRPC, or the JSON Schema of target files.")
    .addArgument(new Argument("<document>").choices(Object.keys(documents)))
    .addHelpText("after", "\nExample:\n  npx assay spec target > target.schema.json")
    .action((name: string) => {
      invocation.stdout.write(documents[name]?.() ?? "");
    })
    .addCommand(specDiffCommand(invocation));
