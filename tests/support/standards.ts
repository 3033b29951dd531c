// Validators of published formats, and the commands that GitHub's runner finds in a step's output.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Validator } from "@cfworker/json-schema";
import jsonMetaSchema from "@json-schema-tools/meta-schema";
import openRpcMetaSchema from "@open-rpc/meta-schema";
import { Ajv, type AnySchemaObject } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { parse } from "yaml";
import { read, root } from "./assay.ts";

const shipped = new Ajv2020({ allErrors: true, strict: true });
const reportForms = readdirSync(join(root, "reports")).filter((file) => file.endsWith(".schema.json"));
/** Those of reports, which refer to each other, by their files. */
const idsOfForms: ReadonlyMap<unknown, string> = new Map(
  reportForms.map((file) => {
    const schema = JSON.parse(read(`reports/${file}`)) as { readonly $id: string };
    shipped.addSchema(schema);
    return [`reports/${file}`, schema.$id];
  }),
);

/** Problems of a document by a schema of ours, in JSON or YAML. */
export function schemaProblems(schema: object | string, document: unknown): readonly unknown[] {
  const fits = shipped.getSchema(idsOfForms.get(schema) ?? "");
  if (fits) return fits(document) === true ? [] : (fits.errors ?? []);
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  const isValid = ajv.validate(typeof schema === "string" ? (parse(read(schema)) as object) : schema, document);
  return isValid ? [] : (ajv.errors ?? []);
}

/** A meta-schema without its own addresses, which ajv's draft 7 doesn't know. */
const plain = (module: unknown): AnySchemaObject => {
  const [schema] = Object.values(module as { readonly [name: string]: object }).filter(
    (one) => typeof one === "object" && "$schema" in one,
  );
  const { $schema: _, $id: __, ...rest } = schema as AnySchemaObject;
  return rest;
};

/** Problems of a document by the meta-schema of OpenRPC. */
export function openRpcProblems(document: unknown): readonly unknown[] {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.addSchema(plain(jsonMetaSchema), "https://meta.json-schema.tools/");
  ajv.addSchema(plain(jsonMetaSchema), "https://meta.json-schema.tools");
  const fits = ajv.compile(plain(openRpcMetaSchema));
  return fits(document) === true ? [] : (fits.errors ?? []);
}

/** The schema of an object with these members and no others. */
export const closed = (required: readonly string[], properties: object): object => ({
  type: "object",
  required,
  properties,
  additionalProperties: false,
});

const schemaOf = (name: string): object => JSON.parse(read(`tests/fixtures/standards/${name}.schema.json`)) as object;

const validators = {
  sarif: new Validator(schemaOf("sarif-2.1.0"), "4"),
  ctrf: new Validator(schemaOf("ctrf-0.0"), "7"),
};

/** Problems of a document by the published schema of its format. */
export const problemsOf = (format: keyof typeof validators, document: unknown): readonly string[] =>
  validators[format].validate(document).errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);

const entity = String.raw`&(?:amp|lt|gt|quot|apos|#\d+);`;
const attribute = ` [a-z-]+="(?:[^"<&]|${entity})*"`;
const token = new RegExp(
  [
    String.raw`<\?xml version="1\.0" encoding="UTF-8"\?>`,
    "</([a-z-]+)>",
    `<([a-z-]+)(?:${attribute})*(/?)>`,
    `(?:[^<&]|${entity})+`,
  ].join("|"),
  "uy",
);

/** What keeps a text from being well-formed XML 1.0 of elements, attributes and text; null where nothing does. */
export function xmlProblem(text: string): string | null {
  const forbidden = text.match(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
  if (forbidden) return `a character that XML forbids, at ${forbidden.index}`;
  const open: string[] = [];
  for (token.lastIndex = 0; token.lastIndex < text.length; ) {
    const at = token.lastIndex;
    const [, closed, opened, isEmpty]: readonly (string | undefined)[] = token.exec(text) ?? [undefined, "nothing"];
    if (closed !== undefined && open.pop() !== closed)
      return `nothing that XML allows, at ${at}: ${text.slice(at, at + 80)}`;
    if (opened !== undefined && isEmpty === "") open.push(opened);
  }
  return open.length ? `${open.join(", ")} left open` : null;
}

export interface Command {
  readonly name: string;
  readonly properties: { readonly [name: string]: string };
  readonly message: string;
}

const unescaped = (text: string): string => text.replace(/%(?:0D|0A|3A|2C|25)/g, (code) => decodeURIComponent(code));

/**
 * The workflow commands that GitHub's runner would obey: `::name properties::message` at the start of a line,
 * `##[name properties]message` anywhere in it.
 */
export function commandsIn(output: string): readonly Command[] {
  const obeyed: Command[] = [];
  let stopped: string | null = null;
  for (const line of output.split(/\r\n|\r|\n/)) {
    const [, name = "", given = "", message = ""] =
      line.match(/^\s*::([^\s:]+)(?: ([^:]*))?::(.*)$/) ?? line.match(/##\[([^\s\]]+)(?: ([^\]]*))?\](.*)$/) ?? [];
    if (name === "") continue;
    if (stopped !== null) {
      if (name === stopped) stopped = null;
      continue;
    }
    if (name === "stop-commands") stopped = message;
    else {
      const pairs = [...given.matchAll(/([^,=]*)=([^,]*)/g)].map(([, key = "", value = ""]) => [key, value] as const);
      const properties = Object.fromEntries(pairs.map(([key, value]) => [key, unescaped(value)]));
      obeyed.push({ name, message: unescaped(message), properties });
    }
  }
  return obeyed;
}
