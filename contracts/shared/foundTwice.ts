// A second look at a breach, which may have been a change between two requests.
import { Inconclusive } from "../../harness/core/outcomes.ts";
import type { Shown } from "../../harness/model/check.ts";

/**
 * What holds at once, or a breach that is found a second time.
 * @param see what was seen; `again` distinguishes the two attempts
 * @throws Inconclusive for this reason where it isn't found again
 */
export async function foundTwice(see: (again: number) => Promise<Shown>, otherwise: string): Promise<Shown> {
  const once = await see(0);
  if (once.finding.outcome === "held") return once;
  const twice = await see(1);
  if (twice.finding.outcome === "held") throw new Inconclusive(otherwise);
  return twice;
}
