// The generated tables of the interface, which the engine receives as one value.
import { basename } from "node:path";
import type { Operation } from "./catalogue.ts";
import { filesIn, readYaml } from "./load.ts";

interface SecurityScheme {
  readonly in: "header" | "query";
  readonly name: string;
}

/** `apis`, `limits` and the like stand in specs/interface.yaml. */
export function tablesFile(operations: readonly Operation[]): string {
  const { apis, limits, renamable, meter, undocumentedRateCodes, newest } = readYaml("interface.yaml") as {
    readonly [name: string]: unknown;
  };
  const { components } = readYaml("openapi.yaml") as {
    readonly components: { readonly securitySchemes: { readonly [name: string]: SecurityScheme } };
  };
  const areas = Object.fromEntries(
    filesIn("requirements").map((file) => [basename(file, ".yaml"), (readYaml(file) as { title: string }).title]),
  );
  const carriers = Object.fromEntries(Object.values(components.securitySchemes).map((one) => [one.in, one.name]));
  const irreversible = operations.flatMap(({ id, irreversible: source }) => (source ? [JSON.stringify(id)] : []));
  return `
import { edition } from "./edition.ts";
import { observations } from "./observations.ts";
import { adminErrors, operations, rpcErrors } from "./operations.ts";
import { requirements } from "./requirements.ts";

/** An operation that can't be undone. */
export type IrreversibleId = ${irreversible.join(" | ") || "never"};

export const tables = {
  edition,
  requirements,
  unspecified: observations,
  operations,
  errorTables: { admin: adminErrors, ...rpcErrors },
  apis: ${JSON.stringify(apis)},
  carriers: ${JSON.stringify(carriers)},
  limits: ${JSON.stringify(limits)},
  renamable: ${JSON.stringify(renamable)},
  meter: ${JSON.stringify(meter)},
  undocumentedRateCodes: ${JSON.stringify(undocumentedRateCodes)},
} as const;

/** What each area of the register is about. */
export const areas = ${JSON.stringify(areas)} as const;

/** Figures by which an answer says how new it is, each with its JSON pointer. */
export const newest = ${JSON.stringify(newest)} as const;
`;
}
