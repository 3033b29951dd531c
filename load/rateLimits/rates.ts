// What does traffic below the limit say of it, and what does traffic far above it?
import { limit, window_ms } from "./experiments.ts";
import { brokenBy, heldBy, hidden, seconds, unclear, type Verdict } from "./limitVerdict.ts";
import { count, duration_ms, type Sample } from "./samples.ts";

/** How many, itself included, the limiter may have met within a window of this one, by the times that are known. */
const near = (one: Sample, seen: readonly Sample[]): number =>
  seen.filter(({ sent_ms, received_ms }) => received_ms > one.sent_ms - window_ms && sent_ms < one.received_ms + 1)
    .length;

/**
 * Traffic that never has more than the limit in any second: all of it is served.
 * What was bunched on its way says nothing.
 */
export function allServed<S extends Sample>(seen: readonly S[], most = limit): Verdict<S> {
  const refused = seen.filter(({ outcome }) => outcome === "refused" || outcome === "otherwise");
  const [first] = refused;
  if (first) {
    if (count(seen, "served") === 0) return hidden("nothing was served at all");
    const bunched = Math.max(...refused.map((one) => near(one, seen)));
    if (bunched > most) return unclear(`requests may have come in bunches of ${bunched}`);
    return brokenBy(first, `all ${seen.length} served`, `${refused.length} refused`);
  }
  const failures = count(seen, "failed");
  return failures > 0 ? unclear(`${failures} of ${seen.length} failed`) : heldBy(seen.at(-1));
}

/** No more than full windows can have served; whatever less is right, as a limiter may count what it refuses. */
export function withinWindows<S extends Sample>(seen: readonly S[]): Verdict<S> {
  const lasted_ms = duration_ms(seen);
  const most = limit * (Math.ceil(lasted_ms / window_ms) + 1);
  const served = count(seen, "served");
  const last = seen.findLast(({ outcome }) => outcome === "served");
  if (served > most) return brokenBy(last, `at most ${most} served in ${seconds(lasted_ms)}`, `${served} served`);
  if (served === 0) return hidden("nothing was served at all");
  const refused = seen.find(({ outcome }) => outcome === "refused" || outcome === "otherwise");
  const failures = count(seen, "failed");
  if (served + failures > most) return unclear(`${failures} of ${seen.length} failed`);
  return refused ? heldBy(refused) : hidden("nothing was refused");
}

/** One burst under a limit that is known: so many served, and no more than it earns meanwhile. */
export function servesBetween<S extends Sample>(
  burst: readonly S[],
  { least, perSecond }: { readonly least: number; readonly perSecond: number },
): Verdict<S> {
  const lasted_ms = duration_ms(burst);
  const most = least + Math.ceil((perSecond * lasted_ms) / 1000);
  const served = count(burst, "served");
  const failures = count(burst, "failed");
  const last = burst.findLast(({ outcome }) => outcome === "served");
  const refused = burst.find(({ outcome }) => outcome !== "served");
  const got = `${served} of ${burst.length} served`;
  if (served === 0) return hidden("nothing was served at all");
  if (most >= burst.length) return unclear(`a burst took ${seconds(lasted_ms)}, too long to meet the limit`);
  if (served > most) return brokenBy(last, `at most ${most} served in ${seconds(lasted_ms)}`, got);
  if (served + failures < least) return brokenBy(refused, `at least ${least} served`, got);
  return failures > 0 ? unclear(`${failures} of ${burst.length} failed`) : heldBy(refused);
}
