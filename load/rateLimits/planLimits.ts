// The verdict on plans: each has its own limit per second, per burst and per cycle (§8)
import { groupsOf } from "./bursts.ts";
import { acrossPlans, planGroups, plans } from "./experiments.ts";
import { type LimitVerdict, limitBroken, limitHeld, withheld } from "./limitVerdict.ts";
import { allServed, servesBetween } from "./rates.ts";
import { countOutcomes, type Sample } from "./samples.ts";

/** The first group that breaks its plan; else the first that can't be judged; else held. */
export function plansApart<S extends Sample>(seen: readonly S[]): LimitVerdict<S> {
  const groups = groupsOf(acrossPlans, seen);
  const seenIn = (name: keyof typeof planGroups): readonly S[] => groups.get(planGroups[name]) ?? [];
  const beyondQuota = seenIn("beyondQuota");
  const { burst, perSecond } = plans.plain;
  const quota = plans["a quota"].quota;
  const verdicts = [
    servesBetween(seenIn("plain"), { least: burst, perSecond }),
    servesBetween(seenIn("larger"), { least: plans["a larger burst"].burst, perSecond }),
    allServed(seenIn("steady"), seenIn("steady").length),
    servesBetween(seenIn("withinQuota"), { least: quota, perSecond: 0 }),
    usedUp(beyondQuota),
  ];
  return (
    verdicts.find(({ is }) => is === "broken") ?? verdicts.find(({ is }) => is !== "held") ?? limitHeld(beyondQuota[0])
  );
}

/** Nothing is served once the quota of a cycle is spent, however long a caller waits within the cycle. */
function usedUp<S extends Sample>(after: readonly S[]): LimitVerdict<S> {
  const served = after.find(({ outcome }) => outcome === "served");
  const got = `${countOutcomes(after, "served")} of ${after.length} served`;
  if (served) return limitBroken(served, "nothing served beyond the quota of the cycle", got);
  return countOutcomes(after, "refused") > 0 ? limitHeld(after[0]) : withheld("nothing was refused beyond the quota");
}
