// Does each plan have its own limit: per second, in a burst, in a cycle? (§8)
import { groupsOf } from "./bursts.ts";
import { acrossPlans, plans } from "./experiments.ts";
import { brokenBy, heldBy, hidden, type Verdict } from "./limitVerdict.ts";
import { allServed, servesBetween } from "./rates.ts";
import { count, type Sample } from "./samples.ts";

/** The first that isn't as its plan says; else that of the last. */
export function plansApart<S extends Sample>(seen: readonly S[]): Verdict<S> {
  const [plain = [], larger = [], steady = [], within = [], after = []] = groupsOf(acrossPlans, seen).values();
  const { burst, perSecond } = plans.plain;
  const quota = plans["a quota"].quota;
  const verdicts = [
    servesBetween(plain, { least: burst, perSecond }),
    servesBetween(larger, { least: plans["a larger burst"].burst, perSecond }),
    allServed(steady, steady.length),
    servesBetween(within, { least: quota, perSecond: 0 }),
    usedUp(after),
  ];
  return verdicts.find(({ is }) => is === "broken") ?? verdicts.find(({ is }) => is !== "held") ?? heldBy(after[0]);
}

/** Nothing is served once the quota of a cycle is spent, however long one waits within the cycle. */
function usedUp<S extends Sample>(after: readonly S[]): Verdict<S> {
  const served = after.find(({ outcome }) => outcome === "served");
  if (served)
    return brokenBy(
      served,
      "nothing served beyond the quota of the cycle",
      `${count(after, "served")} of ${after.length} served`,
    );
  return count(after, "refused") > 0 ? heldBy(after[0]) : hidden("nothing was refused beyond the quota");
}
