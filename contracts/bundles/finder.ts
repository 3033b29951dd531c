// Bundles that have landed: the plain ones that a run sends anyway, once they have a status (§2.5, §4.3)
import { Withheld } from "../../harness/core/outcomes.ts";
import type { Finder } from "../../harness/model/finder.ts";
import { landedIds, plainSends, readsOfLanded } from "./landed.ts";
import { feature, sending, statuses, unknownBundleIds } from "./requests.ts";

/** For the plan, until there are some. */
const [anyId = ""] = unknownBundleIds;

export const landedBundles: Finder = {
  feature,
  needs: sending([], plainSends, {
    requests: Array.from({ length: readsOfLanded }, (_, again) => statuses([[anyId]], { again })),
  }),
  stands: () => Object.fromEntries(plainSends.map((_, nth) => [`/samples/landedBundles/${nth}`, anyId])),
  find: async (context, wanted) => {
    const ids = await landedIds(context);
    if (ids.length === 0) throw new Withheld("none of our bundles landed within 90 s");
    return wanted.map((at, nth) => {
      const value = ids[nth];
      return value === undefined
        ? { at, by: "missing", value: null, how: `${ids.length} of our bundles landed within 90 s` }
        : { at, by: "found", value, how: "sent in this run" };
    });
  },
};
