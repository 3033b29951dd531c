// The generated tables of the interface, which the engine receives as one value.
import { basename } from "node:path";
import type { CatalogueOperation } from "./catalogue.ts";
import { filesIn, readYaml } from "./load.ts";

interface SecurityScheme {
  readonly in: "header" | "query";
  readonly name: string;
}

/** `apis`, `limits`, `roles` and the like stand in specs/interface.yaml. */
export function tablesFile(operations: readonly CatalogueOperation[]): string {
  const {
    newest,
    areas: ofObservations,
    ...stated
  } = readYaml("interface.yaml") as {
    readonly [name: string]: unknown;
    readonly areas: { readonly [area: string]: string };
    readonly roles: readonly { readonly name: string }[];
  };
  const { components } = readYaml("openapi.yaml") as {
    readonly components: { readonly securitySchemes: { readonly [name: string]: SecurityScheme } };
  };
  const areas: { readonly [area: string]: string } = {
    ...ofObservations,
    ...Object.fromEntries(
      filesIn("requirements").map((file) => [basename(file, ".yaml"), (readYaml(file) as { title: string }).title]),
    ),
  };
  const [nameless] = filesIn("observations").filter((file) => areas[basename(file, ".yaml")] === undefined);
  if (nameless !== undefined) throw new Error(`${nameless}: say under areas in specs/interface.yaml what it is about`);
  const carriers = Object.fromEntries(Object.values(components.securitySchemes).map((one) => [one.in, one.name]));
  const members = Object.entries(stated).map(([name, value]) => `  ${name}: ${JSON.stringify(value)},`);
  const irreversible = operations.flatMap(({ id, irreversible: source }) => (source ? [JSON.stringify(id)] : []));
  return `
import { edition } from "./edition.ts";
import { observations } from "./observations.ts";
import { adminErrors, operations, rpcErrors } from "./operations.ts";
import { requirements } from "./requirements.ts";

/** An operation that can't be undone. */
export type IrreversibleId = ${irreversible.join(" | ") || "never"};

/** Names of keys in a target file. */
export type Role = ${stated.roles.map(({ name }) => JSON.stringify(name)).join(" | ")};

export const tables = {
  edition,
  requirements,
  unspecified: observations,
  operations,
  errorTables: { admin: adminErrors, ...rpcErrors },
  carriers: ${JSON.stringify(carriers)},
${members.join("\n")}
} as const;

/** What each area of requirements and of unspecified behaviours is about. */
export const areas = ${JSON.stringify(areas)} as const;

/** Figures by which an answer says how new it is, each with its JSON pointer. */
export const newest = ${JSON.stringify(newest)} as const;
`;
}
