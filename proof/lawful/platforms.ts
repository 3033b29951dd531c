// Lawful platforms that differ from the reference wherever they may, judged over their public surface alone
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { suite } from "../../contracts/suite.ts";
import { type RequirementId, requirementOf } from "../../harness/core/interface.ts";
import type { Target } from "../../harness/target/target.ts";
import { landedBundles } from "../../reference/bundles/landed.ts";
import { type BundleChange, honestBundles } from "../../reference/platform/bundleRules.ts";
import { changed } from "../../reference/platform/change.ts";
import { both, type Variant } from "../../reference/platform/mutant.ts";
import type { RuleChange } from "../../reference/platform/rules.ts";
import { lacking, type Member } from "./lackingMembers.ts";
import { keysOf, type Outcome, outcomeOf, secure, type Trial } from "./probeSpecs.ts";
import { payingVendor } from "./vendorsInProcess.ts";

/** Several variants as one; of rules that two of them change the last one's count. */
export function together(id: string, variants: readonly Omit<Variant, "id">[]): Variant {
  const rules = variants.reduce<RuleChange>((sum, one) => changed(sum, one.rules), {});
  const answers = variants.flatMap(({ answer = [] }) => answer);
  return { id, rules, ...(answers.length > 0 ? { answer: answers.reduce(both) } : {}) };
}

/** A target with everything, consents included, of a vendor whose bundles have ids by these rules. */
const fullTarget =
  (change: BundleChange | undefined) =>
  (target: Target): Target => ({
    ...payingVendor({ offers: target.offers, allow: target.allow, quiet: true })(target),
    bases: { admin: secure, api: secure, rpc: secure },
    samples: {
      ...target.samples,
      landedBundles: landedBundles("", changed(honestBundles, change)).map(({ id }) => id),
    },
  });

/** A target with one key and its project's id. */
const poorTarget = (target: Target): Target => ({
  ...payingVendor({ offers: target.offers, perSecond: 1_000 })(target),
  bases: { admin: secure, api: secure, rpc: secure },
  samples: {},
  names: {},
  allow: [],
  quiet: false,
  keys: keysOf(target, "paid"),
});

/** How much of a target is given; by default all. */
interface Given {
  readonly isPoor?: boolean;
  readonly lacks?: readonly Member[];
}

/** Judges a platform, by default with a full target. */
export const judgedPlatform = (
  { id, ...change }: Variant,
  { isPoor = false, lacks = [], ...trial }: Partial<Trial> & Given = {},
): Promise<Outcome> =>
  outcomeOf({
    suite,
    observe: [],
    choice: { id, ...change },
    target: (target) => lacks.reduce(lacking, (isPoor ? poorTarget : fullTarget(change.rules?.rpc?.bundles))(target)),
    ...trial,
  });

/** Other standards never fail a platform, nor do rows that always warn on a vendor, as replicas lag (amendment 1). */
const isPromised = (id: RequirementId): boolean => {
  const { basis, onVendors } = requirementOf(dataPlatform, id);
  return basis !== "external" && onVendors !== "warn";
};

/** Findings that a lawful platform must not produce: breaches but of other standards, and faults of ours. */
export const findingsIn = ({ verdicts }: Outcome): readonly string[] =>
  verdicts.flatMap(({ id, verdict, reason, breaches }) =>
    (verdict === "broken" && isPromised(id)) || verdict === "inconclusive"
      ? [`${id} ${verdict}: ${reason ?? breaches.map(({ at, expected }) => `${at} must be ${expected}`).join("; ")}`]
      : [],
  );
