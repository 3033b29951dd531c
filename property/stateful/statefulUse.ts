// Stateful test of use: any commands in any order, compared with the model (§1, §2, §4, §5)
import { mayNotSend } from "../../contracts/bundles/requests.ts";
import { notQuiet } from "../../contracts/metering/chargePace.ts";
import { controlOf } from "../../contracts/shared/control.ts";
import { balances } from "../../contracts/wallet/requests.ts";
import type { Scale } from "../../harness/core/generation.ts";
import { type UnmetNeed } from "../../harness/core/reason.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import { unmetNeedOf } from "../../harness/engine/unmetNeeds.ts";
import type { Check } from "../../harness/model/check.ts";
import type { Target } from "../../harness/targets/target.ts";
import { features } from "../../specs/generated/operations.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { baselineOf } from "../arbitraries/envelopes.ts";
import { propertyOf } from "../property.ts";
import type { CaseSource } from "../trial.ts";
import { ChargeWait } from "./chargeWait.ts";
import { isPossible, type ModelCommand, modelMethods, useCommands } from "./command.ts";
import { begun, type ModelState } from "./state.ts";
import { type Steps, statefulTest } from "./statefulTest.ts";
import { UseRunner } from "./useRunner.ts";

const bySubject: readonly (readonly RequirementId[])[] = [
  ["MET-REQ-01", "MET-WAL-01", "MET-WAL-02", "MET-CMP-01", "MET-SCOPE-01", "MET-SCOPE-02"],
  ["CRD-ROUND-01", "CRD-USE-02", "CRD-PRE-01", "CRD-SCOPE-01", "CRD-SCOPE-02", "CYC-ANCH-01"],
  ["BST-ALIGN-01", "BST-NULL-01", "BST-SLOT-02"],
  ["AUTH-ADM-HDR-01", "AUTH-ADM-QRY-01", "AUTH-ADM-OWN-01", "AUTH-ADM-OWN-04"],
  ["AUTH-ADM-MISS-01", "AUTH-ADM-UNKN-01"],
  ["AUTH-WAL-HDR-01", "AUTH-WAL-QRY-01", "AUTH-WAL-MISS-01", "AUTH-RPC-QRY-01", "AUTH-IP-01", "WAL-FREE-01"],
];

/** Requirements that a sequence can break although each request alone is answered well. */
export const ids = bySubject.flat();

/** Commands of a sequence and bundles that it sends, at most. */
const longest: { readonly [S in Scale]: number } = { many: 80, some: 12, few: 0 };
const mostBundles: { readonly [S in Scale]: number } = { many: 12, some: 4, few: 0 };
const cases = { many: 75, some: 6, few: 0 } as const;

export function sourceFor(scale: Scale): CaseSource<Steps<ModelCommand, ModelState>> {
  const chargeWait = new ChargeWait(scale);
  return statefulTest<ModelCommand, ModelState>({
    commands: useCommands,
    longest: longest[scale],
    begun,
    isPossible: (command, state) => isPossible(command, state, mostBundles[scale]),
    runnerOn: (context) => new UseRunner(context, chargeWait),
  });
}

const requests: readonly RequestSpec[] = [balances(), ...modelMethods.map((method) => baselineOf(method).ask())];

/** Any command may occur, so that the target must offer all features, and give what requests are made of. */
export function notAll(target: Target): UnmetNeed | null {
  const lacking = features.filter((feature) => !target.offers.includes(feature));
  if (lacking.length) return { kind: "notOffered", what: lacking.join(", ") };
  const lacks = requests.map((requestSpec) => unmetNeedOf(requestSpec, target)).find((lack) => lack !== null);
  return lacks ?? mayNotSend(target) ?? notQuiet(target);
}

const sends = { calls: cases.some * mostBundles.some, payments: cases.some * mostBundles.some };

export const properties: readonly Check[] = [
  propertyOf(ids, ({ generation }) => sourceFor(generation.scale), {
    name: "statefulUse",
    feature: "usage",
    control: { reads: cases.some * longest.some, of: controlOf.billing },
    unless: notAll,
    sends,
    cases,
  }),
];
