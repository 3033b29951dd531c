// Bundles judged on a vendor, played by the reference: defects are found, and busy engines are no breach.
import { expect, test } from "@playwright/test";
import { suite } from "../../contracts/suite.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { type Between, type Choice, outcomeOf } from "../support/probeSpecs.ts";
import { answering, enveloped, isBundle, payingVendor } from "../support/vendorsInProcess.ts";
import { idsIn, requirementOf, variantNamed } from "../support/wallets.ts";

/** As a vendor's: without control, with a payer. */
const judged = (only: readonly RequirementId[] | null, between?: Between, choice?: Choice) =>
  outcomeOf({ suite, only, between, choice, observe: [], impliedFails: true, target: payingVendor() });

const found = idsIn(`
  BND-LIM-01.limit-4 BND-LIM-01.min-2 BND-LIM-02.accepts-6 BND-LIM-02.truncates BND-TIP-01.no-tip-ok
  BND-TIP-02.first-only BND-SIGN-01.unsigned-ok BND-SIGN-01.partial-ok BND-ENC-01.base64-as-base58
  BND-ENC-02.base58-unsupported BND-ENC-02.as-base64 BND-ENC-03.default-base64 BND-ENC-03.encoding-required
  BND-MEV-01.true-refused BND-REG-01.sgp-missing BND-REG-02.required BND-HASH-02.salted BND-HASH-03.over-messages
  BND-REQ-02.objects-ok BND-EMPTY-01.empty-ok BST-SIG-01.first-only BST-SLOT-02.request-slot
  SIM-EXIST-01.method-not-found
`);

for (const id of found) {
  test(`${id} is found on a vendor too`, async () => {
    const named = requirementOf(id);
    expect((await judged([named], undefined, variantNamed(id))).broken).toContain(named);
  });
}

test("an honest vendor has no finding", async () => {
  const { verdicts, held } = await judged(null);
  expect(verdicts.filter(({ verdict }) => verdict !== "holds" && verdict !== "withheld")).toEqual([]);
  expect(held.length).toBeGreaterThan(45);
});

/** Refuses every so many bundles, for no reason that is shown. */
const busy = (every: number): Between => {
  let bundles = 0;
  return answering((request) => {
    if (!isBundle(request)) return null;
    bundles += 1;
    const error = { code: -32000, message: "The engine is congested" };
    return bundles % every === 0 ? enveloped(request, { error }) : null;
  });
};

test("an engine that is busy now and then is no breach", async () => {
  expect((await judged(null, busy(9))).broken).toEqual([]);
});

test("a bundle accepted at a second attempt is withheld with that reason", async () => {
  const { verdicts } = await judged(["BND-REG-01"], busy(4));
  expect(verdicts.filter(({ id }) => id === "BND-REG-01")).toMatchObject([
    { verdict: "withheld", reason: expect.stringContaining("accepted at a second attempt") as unknown },
  ]);
});
