// Checks of getBundleStatuses with ids that come twice, beside a known one and an unknown one (§4.3)
import type { Check, CheckContext } from "../../harness/model/check.ts";
import { inTurn } from "../shared/inTurn.ts";
import { idsLike } from "./bundleIds.ts";
import { landedId, scenario, statuses } from "./requests.ts";

const landed = statuses([[landedId(0)]]);

/**
 * How often a repeated id is answered is unspecified (OBS-BST-DUP); the others stand at their places all the same. Laws
 * judge it. A platform may refuse the list, or fail at it.
 */
async function repeatedIds({ ask, target }: CheckContext) {
  const [known = ""] = target.samples["landedBundles"] as readonly string[];
  const [unknown] = idsLike(known, 1) ?? [];
  const lists =
    unknown === undefined
      ? [[known, known]]
      : [
          [known, known, unknown],
          [known, unknown, known],
          [unknown, known, known],
          [unknown, unknown, known],
        ];
  await inTurn(lists, (ids, nth) => ask(statuses([ids], { id: 50 + nth })).catch(() => undefined));
  return [];
}

export const checks: readonly Check[] = [
  { ...scenario([], { requests: [landed], shows: ["BST-ALIGN-01"] }, repeatedIds), optional: true },
];
