// Enforcement and exit codes: what a breach leads to, and what a run ends with
import { expect, test } from "@playwright/test";
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { type Requirement, requirementOf } from "../../harness/core/interface.ts";
import type { Reason } from "../../harness/core/reason.ts";
import { type Enforced, enforcementOf, exitCodeOf, type Verdict } from "../../harness/model/verdict.ts";

const stated: Requirement = { ...requirementOf(dataPlatform, "USG-FLD-01"), basis: "explicit", enforce: "fail" };
const [implied, entailed] = [{ basis: "implied" } as const, { basis: "entailed" } as const];
const onlyWarnsOnVendors = { onVendors: "warn" } as const;

/** What a breach of a requirement leads to on a vendor, there with `--implied=fail`, and on the reference. */
const enforcements: readonly (readonly [
  what: string,
  change: Partial<Requirement>,
  onVendor: Enforced,
  impliedFails: Enforced,
  onReference: Enforced,
])[] = [
  ["stated by the interface", {}, "fail", "fail", "fail"],
  ["entailed", entailed, "fail", "fail", "fail"],
  ["implied", implied, "warn", "fail", "fail"],
  ["of another standard", { basis: "external" }, "warn", "warn", "warn"],
  ["only a warning on vendors", onlyWarnsOnVendors, "warn", "warn", "fail"],
  ["implied, and only a warning on vendors", { ...implied, ...onlyWarnsOnVendors }, "warn", "warn", "fail"],
  ["a warning anywhere", { enforce: "warn" }, "warn", "warn", "warn"],
  ["a note anywhere", { enforce: "note" }, "note", "note", "note"],
  ["a note of another standard", { basis: "external", enforce: "note" }, "note", "note", "note"],
];

test("a breach fails, warns or is a note by the basis of its requirement, on a vendor and on the reference", () => {
  const found = enforcements.map(([what, change]) => {
    const requirement = { ...stated, ...change };
    const [vendor, reference] = [{ isReference: false }, { isReference: true }];
    const own = [
      enforcementOf(requirement, vendor, false),
      enforcementOf(requirement, vendor, true),
      enforcementOf(requirement, reference, false),
    ];
    return [what, change, ...own];
  });
  expect(found).toEqual(enforcements);
});

const [strong, weak] = [{}, { warnsOnVendors: true }] as const;

/** Breaches, and what they lead to on a vendor, there with `--implied=fail`, and on the reference. */
const byBreaches: readonly (readonly [
  breaches: readonly { readonly warnsOnVendors?: true }[],
  onVendor: Enforced,
  impliedFails: Enforced,
  onReference: Enforced,
])[] = [
  [[], "fail", "fail", "fail"],
  [[strong], "fail", "fail", "fail"],
  [[weak], "warn", "fail", "fail"],
  [[weak, weak], "warn", "fail", "fail"],
  [[strong, weak], "fail", "fail", "fail"],
];

test("breaches that a lawful platform could show are a warning on a vendor, where there are no others", () => {
  const enforced = byBreaches.map(([breaches]) => [
    breaches,
    enforcementOf({ ...stated, ...entailed }, { isReference: false }, false, breaches),
    enforcementOf({ ...stated, ...entailed }, { isReference: false }, true, breaches),
    enforcementOf({ ...stated, ...entailed }, { isReference: true }, false, breaches),
  ]);
  expect(enforced).toEqual(byBreaches);
});

const made = (verdict: Verdict["verdict"], change: Partial<Verdict> = {}): Verdict => ({
  ...{ id: "USG-FLD-01", verdict, enforced: "fail", reasons: [], breaches: [], exchanges: [] },
  ...change,
});
const [holds, deviates, withheld, broken] = [made("holds"), made("deviates"), made("withheld"), made("broken")];
const without = (reason: Reason): Verdict =>
  made("holds", {
    narrowed: { axis: "key", tried: ["paid"], untried: [{ member: "a", reasons: [reason], inPart: false }] },
  });
const inPart = without({ kind: "noKey", role: "free", remedy: [] });
const beyond = without({ kind: "noControl", of: "a test project" });
const fixed = made("holds", { entry: { file: "acme.deviations.yaml", line: 3 }, enforced: "note" });
const inconclusive = made("inconclusive");
const isOther = { unselected: true } as const;

/** Verdicts of a run, with its exit code; that of a strict run, and that of a run that was cut short. */
const exitCodes: readonly (readonly [
  what: string,
  verdicts: readonly Verdict[],
  complete: number,
  strict: number,
  cutShort: number,
])[] = [
  ["nothing", [], 3, 3, 3],
  ["all hold", [holds, holds], 0, 0, 3],
  ["a known deviation alone", [deviates], 0, 0, 3],
  ["one holds, and one is withheld", [withheld, holds], 0, 0, 3],
  ["all are withheld", [withheld, withheld], 3, 3, 3],
  ["one of two is broken", [holds, broken], 1, 1, 1],
  ["one is broken, and one is inconclusive", [inconclusive, broken], 1, 1, 1],
  ["one is broken as a warning", [made("broken", { enforced: "warn" }), holds], 0, 0, 3],
  ["a warning alone", [made("broken", { enforced: "warn" })], 3, 3, 3],
  ["a note alone", [made("broken", { enforced: "note" })], 3, 3, 3],
  ["one of two is inconclusive", [holds, inconclusive], 3, 3, 3],
  ["one of two holds in part", [holds, inPart], 0, 3, 3],
  ["one holds, but for what no target shows", [holds, beyond], 0, 0, 3],
  ["a known deviation is fixed", [fixed], 0, 0, 3],
  ["a known deviation is fixed, which fails", [holds, { ...fixed, enforced: "fail" }], 1, 1, 1],
  ["others than the selected ones are broken", [holds, { ...broken, ...isOther }], 0, 0, 3],
  ["others than the selected ones are inconclusive", [holds, { ...inconclusive, ...isOther }], 0, 0, 3],
  ["only others than the selected ones hold", [withheld, { ...holds, ...isOther }], 3, 3, 3],
];

test("a run ends with 1 where something is broken, with 3 where nothing or not all was judged, else with 0", () => {
  const found = exitCodes.map(([what, verdicts]) => {
    const codes = [exitCodeOf(verdicts, true), exitCodeOf(verdicts, true, true), exitCodeOf(verdicts, false)];
    return [what, verdicts, ...codes];
  });
  expect(found).toEqual(exitCodes);
});
