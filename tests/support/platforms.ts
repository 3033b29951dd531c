// Platforms of the proof: right ones that choose otherwise, several of them as one, and what is judged there
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { requirementOf } from "../../harness/core/interface.ts";
import { askersOf, givensIn } from "../../harness/core/requestSpec.ts";
import type { Check } from "../../harness/model/check.ts";
import { featuresAbout } from "../../proof/judgedFeatures.ts";
import { members, withoutMember } from "../../proof/lawful/members.ts";
import { lawfulTogether as asOne, isPromised as isPromisedOf } from "../../proof/lawful/platforms.ts";
import { lawfulVariants } from "../../proof/lawful/variants.ts";
import { type Choice, type OfTarget, offering } from "./probeSpecs.ts";

type Id = Parameters<typeof isPromisedOf>[0];

export const together = (platforms: Parameters<typeof asOne>[1]): Choice => asOne("several as one", platforms);

/** Makes these lawful choices. @throws Error for one that there isn't */
export function lawfully(...ids: readonly string[]): Choice {
  const variants = ids.map((id) => {
    const variant = lawfulVariants.find((one) => one.id === id);
    if (!variant) throw new Error(`no lawful choice ${id}`);
    return variant;
  });
  const [first] = variants;
  return variants.length === 1 && first ? first : together(variants);
}

/** Whether a platform that breaks it is wrong: no other standard, and no row that only warns. */
export const isPromised = (id: string): boolean => isPromisedOf(id as Id);

/** Offers what checks of these requirements call. */
export const offeringAbout = (ids: readonly string[]): OfTarget => offering(...featuresAbout(ids));

export const sentenceOf = (id: string): string => requirementOf(dataPlatform, id as Id).sentence;

/** Samples, names and keys that a target gives, each by its pointer. */
export const givenMembers: readonly string[] = members;
export const without =
  (lacks: readonly string[]): OfTarget =>
  (target) =>
    lacks.reduce(withoutMember, target);

/** Whether a check asks for anything in the list or object that a member is in. */
export function mentions({ needs }: Check, member: string): boolean {
  const requestSpecs = [...needs.requests, ...(needs.generates?.each ?? [])];
  const [, part, name] = member.split("/");
  if (part !== "keys")
    return requestSpecs.flatMap(givensIn).some((pointer) => `${pointer}/`.startsWith(`/${part}/${name}/`));
  const owners: readonly (string | undefined)[] = ["paid", "other", "free"];
  return requestSpecs.flatMap(askersOf).some((asker) => asker === name || (asker === "owner" && owners.includes(name)));
}
