// Platforms of the proof: right ones that choose otherwise, several of them as one, and what is judged there
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { requirementOf } from "../../harness/core/interface.ts";
import { featuresAbout } from "../../proof/judgedFeatures.ts";
import { together as asOne, isPromised as isPromisedOf } from "../../proof/lawful/platforms.ts";
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
