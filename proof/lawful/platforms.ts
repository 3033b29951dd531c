// Lawful platforms, judged as vendors over their public surface, with all that a target can give and with less

import { dataPlatform } from "../../contracts/shared/interface.ts";
import { type Feature, type RequirementId, requirementOf } from "../../harness/core/interface.ts";
import type { EngineOptions } from "../../harness/engine/options.ts";
import { shownObserved, shownVerdict } from "../../harness/model/shown.ts";
import { loadSuite } from "../../load/suite.ts";
import { changed } from "../../reference/platform/change.ts";
import { bothChanges, type Variant } from "../../reference/platform/mutant.ts";
import type { RuleChange } from "../../reference/platform/rules.ts";
import { type Balancer, findingsOfRun, inProcess, type RunFindings } from "../inProcess.ts";
import { oneKey, withoutControl } from "../targets.ts";
import { type TargetMember, withoutMember } from "./members.ts";

/** Several variants as one; of rules that two of them change the last one's count. */
export function lawfulTogether(id: string, variants: readonly Omit<Variant, "id">[]): Variant {
  const rules = variants.reduce<RuleChange>((sum, one) => changed(sum, one.rules), {});
  const answers = variants.flatMap(({ answer = [] }) => answer);
  return { id, rules, ...(answers.length > 0 ? { answer: answers.reduce(bothChanges) } : {}) };
}

/** How much of a target is given; by default all. */
interface Given {
  readonly isBare?: boolean;
  readonly lacks?: readonly TargetMember[];
}

/** What of a platform is judged; by default all, by whatever replica answers. */
interface Judging extends Given, Pick<EngineOptions, "observe"> {
  readonly offers?: readonly Feature[];
  readonly hasSchedules?: boolean;
  readonly balancer?: Balancer;
}

export interface JudgedPlatform extends RunFindings {
  readonly held: readonly RequirementId[];
}

/** Judges a platform by all checks, limits over time included, in virtual time. */
export async function judgedPlatform(variant: Variant, judgingGiven: Judging = {}): Promise<JudgedPlatform> {
  const { isBare = false, lacks = [], offers, hasSchedules = true, balancer, ...judging } = judgingGiven;
  const options = inProcess(loadSuite, variant, { hasSchedules, ...(balancer && { balancer }) });
  const full = { ...withoutControl(options.target, variant.rules?.rpc?.bundles), ...(offers && { offers }) };
  const { verdicts, observed } = await findingsOfRun({
    ...options,
    ...judging,
    target: lacks.reduce(withoutMember, isBare ? oneKey(full) : full),
    handshake: () => Promise.resolve({ protocol: "h2" }),
  });
  const held = verdicts.filter(({ verdict }) => verdict === "holds").map(({ id }) => id);
  return { verdicts, observed, held };
}

/** Other standards never fail a platform, nor do rows that always warn on a vendor, as replicas lag (amendment 1). */
export const isPromised = (id: RequirementId): boolean => {
  const { basis, onVendors } = requirementOf(dataPlatform, id);
  return basis !== "external" && onVendors !== "warn";
};

/** What a lawful platform must not produce: breaches but of other standards, and faults of ours. */
export const findingsIn = ({ verdicts, observed }: JudgedPlatform): readonly string[] => [
  ...verdicts
    .map(shownVerdict)
    .flatMap(({ id, verdict, reason, breaches }) =>
      (verdict === "broken" && isPromised(id)) || verdict === "inconclusive"
        ? [`${id} ${verdict}: ${reason ?? breaches.map(({ at, expected }) => `${at} must be ${expected}`).join("; ")}`]
        : [],
    ),
  ...observed.map(shownObserved).flatMap(({ id, defect, reason }) => (defect ? [`${id}: ${reason}`] : [])),
];
