// Verdicts on steady rates below and far above a limit, and on one burst
import { limit, window_ms } from "./experiments.ts";
import { brokenBy, heldBy, inconclusive, seconds, type Verdict, withheld } from "./limitVerdict.ts";
import { count, duration_ms, type Sample } from "./samples.ts";

/** How many requests, this one included, may have arrived within one window of it, by what their times allow. */
const near = (sample: Sample, seen: readonly Sample[]): number =>
  seen.filter(
    ({ sent_ms, received_ms }) => received_ms > sample.sent_ms - window_ms && sent_ms < sample.received_ms + 1,
  ).length;

/** Requests that never exceed the limit in any second are all served; those bunched by the network prove nothing. */
export function allServed<S extends Sample>(seen: readonly S[], most = limit): Verdict<S> {
  const refused = seen.filter(({ outcome }) => outcome === "refused" || outcome === "undocumented");
  const [first] = refused;
  if (first) {
    if (count(seen, "served") === 0) return withheld("nothing was served at all");
    const bunched = Math.max(...refused.map((one) => near(one, seen)));
    if (bunched > most) return inconclusive(`requests may have arrived in bunches of ${bunched}`);
    return brokenBy(first, `all ${seen.length} served`, `${refused.length} refused`);
  }
  const failures = count(seen, "failed");
  return failures > 0 ? inconclusive(`${failures} of ${seen.length} failed`) : heldBy(seen.at(-1));
}

/** No more is served than full windows allow. Anything less is right: a limiter may count what it refuses. */
export function withinWindows<S extends Sample>(seen: readonly S[]): Verdict<S> {
  const lasted_ms = duration_ms(seen);
  const most = limit * (Math.ceil(lasted_ms / window_ms) + 1);
  const served = count(seen, "served");
  const last = seen.findLast(({ outcome }) => outcome === "served");
  if (served > most) return brokenBy(last, `at most ${most} served in ${seconds(lasted_ms)}`, `${served} served`);
  if (served === 0) return withheld("nothing was served at all");
  const refused = seen.find(({ outcome }) => outcome === "refused" || outcome === "undocumented");
  const failures = count(seen, "failed");
  if (served + failures > most) return inconclusive(`${failures} of ${seen.length} failed`);
  return refused ? heldBy(refused) : withheld("nothing was refused");
}

/** A burst against a known limit: at least `least` are served, and no more than it earns meanwhile. */
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
  if (served === 0) return withheld("nothing was served at all");
  if (most >= burst.length) return inconclusive(`a burst took ${seconds(lasted_ms)}, too long to exceed the limit`);
  if (served > most) return brokenBy(last, `at most ${most} served in ${seconds(lasted_ms)}`, got);
  if (served + failures < least) return brokenBy(refused, `at least ${least} served`, got);
  return failures > 0 ? inconclusive(`${failures} of ${burst.length} failed`) : heldBy(refused);
}
