// Bundles judged on a vendor, played by the reference: defects are found, and busy engines are no breach.
import { expect, test } from "@playwright/test";
import { suite } from "../../contracts/suite.ts";
import { Secret } from "../../harness/core/secret.ts";
import { Engine } from "../../harness/engine/engine.ts";
import type { Wire } from "../../harness/transport/wire.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { select } from "../../proof/mutants.ts";
import type { Variant } from "../../reference/platform/mutant.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";

const secret = "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi";

/** As a vendor's: without control, with a payer. */
async function verdictsOn(
  variant: Variant | undefined,
  only: readonly RequirementId[] | null,
  between: (wire: Wire) => Wire = (wire) => wire,
) {
  const { target, wire, ...rest } = inProcess(suite, variant);
  const { control: _, bundles, ...vendor } = target;
  if (!bundles) throw new Error("the target names no tip account");
  const judged = {
    ...vendor,
    isReference: false,
    offers: ["bundles"] as const,
    perSecond: 1000,
    bundles: { ...bundles, payer: new Secret("payer", secret) },
  };
  const verdicts = await new Engine({
    ...rest,
    wire: between(wire),
    target: judged,
    only,
    observe: [],
    impliedFails: true,
  }).run();
  return new Map(verdicts.map(({ id, verdict, reason }) => [id, { verdict, reason }]));
}

const found: readonly string[] = [
  "BND-LIM-01.limit-4",
  "BND-LIM-01.min-2",
  "BND-LIM-02.accepts-6",
  "BND-LIM-02.truncates",
  "BND-TIP-01.no-tip-ok",
  "BND-TIP-02.first-only",
  "BND-SIGN-01.unsigned-ok",
  "BND-SIGN-01.partial-ok",
  "BND-ENC-01.base64-as-base58",
  "BND-ENC-02.base58-unsupported",
  "BND-ENC-02.as-base64",
  "BND-ENC-03.default-base64",
  "BND-ENC-03.encoding-required",
  "BND-MEV-01.true-refused",
  "BND-REG-01.sgp-missing",
  "BND-REG-02.required",
  "BND-HASH-02.salted",
  "BND-HASH-03.over-messages",
  "BND-REQ-02.objects-ok",
  "BND-EMPTY-01.empty-ok",
  "BST-SIG-01.first-only",
  "BST-SLOT-02.request-slot",
  "SIM-EXIST-01.method-not-found",
];

for (const id of found) {
  test(`${id} is found on a vendor too`, async () => {
    const [mutant] = select([id]).mutants;
    const named = id.slice(0, id.indexOf(".")) as RequirementId;
    expect((await verdictsOn(mutant, [named])).get(named)?.verdict).toBe("broken");
  });
}

test("an honest vendor has no finding", async () => {
  const verdicts = await verdictsOn(undefined, null);
  expect([...verdicts].filter(([, { verdict }]) => verdict !== "holds" && verdict !== "withheld")).toEqual([]);
  expect([...verdicts].filter(([, { verdict }]) => verdict === "holds").length).toBeGreaterThan(45);
});

/** Refuses every so many bundles, for no reason that is shown. */
const busy =
  (every: number): ((wire: Wire) => Wire) =>
  (wire) => {
    let bundles = 0;
    return (request, signal) => {
      const body = typeof request.body === "string" ? request.body : "";
      if (!body.includes('"sendBundle"') || !/[\w+/=-]{86}/.test(body)) return wire(request, signal);
      bundles += 1;
      if (bundles % every !== 0) return wire(request, signal);
      const { id } = JSON.parse(body) as { readonly id: number };
      const refusal = JSON.stringify({
        jsonrpc: "2.0",
        id,
        error: { code: -32000, message: "The engine is congested" },
      });
      return Promise.resolve({
        status: 200,
        headers: [["content-type", "application/json"]],
        body: Buffer.from(refusal),
      });
    };
  };

test("an engine that is busy now and then is no breach", async () => {
  const verdicts = await verdictsOn(undefined, null, busy(9));
  expect([...verdicts].filter(([, { verdict }]) => verdict === "broken")).toEqual([]);
});

test("a bundle accepted at a second attempt is withheld with that reason", async () => {
  const verdicts = await verdictsOn(undefined, ["BND-REG-01"], busy(4));
  expect(verdicts.get("BND-REG-01")?.verdict).toBe("withheld");
  expect(verdicts.get("BND-REG-01")?.reason).toContain("accepted at a second attempt");
});
