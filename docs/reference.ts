// `npm run docs`: docs/cli.md from the commands' own help, and docs/targetFile.md from the schema of target files.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { followed, type SchemaNode } from "../harness/core/yamlFile.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const banner = "<!-- Made by `npm run docs`; not to be edited. -->";

const help = (command: readonly string[]): string =>
  execFileSync(process.execPath, [here("../cli/assay.js"), ...command, "--help"], { encoding: "utf8" }).trim();

/** Names under `Commands:`. */
const commandsIn = (text: string): readonly string[] =>
  [...(/\nCommands:\n([\s\S]*?)(?:\n\n|$)/.exec(text)?.[1] ?? "").matchAll(/^ {2}(\w+)/gm)].map(
    ([, name = ""]) => name,
  );

function sectionsOf(command: readonly string[]): readonly string[] {
  const text = help(command);
  const own = `${"#".repeat(command.length + 1)} ${["assay", ...command].join(" ")}\n\n\`\`\`text\n${text}\n\`\`\``;
  return [own, ...commandsIn(text).flatMap((name) => sectionsOf([...command, name]))];
}

export const cliPage = (): string => `${[banner, ...sectionsOf([])].join("\n\n")}\n`;

function formOf({ items, type = "", enum: values }: SchemaNode, root: SchemaNode): string {
  if (items) return `list of ${formOf(followed(items, root), root) || "values"}`;
  return values?.map((value) => `\`${String(value)}\``).join(", ") ?? [type].flat().join(" or ");
}

/** Rows of a field and of all fields in it. */
function rowsOf(name: string, given: SchemaNode, root: SchemaNode): readonly string[] {
  const field = followed(given, root);
  const { properties = {}, additionalProperties: any } = field.items ? followed(field.items, root) : field;
  const fields = [...Object.entries(properties), ...(typeof any === "object" ? [["…", any] as const] : [])];
  return [
    `| \`${name}\` | ${formOf(field, root)} | ${(field.description ?? "").replaceAll("|", "\\|")} |`,
    ...fields.flatMap(([member, one]) => rowsOf(`${name}.${member}`, one, root)),
  ];
}

export function targetPage(): string {
  const schema = JSON.parse(readFileSync(here("../targets/target.schema.json"), "utf8")) as SchemaNode;
  const all = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => rowsOf(name, field, schema));
  const intro = "`targets/example.yaml` shows them in use, and `npx assay spec target` prints the JSON Schema.";
  const table = ["| Field | Form | Means |", "|---|---|---|", ...all].join("\n");
  return `${[banner, "# Fields of target files", intro, table].join("\n\n")}\n`;
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(here("cli.md"), cliPage());
  writeFileSync(here("targetFile.md"), targetPage());
}
