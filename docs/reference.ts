// `npm run docs`: docs/cli.md from the commands' help, docs/targetFile.md from the schema; the package's name in texts.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { processSurroundings } from "../cli/invocation.ts";
import { main } from "../cli/main.ts";
import { followReference, type SchemaNode } from "../harness/core/yamlFile.ts";
import { writePackageName } from "./packageName.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const banner = "<!-- Made by `npm run docs`; not to be edited. -->";

async function helpOf(command: readonly string[]): Promise<string> {
  let help = "";
  const stdout = { write: (text: string) => void (help += text) };
  await main([...command, "--help"], { ...processSurroundings("assay.js"), stdout, cwd: here("..") });
  return help.trim();
}

/** Names under `Commands:`. */
const commandsIn = (text: string): readonly string[] =>
  [...(/\nCommands:\n([\s\S]*?)(?:\n\n|$)/.exec(text)?.[1] ?? "").matchAll(/^ {2}(\w+)/gm)].map(
    ([, name = ""]) => name,
  );

async function sectionsOf(command: readonly string[]): Promise<readonly string[]> {
  const text = await helpOf(command);
  const own = `${"#".repeat(command.length + 1)} ${["assay", ...command].join(" ")}\n\n\`\`\`text\n${text}\n\`\`\``;
  const sections = [own];
  for (const name of commandsIn(text)) sections.push(...(await sectionsOf([...command, name])));
  return sections;
}

export const cliPage = async (): Promise<string> => `${[banner, ...(await sectionsOf([]))].join("\n\n")}\n`;

function formOf({ items, type = "", enum: values }: SchemaNode, root: SchemaNode): string {
  if (items) return `list of ${formOf(followReference(items, root), root) || "values"}`;
  return values?.map((value) => `\`${String(value)}\``).join(", ") ?? [type].flat().join(" or ");
}

/** Rows of a field and of all fields in it. */
function rowsOf(name: string, given: SchemaNode, root: SchemaNode): readonly string[] {
  const field = followReference(given, root);
  const { properties = {}, additionalProperties: any } = field.items ? followReference(field.items, root) : field;
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
  writeFileSync(here("cli.md"), await cliPage());
  writeFileSync(here("targetFile.md"), targetPage());
  writePackageName();
}
