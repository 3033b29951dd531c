// The form of target files for this interface: their schema, and the money for bundles.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { FileSchema } from "../harness/core/schema.ts";
import type { TargetForm } from "../harness/target/form.ts";
import { bundleMoney } from "./bundles/money.ts";
import { dataPlatform } from "./shared/interface.ts";

const schemaFile = fileURLToPath(new URL("../targets/target.schema.json", import.meta.url));

export const targetForm: TargetForm = {
  interface: dataPlatform,
  schema: JSON.parse(readFileSync(schemaFile, "utf8")) as FileSchema,
  shownIn: "targets/target.schema.json and, as an example, in targets/example.yaml",
  readExtras: (source) => {
    const bundles = bundleMoney(source);
    return { extras: bundles ? { bundles } : {}, secrets: bundles?.payer ? [bundles.payer] : [] };
  },
};
