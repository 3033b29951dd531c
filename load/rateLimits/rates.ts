// Verdicts on steady rates below and far above a limit, and on one burst
import { documentedLimit, window_ms } from "./experiments.ts";
import { inconclusive, type LimitVerdict, limitBroken, limitHeld, secondsText, withheld } from "./limitVerdict.ts";
import { countOutcomes, duration_ms, type Sample } from "./samples.ts";

/** How many requests, this one included, may have arrived within one window of it, by what their times allow. */
const near = (sample: Sample, seen: readonly Sample[]): number =>
  seen.filter(
    ({ sent_ms, received_ms }) => received_ms > sample.sent_ms - window_ms && sent_ms < sample.received_ms + 1,
  ).length;

/** Requests that never exceed the limit in any second are all served; those bunched by the network prove nothing. */
export function allServed<S extends Sample>(seen: readonly S[], most = documentedLimit): LimitVerdict<S> {
  const refused = seen.filter(({ outcome }) => outcome === "refused" || outcome === "undocumented");
  const [first] = refused;
  if (first) {
    if (countOutcomes(seen, "served") === 0) return withheld("nothing was served at all");
    const bunched = Math.max(...refused.map((one) => near(one, seen)));
    if (bunched > most) return inconclusive(`requests may have arrived in bunches of ${bunched}`);
    return limitBroken(first, `all ${seen.length} served`, `${refused.length} refused`);
  }
  const failures = countOutcomes(seen, "failed");
  return failures > 0 ? inconclusive(`${failures} of ${seen.length} failed`) : limitHeld(seen.at(-1));
}

/** No more is served than full windows allow. Anything less is right: a limiter may count what it refuses. */
export function withinWindows<S extends Sample>(seen: readonly S[]): LimitVerdict<S> {
  const lasted_ms = duration_ms(seen);
  const most = documentedLimit * (Math.ceil(lasted_ms / window_ms) + 1);
  const served = countOutcomes(seen, "served");
  const last = seen.findLast(({ outcome }) => outcome === "served");
  if (served > most)
    return limitBroken(last, `at most ${most} served in ${secondsText(lasted_ms)}`, `${served} served`);
  if (served === 0) return withheld("nothing was served at all");
  const refused = seen.find(({ outcome }) => outcome === "refused" || outcome === "undocumented");
  const failures = countOutcomes(seen, "failed");
  if (served + failures > most) return inconclusive(`${failures} of ${seen.length} failed`);
  return refused ? limitHeld(refused) : withheld("nothing was refused");
}

/** A burst against a known limit: at least `least` are served, and no more than it earns meanwhile. */
export function servesBetween<S extends Sample>(
  burst: readonly S[],
  { least, perSecond }: { readonly least: number; readonly perSecond: number },
): LimitVerdict<S> {
  const lasted_ms = duration_ms(burst);
  const most = least + Math.ceil((perSecond * lasted_ms) / 1000);
  const served = countOutcomes(burst, "served");
  const failures = countOutcomes(burst, "failed");
  const last = burst.findLast(({ outcome }) => outcome === "served");
  const refused = burst.find(({ outcome }) => outcome !== "served");
  const got = `${served} of ${burst.length} served`;
  if (served === 0) return withheld("nothing was served at all");
  if (most >= burst.length) return inconclusive(`a burst took ${secondsText(lasted_ms)}, too long to exceed the limit`);
  if (served > most) return limitBroken(last, `at most ${most} served in ${secondsText(lasted_ms)}`, got);
  if (served + failures < least) return limitBroken(refused, `at least ${least} served`, got);
  return failures > 0 ? inconclusive(`${failures} of ${burst.length} failed`) : limitHeld(refused);
}
