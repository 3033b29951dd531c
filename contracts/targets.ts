// The form of target files for this interface: their schema, addresses, chain, and the money for bundles.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import type { Role } from "../harness/core/interface.ts";
import type { FileSchema } from "../harness/core/schema.ts";
import { Secret } from "../harness/core/secret.ts";
import { mayBeKeysIn } from "../harness/targets/bases.ts";
import type { ExtrasSource, TargetForm } from "../harness/targets/form.ts";
import type { HeldKey, TargetExtras } from "../harness/targets/target.ts";
import * as validators from "../specs/generated/targetValidators.js";
import { bundleMoney } from "./bundles/money.ts";
import { factsFor } from "./chainProfile.ts";
import { base58Bytes } from "./shared/base58.ts";
import { dataPlatform } from "./shared/interface.ts";

const schemaFile = fileURLToPath(new URL("../targets/target.schema.json", import.meta.url));

const schema = JSON.parse(readFileSync(schemaFile, "utf8")) as FileSchema;

export const targetForm: TargetForm = {
  interface: dataPlatform,
  schema,
  validator: (part) => validators[part],
  shownIn: "targets/target.schema.json and, as an example, in targets/example.yaml",
  readExtras: (source) => {
    checkAddresses(source);
    checkRoles(source);
    const facts = factsFor(source);
    const bundles = bundleMoney(source, facts.find(({ at }) => at === "/bundles/tipAccount")?.value);
    // Its schema has been applied, and load reads it.
    const load = source.document["load"] as TargetExtras["load"];
    const chain = bundles?.blockhashFrom;
    const undeclared =
      typeof chain === "string" ? mayBeKeysIn(chain).map((part) => new Secret("undeclared", part)) : [];
    const secrets = [bundles?.payer, chain, ...undeclared].filter((one) => one instanceof Secret);
    return { extras: { ...(load && { load }), ...(bundles && { bundles }) }, secrets, facts };
  },
};

/** @throws CommandLineError for a key whose project isn't what its role says */
function checkRoles({ file, keys }: ExtrasSource): void {
  const refuse = (role: Role, what: string): never => {
    throw new CommandLineError(
      `${file}: keys.${role} belongs to the project "${keys.get(role)?.projectName}", which ${what}. ` +
        "Name another project, or correct the entry under projects.",
    );
  };
  const { paid, free, adminOff, unbilled, second, other } = Object.fromEntries(keys) as Partial<Record<Role, HeldKey>>;
  if (paid && paid.project.plan !== "paid") refuse("paid", "is not on a paid plan");
  if (free && free.project.plan !== "free") refuse("free", "is not on a free plan");
  if (adminOff && adminOff.project.admin !== "disabled") refuse("adminOff", "doesn't have admin: disabled");
  if (unbilled && unbilled.project.billingData !== "missing") refuse("unbilled", "doesn't have billingData: missing");
  if (second && paid && second.projectName !== paid.projectName) refuse("second", "isn't the project of keys.paid");
  if (other && paid && other.projectName === paid.projectName) refuse("other", "is the project of keys.paid too");
}

/** Samples that aren't addresses, keys or hashes of 32 bytes. */
const otherSamples = ["domains", "landedBundles", "lamports"];

/** @throws CommandLineError for a sample that isn't 32 bytes in base58 */
function checkAddresses({ file, document }: ExtrasSource): void {
  const check = (place: string, value: unknown): void => {
    if (typeof value === "string" && base58Bytes(value)?.length !== 32)
      throw new CommandLineError(
        `${file}: ${place} isn't a valid address (${JSON.stringify(value)}): write its 32 bytes in base58.`,
      );
    if (typeof value !== "object" || value === null) return;
    for (const [name, member] of Object.entries(value))
      if (!otherSamples.includes(name)) check(`${place}.${name}`, member);
  };
  // Custom checks may have samples of their own.
  const known = Object.keys(schema.properties?.["samples"]?.properties ?? {});
  const given = Object.entries(document["samples"] ?? {}).filter(([name]) => known.includes(name));
  check("samples", Object.fromEntries(given));
}
