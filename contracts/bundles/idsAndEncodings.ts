// Checks of bundle encodings and bundle ids: hashes of the signatures, which lead to the status (§2.5, §4.3)
import { broken, must } from "../../harness/core/finding.ts";
import { leftOpen, notSeen } from "../../harness/core/outcomes.ts";
import { type Check, type Shown } from "../../harness/model/check.ts";
import { describeOutcome, isServed } from "../../harness/transport/answers.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { inTurn } from "../shared/inTurn.ts";
import { resultOf } from "../shared/jsonRpcOracles.ts";
import { notTested } from "../shared/masked.ts";
import { rulesOf } from "./bundleIds.ts";
import { besidePlain, confirming, onceMore, second_ms, taken } from "./outcomes.ts";
import {
  accepted,
  type BundleSending,
  bundle,
  type Encoding,
  scenario,
  sending,
  statuses,
  transactions,
  type WantedBundle,
} from "./requests.ts";

const pair: WantedBundle = { count: 2, tip: "all" };
const otherThan = (encoding: Encoding): Encoding => (encoding === "base64" ? "base58" : "base64");

/** The same bundle has the same id in either encoding; one that was decoded wrongly has another id, or none. */
const readAs = (id: RequirementId, encoding: Encoding, more: Pick<BundleSending, "options" | "isBare"> = {}): Check =>
  besidePlain(id, [pair, pair, pair, ...confirming(1, pair)], { encoding: otherThan(encoding) }, async (context) => {
    const other = otherThan(encoding);
    const how = { encoding, ...more };
    const signed = await transactions(context, pair);
    const exchange = await context.ask(bundle(signed, { ...how, id: 4 }));
    if (!isServed(exchange)) return taken(context, [exchange], [pair, { encoding: other }]);
    const positiveControl = await onceMore(context, bundle(signed, { encoding: other, id: 5 }));
    const isSame = positiveControl === null || resultOf(exchange) === resultOf(positiveControl);
    const again = isSame ? exchange : await onceMore(context, bundle(signed, { ...how, id: 6 }));
    if (again && resultOf(again) !== resultOf(exchange))
      throw notTested("the same bundle in the same encoding has another id each time");
    const expected = "the id of the same bundle in the other encoding";
    return [{ exchange, finding: must(isSame, "/result", expected, resultOf(exchange)) }];
  });

/** Same signatures, same id; other signatures, or another order, another id. Sending twice may be refused. */
const hashed = scenario("BND-HASH-02", sending([pair, pair, pair, pair, pair], []), async (context) => {
  const [a, b, c] = await transactions(context, { count: 3, tip: "all" });
  if (!a || !b || !c) throw notSeen("no transactions were made");
  const original = await context.ask(bundle([a, b], { id: 7 }));
  const id = accepted(original);
  // That order counts is implied by hashing a sequence: it isn't judged on vendors.
  const reordered = context.target.isReference ? ([[[b, a], 8]] as const) : [];
  const others = [...reordered, [[a, c], 9], [[c, b], 19]] as const;
  const shown = await inTurn(others, async ([other, nth]): Promise<Shown> => {
    const exchange = await context.ask(bundle(other, { id: nth }));
    const isOther = accepted(exchange) !== id;
    return { exchange, finding: must(isOther, "/result", "another id than that of other signatures", id) };
  });
  await context.wait(second_ms);
  const again = await onceMore(context, bundle([a, b], { id: 10 }));
  if (!again) return shown;
  const got = resultOf(again);
  return [
    ...shown,
    { exchange: again, finding: must(got === id, "/result", `${id}, the id of the same signatures`, got) },
  ];
});

const sizes: readonly (WantedBundle & { readonly count: number; readonly how?: BundleSending })[] = [
  { count: 1, tip: "all" },
  { count: 2, tip: "all" },
  { count: 4, tip: "all", how: { query: [["mev-protect", "true"]], headers: [["engine-region", "fra"]] } },
];

/** One rule of signatures for all bundles; which rule isn't shown. */
const byOneRule = besidePlain("BND-HASH-03", sizes, {}, async (context) => {
  const found = await inTurn(sizes, async ({ how, ...wanted }) => {
    const signed = await transactions(context, wanted);
    const exchange = await context.ask(bundle(signed, { ...how, id: 20 + wanted.count }));
    return { exchange, rules: rulesOf(accepted(exchange), signed) };
  });
  const known = found.flatMap(({ rules }) => rules);
  if (known.length === 0) throw leftOpen("the ids follow no known rule");
  const [common] = known.filter(
    ({ of, joined }) => of === "signatures" && found.every(({ rules }) => rules.some((one) => one.joined === joined)),
  );
  const expected = "SHA-256 of the signatures, by one rule for all bundles";
  return found.map(({ exchange, rules }) => ({
    exchange,
    finding: must(common !== undefined, "/result", expected, `made of ${rules[0]?.joined ?? "something else"}`),
  }));
});

/** The id is accepted by getBundleStatuses: null or its own status, never an error. */
const used = besidePlain("BND-USE-01", [], { count: 2 }, async (context, id) => {
  const exchange = await context.ask(statuses([[id]], { id: 11 }));
  if (!isServed(exchange))
    return [{ exchange, finding: broken("/error", `null or the status of ${id}`, describeOutcome(exchange)) }];
  const entry = resultOf(exchange, "/value/0");
  if (entry === undefined) throw notTested("there is no entry");
  // Another requirement is about the spelling of the id in the status.
  const listed = resultOf(exchange, "/value/0/bundle_id");
  const isIts = entry === null || typeof listed !== "string" || listed.toLowerCase() === id.toLowerCase();
  return [{ exchange, finding: must(isIts, "/result/value/0", `null or the status of ${id}`, entry) }];
});

export const checks: readonly Check[] = [
  readAs("BND-ENC-01", "base64"),
  readAs("BND-ENC-02", "base58"),
  readAs("BND-ENC-03", "base58", { isBare: true }),
  readAs("BND-ENC-03", "base58", { options: {} }),
  hashed,
  byOneRule,
  used,
];
