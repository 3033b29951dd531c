// Mutants of the reference through a client's recording: each breaks its requirement, lawful platforms none.
import { expect, test } from "@playwright/test";
import { lawfulVariants } from "../../proof/lawful/variants.ts";
import { benignVariants } from "../../reference/generated/benignVariants.ts";
import { mutants } from "../../reference/generated/mutants.ts";
import type { Variant } from "../../reference/platform/mutant.ts";
import type { MutantId } from "../../specs/generated/requirements.ts";
import { exchangedWith } from "../support/recordedClient.ts";
import { entriesIn, harEntry, harOf, judged } from "../support/recordings.ts";

/** What breaks in a HAR of an ordinary client of the reference, but for advice of other standards. */
async function brokenBy(variant?: Variant, isExact = false) {
  const { world, exchanged } = await exchangedWith(variant);
  const entries = await entriesIn(harOf(exchanged.map((one) => harEntry(one))));
  const { broken, judge, report } = await judged(
    entries.map((entry) => (isExact && !("unread" in entry) ? ({ ...entry, isExact } as const) : entry)),
    world.target,
  );
  return { report, broken: broken.filter((id) => judge.verdictOn(id).enforced === "fail") };
}

const one = (id: string, all: readonly Variant[]): Variant => {
  const variant = all.find((other) => other.id === id);
  if (!variant) throw new Error(`there is no ${id}`);
  return variant;
};

/** One of each API. */
const onPush: readonly string[] = ["USG-KEYS-02.no-webhooks", "TA-LIM-01.off-by-one", "BST-ELT-03.string"];

for (const id of [
  "USG-FLD-01.string",
  "USG-KEYS-02.no-webhooks",
  "CYC-NOW-01.previous-cycle",
  "CYC-BILL-01.object-on-free",
  "CRD-USE-01.prepaid-twice",
  "CRD-SUM-01.product-not-totalled",
  "TA-LIM-01.off-by-one",
  "TA-ELT-06.string",
  "NAP-MAP-01.drops-last",
  "CB-RES-01.value-string",
  "BST-ELT-03.string",
  "RPC-ENV-03.stringified",
  "RPC-ENV-05.message-missing",
  "ERR-ADM-403-01.plan-text",
  "ERR-CMP-32602.detail",
  "GEN-JSON-01.rpc-error-text-plain",
] as const satisfies readonly MutantId[])
  test(`${id} is found in a recording`, { tag: onPush.includes(id) ? [] : "@slow" }, async () => {
    const { broken } = await brokenBy(one(id, mutants));
    expect(broken).toContain(id.split(".")[0]);
  });

test("a mark before an answer is found where a proxy has seen it: recorders write one, too", {
  tag: "@slow",
}, async () => {
  const bom = one("GEN-JSON-03.bom", mutants);
  expect((await brokenBy(bom)).broken).toEqual([]);
  expect((await brokenBy(bom, true)).broken).toContain("GEN-JSON-03");
});

test("the honest reference breaks nothing, and nearly all of it is judged", async () => {
  const { broken, report } = await brokenBy();
  expect([broken, report.unjudged]).toEqual([[], [{ reason: "a server error (HTTP 500)", exchanges: 2 }]]);
  expect(report.operations.length).toBeGreaterThanOrEqual(8);
});

for (const [title, variants, tag] of [
  ["benign variant", benignVariants, ""],
  ["lawful variant", lawfulVariants, "@slow"],
] as const)
  test(`nor does any ${title}`, { tag: tag || [] }, async () => {
    const accused: string[] = [];
    for (const variant of variants) {
      const { broken } = await brokenBy(variant);
      if (broken.length > 0) accused.push(`${variant.id}: ${broken.join()}`);
    }
    expect(accused).toEqual([]);
  });
