// The unmet needs of a request, a check or a probe on a target.
import { type Feature, operationOf, unspecifiedBehaviour } from "../core/interface.ts";
import { noConsent, noMember, type UnmetNeed } from "../core/reason.ts";
import { askersOf, calledBy, givensIn, type PathPart, type RequestSpec } from "../core/requestSpec.ts";
import { givenAt } from "../core/template.ts";
import type { Check, Needs } from "../model/check.ts";
import type { Probe } from "../model/probe.ts";
import type { Suite } from "../model/suite.ts";
import { type Consent, keyOf, type Target } from "../targets/target.ts";

export interface UnmetNeedOptions {
  /** Why no schedule can be sent; null or left out where it can. */
  readonly withoutSchedules?: UnmetNeed | null;
}

const unmetConsent = (consent: Consent, { allow }: Target): UnmetNeed | null =>
  allow.includes(consent) ? null : noConsent(consent);

/** @param of what is under control where it can be tested */
export const notFromOutside = (of = "a test project"): UnmetNeed => ({ kind: "noControl", of });

/** All that keeps a request spec from being sent to a target. */
function unmetNeedsOf(requestSpec: RequestSpec, target: Target): readonly UnmetNeed[] {
  const { api, path } = requestSpec;
  const unmet: UnmetNeed[] = target.bases[api] ? [] : [{ kind: "noBase", api, remedy: [{ at: `/bases/${api}` }] }];
  const called = operationOf(target.interface, calledBy(requestSpec, target.interface));
  if (called?.irreversible && !target.isReference) unmet.push(...listed(unmetConsent(called.id as Consent, target)));
  for (const asker of askersOf(requestSpec)) {
    const role = asker === "owner" || asker === "bystander" ? (target.interface.askers.owner[0] ?? asker) : asker;
    const key = keyOf(target, asker);
    const isId = (part: PathPart): boolean =>
      typeof part === "object" && Object.values(part).includes(asker) && ("projectOf" in part || "nearIdOf" in part);
    if (!key) unmet.push({ kind: "noKey", role, remedy: [{ at: `/keys/${role}` }] });
    else if (path.some(isId) && !key.project.id) {
      const { projectName: project } = key;
      unmet.push({ kind: "noProjectId", project, remedy: [{ at: `/projects/${project}/id` }] });
    }
  }
  for (const pointer of givensIn(requestSpec))
    if (givenAt(target, pointer) === undefined) unmet.push(noMember(pointer));
  return unmet;
}

const listed = (lack: UnmetNeed | null): readonly UnmetNeed[] => (lack ? [lack] : []);

const firstOf = ([lack]: readonly UnmetNeed[]): UnmetNeed | null => lack ?? null;

/** Why a request spec can't be sent to a target; null where it can. */
export const unmetNeedOf = (requestSpec: RequestSpec, target: Target): UnmetNeed | null =>
  firstOf(unmetNeedsOf(requestSpec, target));

/** The auth sanity checks of some features, as far as the target has what they need. */
export const sanityChecksFor = (
  { authSanityChecks }: Pick<Suite, "authSanityChecks">,
  features: readonly Feature[],
  target: Target,
): Suite["authSanityChecks"] =>
  authSanityChecks.filter(
    (one) => one.features.some((feature) => features.includes(feature)) && unmetNeedOf(one.owner, target) === null,
  );

/** What a target lacks besides what requests need. */
function otherUnmetNeeds(
  { consent, control, unless, schedules }: Needs,
  target: Target,
  options: UnmetNeedOptions,
): readonly UnmetNeed[] {
  const isControlled = !control || target.control;
  const unmet = [
    isControlled ? null : notFromOutside(control.of),
    consent === undefined ? null : unmetConsent(consent, target),
    unless?.(target) ?? null,
  ].filter((lack) => lack !== null);
  const generator = unmet.length === 0 && schedules ? options.withoutSchedules : null;
  return generator ? [generator] : unmet;
}

/** All that keeps a check from being tried, as far as it is known; what its requests need comes first. */
export const unmetNeedsOfCheck = (
  { needs }: Pick<Check, "needs">,
  target: Target,
  options: UnmetNeedOptions = {},
): readonly UnmetNeed[] => [
  ...[...needs.requests, ...(needs.generates?.each ?? [])].flatMap((requestSpec) => unmetNeedsOf(requestSpec, target)),
  ...otherUnmetNeeds(needs, target, options),
];

/** Why a check can't be tried, as far as it is known; null where it can. */
export const unmetNeedOfCheck = (
  check: Pick<Check, "needs">,
  target: Target,
  options: UnmetNeedOptions,
): UnmetNeed | null => firstOf(unmetNeedsOfCheck(check, target, options));

/** The features that a request spec is about: that of the operation that it calls, else all of its API. */
function featuresAbout(requestSpec: RequestSpec, { interface: tables }: Target): readonly Feature[] {
  const called = operationOf(tables, calledBy(requestSpec, tables));
  if (called) return [called.feature];
  return [...new Set(tables.operations.filter(({ api }) => api === requestSpec.api).map(({ feature }) => feature))];
}

const isOffered = (requestSpec: RequestSpec, target: Target, doubted: readonly Feature[] = []): boolean =>
  featuresAbout(requestSpec, target).some((one) => target.offers.includes(one) && !doubted.includes(one));

/**
 * Why a probe doesn't send a request spec; null where it does.
 * @param doubted features that failed their auth sanity checks
 */
export const unmetNeedToObserve = (
  requestSpec: RequestSpec,
  target: Target,
  doubted: readonly Feature[] = [],
): UnmetNeed | null =>
  isOffered(requestSpec, target, doubted)
    ? unmetNeedOf(requestSpec, target)
    : { kind: "notOffered", what: featuresAbout(requestSpec, target)[0] ?? `anything on ${requestSpec.api}` };

/** What a target must allow before a probe of that safety class runs. */
function consentsFor(safety: string, { interface: tables }: Target): readonly Consent[] {
  if (safety === "throttle") return ["throttle"];
  if (safety === "paid") return ["paidProbes"];
  // What can't be undone is allowed operation by operation.
  const isIrreversible = safety === "irreversible";
  return isIrreversible ? tables.operations.flatMap((one) => (one.irreversible ? [one.id as Consent] : [])) : [];
}

export function unmetNeedOfProbe(probe: Probe, target: Target, options: UnmetNeedOptions): UnmetNeed | null {
  const { safety } = unspecifiedBehaviour(target.interface, probe.id);
  const { unless, ...needs } = probe.needs;
  const other = unless?.(target) ?? null;
  if (other !== null) return other;
  if (safety === "white" && !target.isReference && !target.control)
    return notFromOutside(needs.control ? needs.control.of : "control over the platform");
  const consents = probe.isPaidFor && safety === "paid" ? [] : consentsFor(safety, target);
  const refused = consents.map((consent) => unmetConsent(consent, target)).find((lack) => lack !== null);
  if (refused !== undefined) return refused;
  const lack = firstOf(otherUnmetNeeds(needs, target, options));
  if (lack !== null) return lack;
  // That a feature isn't offered is the last reason to be given.
  const requests = [...needs.requests].sort((a, b) => Number(isOffered(b, target)) - Number(isOffered(a, target)));
  const unmet = requests.map((requestSpec) => unmetNeedToObserve(requestSpec, target));
  const isAny = probe.suffices === "any";
  const isEnough = isAny ? unmet.length === 0 || unmet.includes(null) : unmet.every((one) => one === null);
  return isEnough ? null : (unmet.find((one) => one !== null) ?? null);
}
