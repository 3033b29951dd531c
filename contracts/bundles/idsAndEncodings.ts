// Checks of bundle encodings and bundle ids: hashes of the signatures, which lead to the status (§2.5, §4.3)
import { broken, held } from "../../harness/core/finding.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import { type Check, type Shown } from "../../harness/model/check.ts";
import { isServed, outcomeOf } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { forFeature } from "../shared/forFeature.ts";
import { resultOf } from "../shared/jsonRpcOracles.ts";
import { masked } from "../shared/masked.ts";
import { rulesOf } from "./bundleIds.ts";
import { inReserve, onceMore, refused, second_ms, taken } from "./outcomes.ts";
import {
  accepted,
  bundle,
  type Encoding,
  feature,
  plain,
  plainly,
  type Sending,
  send,
  sending,
  statuses,
  transactions,
  type Wanted,
} from "./requests.ts";

const { scenario } = forFeature(feature);

const pair: Wanted = { count: 2, tip: "all" };
const otherThan = (encoding: Encoding): Encoding => (encoding === "base64" ? "base58" : "base64");

/** The same bundle has the same id in either encoding; one that was decoded wrongly has another id, or none. */
const readAs = (id: RequirementId, encoding: Encoding, more: Pick<Sending, "options" | "isBare"> = {}): Check =>
  scenario(id, sending([pair, pair, pair], [plainly(1, otherThan(encoding)), inReserve]), async (context) => {
    const other = otherThan(encoding);
    accepted(await plain(context, 1, other));
    const how = { encoding, ...more };
    const signed = transactions(context.target, pair);
    const exchange = await context.ask(bundle(signed, { ...how, id: 4 }));
    if (!isServed(exchange))
      return [await taken(context, exchange, [pair, how], [{ tip: "all" }, { encoding: other }])];
    const twin = await onceMore(context, bundle(signed, { encoding: other, id: 5 }));
    const isSame = twin === null || resultOf(exchange) === resultOf(twin);
    const again = isSame ? exchange : await onceMore(context, bundle(signed, { ...how, id: 6 }));
    if (again && resultOf(again) !== resultOf(exchange))
      throw masked("the same bundle in the same encoding has another id each time");
    return [
      {
        exchange,
        finding: isSame
          ? held
          : broken("/result", "the id of the same bundle in the other encoding", resultOf(exchange)),
      },
    ];
  });

const asHex = scenario("BND-ENC-04", sending([{}]), async (context) => {
  accepted(await plain(context));
  const hex = transactions(context.target, {}).map(({ bytes }) => Buffer.from(bytes).toString("hex"));
  return [refused(await context.ask(send([hex, { encoding: "hex" }], { id: 6 })))];
});

/** Same signatures, same id; other signatures, or another order, another id. Sending twice may be refused. */
const hashed = scenario("BND-HASH-02", sending([pair, pair, pair, pair, pair], []), async (context) => {
  const [a, b, c] = transactions(context.target, { count: 3, tip: "all" });
  if (!a || !b || !c) throw new Withheld("no transactions were made");
  const original = await context.ask(bundle([a, b], { id: 7 }));
  const id = accepted(original);
  const shown: Shown[] = [];
  // That order counts is implied by hashing a sequence: it isn't judged on vendors.
  const reordered = context.target.isReference ? ([[[b, a], 8]] as const) : [];
  for (const [other, nth] of [...reordered, [[a, c], 9], [[c, b], 19]] as const) {
    const exchange = await context.ask(bundle(other, { id: nth }));
    shown.push({
      exchange,
      finding: accepted(exchange) === id ? broken("/result", "another id than that of other signatures", id) : held,
    });
  }
  await context.wait(second_ms);
  const again = await onceMore(context, bundle([a, b], { id: 10 }));
  if (again)
    shown.push({
      exchange: again,
      finding:
        resultOf(again) === id ? held : broken("/result", `${id}, the id of the same signatures`, resultOf(again)),
    });
  return shown;
});

const sizes: readonly (readonly [count: number, how: Sending])[] = [
  [1, {}],
  [2, {}],
  [4, { query: [["mev-protect", "true"]], headers: [["engine-region", "fra"]] }],
];

/** One rule of signatures for all bundles; which rule isn't shown. */
const byOneRule = scenario("BND-HASH-03", sending(sizes.map(([count]) => ({ count, tip: "all" }))), async (context) => {
  accepted(await plain(context));
  const found: { readonly exchange: Exchange; readonly rules: ReturnType<typeof rulesOf> }[] = [];
  for (const [count, how] of sizes) {
    const signed = transactions(context.target, { count, tip: "all" });
    const exchange = await context.ask(bundle(signed, { ...how, id: 20 + count }));
    found.push({ exchange, rules: rulesOf(accepted(exchange), signed) });
  }
  const known = found.flatMap(({ rules }) => rules);
  if (known.length === 0) throw new Withheld("the ids follow no rule that we know");
  const [common] = known.filter(
    ({ of, joined }) => of === "signatures" && found.every(({ rules }) => rules.some((one) => one.joined === joined)),
  );
  return found.map(({ exchange, rules }) => ({
    exchange,
    finding: common
      ? held
      : broken(
          "/result",
          "SHA-256 of the signatures, by one rule for all bundles",
          `made of ${rules[0]?.joined ?? "something else"}`,
        ),
  }));
});

/** The id is accepted by getBundleStatuses: null or its own status, never an error. */
const used = scenario("BND-USE-01", sending([], [plainly(2)]), async (context) => {
  const id = accepted(await plain(context, 2));
  const exchange = await context.ask(statuses([[id]], { id: 11 }));
  if (!isServed(exchange))
    return [{ exchange, finding: broken("/error", `null or the status of ${id}`, outcomeOf(exchange)) }];
  const entry = resultOf(exchange, "/value/0");
  if (entry === undefined) throw masked("there is no entry");
  // The spelling of the id in the status is another requirement's matter.
  const listed = resultOf(exchange, "/value/0/bundle_id");
  const isIts = entry === null || typeof listed !== "string" || listed.toLowerCase() === id.toLowerCase();
  return [{ exchange, finding: isIts ? held : broken("/result/value/0", `null or the status of ${id}`, entry) }];
});

export const checks: readonly Check[] = [
  readAs("BND-ENC-01", "base64"),
  readAs("BND-ENC-02", "base58"),
  readAs("BND-ENC-03", "base58", { isBare: true }),
  readAs("BND-ENC-03", "base58", { options: {} }),
  asHex,
  hashed,
  byOneRule,
  used,
];
