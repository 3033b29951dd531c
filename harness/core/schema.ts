// JSON Schemas of our own files, compiled when they are first asked for.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

/** A schema of a file's form. It is trusted: self-tests hold it against the schema of schemas. */
export interface FileSchema {
  readonly $id: string;
}

const compiled = new WeakMap<FileSchema, Map<string, ValidateFunction>>();

/**
 * The validator of a schema, or of the part of it at a pointer.
 * @param pointer a JSON pointer into the schema, from its root
 */
export function validatorOf<T>(schema: FileSchema, pointer = ""): ValidateFunction<T> {
  const parts = compiled.get(schema) ?? new Map<string, ValidateFunction>();
  compiled.set(schema, parts);
  // Checking the schema itself would take twice as long as compiling it, in every command.
  const ajv = new Ajv2020({ allErrors: true, strict: false, meta: false, validateSchema: false });
  const validate = parts.get(pointer) ?? ajv.addSchema(schema).compile({ $ref: `${schema.$id}#${pointer}` });
  parts.set(pointer, validate);
  return validate as ValidateFunction<T>;
}
