// JSON Schemas of our own files, compiled when they are first asked for.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { formedBy, type SchemaNode, type YamlFile } from "./yamlFile.ts";

/** The schema of a file's form. It is trusted: self-tests hold it against the schema of schemas. */
export interface FileSchema extends SchemaNode {
  readonly $id: string;
}

/** Checking a schema itself would take twice as long as compiling it, in every command. */
const ajv = new Ajv2020({
  allErrors: true,
  strict: false,
  meta: false,
  validateSchema: false,
  logger: false,
  // 4.35 is a multiple of 0.01.
  multipleOfPrecision: 9,
});

/**
 * The validator of a schema, or of the part of it at a pointer.
 * @param pointer a JSON pointer into the schema, from its root
 * @throws Error where there is no such part
 */
export function validatorOf<T>(schema: FileSchema, pointer = ""): ValidateFunction<T> {
  if (!ajv.schemas[schema.$id]) ajv.addSchema(schema);
  const validate = ajv.getSchema<T>(`${schema.$id}#${pointer}`);
  if (!validate) throw new Error(`${schema.$id} has no part ${pointer}`);
  return validate as ValidateFunction<T>;
}

/**
 * What a file holds.
 * @param shownIn where people find the form
 * @param part of `$defs`, where it isn't the whole schema
 * @throws CommandLineError with all that isn't of that form
 */
export function formed(yaml: YamlFile, schema: FileSchema, shownIn: string, part?: string): unknown {
  const pointer = part === undefined ? "" : `/$defs/${part}`;
  const root = part === undefined ? schema : { ...schema, $ref: `#${pointer}` };
  return formedBy(yaml, validatorOf(schema, pointer), root, shownIn);
}
