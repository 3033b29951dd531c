// Each status is at the place of its id, in any order and company (§4.3 getBundleStatuses)
import { feature, landedId, statuses } from "../contracts/bundles/requests.ts";
import { foundAgain } from "../contracts/shared/foundAgain.ts";
import { resultOf } from "../contracts/shared/jsonRpcOracles.ts";
import { maskedBy } from "../contracts/shared/masked.ts";
import { broken, held } from "../harness/core/finding.ts";
import { type Json, valueAt } from "../harness/core/json.ts";
import { leftOpen } from "../harness/core/outcomes.ts";
import type { Given } from "../harness/core/template.ts";
import type { Check, CheckContext, Shown } from "../harness/model/check.ts";
import { isServed } from "../harness/transport/answers.ts";
import { type SomeBundle, someBundles } from "./arbitraries/bundleIdLists.ts";
import { idsOf } from "./bundleLimits.ts";
import { listAt, property } from "./property.ts";

type Id = string | Given;

/** The bundle that an entry is about, or null; its other members may change between requests. */
const nameIn = (entry: Json | undefined): Json | undefined => (entry === null ? null : valueAt(entry, "/bundle_id"));

const lookUp = (ids: readonly Id[], again: number) => statuses([ids], again === 0 ? {} : { again });

/** @throws Withheld where one id alone isn't served, or where repeated ids have no two entries, which is unspecified */
async function differing({ ask }: CheckContext, ids: readonly Id[], again: number): Promise<Shown> {
  const exchange = await ask(lookUp(ids, again));
  const repeats = new Set(ids.map((id) => JSON.stringify(id))).size < ids.length;
  const entries = listAt(exchange, "/value");
  if (entries.length !== ids.length) {
    if (repeats) throw leftOpen("whether repeated ids have separate entries is unspecified");
    return { exchange, finding: broken("/result/value", `${ids.length} entries, one for each id`, entries.length) };
  }
  for (const [place, id] of ids.entries()) {
    const alone = await ask(lookUp([id], again));
    const wanted = nameIn(resultOf(alone, "/value/0"));
    if (!isServed(alone) || wanted === undefined) throw maskedBy(alone, "one id alone");
    const got = nameIn(entries[place]);
    const expected = `the entry that its id has alone (${JSON.stringify(wanted)})`;
    if (got !== wanted) return { exchange, finding: broken(`/result/value/${place}`, expected, got) };
  }
  return { exchange, finding: held };
}

/** One of several machines may not know of a bundle yet. */
async function aligned(bundles: readonly SomeBundle[], context: CheckContext): Promise<Shown> {
  const ids = idsOf(context, bundles);
  const otherwise = "not reproducible: a list and its ids alone differed once";
  return foundAgain((again) => differing(context, ids, again), otherwise);
}

export const properties: readonly Check[] = [
  property("BST-ALIGN-01", { bundles: someBundles(1, 5) }, ({ bundles }, context) => aligned(bundles, context), {
    name: "statusesAligned",
    feature,
    each: [statuses([[landedId(0), landedId(1)]]), statuses([[landedId(0)]]), statuses([[landedId(1)]])],
    cases: { few: 4 },
  }),
];
