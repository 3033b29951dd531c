// Checks of getBundleStatuses: a status or null at the place of each id, limits, keys (§2.5, §4.3)
import { broken, held, must } from "../../harness/core/finding.ts";
import { type Json, listOf } from "../../harness/core/json.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import type { Template } from "../../harness/core/template.ts";
import { type Check, type CheckContext, type Shown } from "../../harness/model/check.ts";
import { isServed, outcomeOf } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { refusedFor, resultOf, shows, takesParams } from "../shared/jsonRpcOracles.ts";
import { masked, served } from "../shared/masked.ts";
import type { Ask } from "../shared/stimuli.ts";
import { idsLike, ruleOfSignatures } from "./bundleIds.ts";
import { besidePlain, listsSignatures, refusedBesideStatus } from "./outcomes.ts";
import {
  accepted,
  bundle,
  check,
  landedId,
  scenario,
  sending,
  slots_ms,
  statuses,
  transactions,
  unknownBundleIds,
} from "./requests.ts";

const [one, two] = [landedId(0), landedId(1)];

/** A status where a sample has landed: a list of nulls shows nothing. */
const isThere = (nth: number) =>
  shows((exchange) => {
    if (resultOf(exchange, `/value/${nth}`) === null) throw new Withheld(staleSample);
    return held;
  });

const staleSample = "a sample has no status any more: name a newer bundle in the target";

const landed = statuses([[one]]);
const shape = [
  "BST-ELT-01",
  "BST-ELT-02",
  "BST-ELT-03",
  "BST-ELT-04",
  "BST-ELT-05",
  "BST-ELT-06",
  "BST-SLOT-01",
  "EXT-SOL-02",
] as const;

/** Unknown ids in the vendor's own form. */
function unknownIds(sample: string, count: number): readonly string[] {
  const ids = idsLike(sample, count);
  if (!ids) throw new Withheld("the sample has an unknown form, so that no other id can be made");
  return ids;
}

const sampleOf = ({ target }: CheckContext, nth: number): string => {
  const id = (target.samples["landedBundles"] as readonly string[] | undefined)?.[nth];
  if (id === undefined) throw new Withheld(`the target gives no \`samples.landedBundles.${nth}\``);
  return id;
};

const needs = { requests: [landed] } as const;

/** @throws Withheld where there is no list */
function values(exchange: Exchange): readonly Json[] {
  const value = resultOf(served(exchange), "/value");
  if (!Array.isArray(value)) throw masked("value is not a list");
  return listOf(value);
}

/** Known, unknown, repeated and permuted. */
const mixed = scenario("BST-ALIGN-01", { requests: [landed, statuses([[two]])] }, async (context) => {
  const [a, b] = [sampleOf(context, 0), sampleOf(context, 1)];
  const [x = "", y = ""] = unknownIds(a, 2);
  for (const one of [a, b])
    if (values(await context.ask(statuses([[one]])))[0] === null) throw new Withheld(staleSample);
  const shown: Shown[] = [];
  for (const ids of [
    [a, x, b],
    [x, b, y, a],
    [b, a],
    [x, a],
    [a, x, y, b, x],
  ]) {
    // How often a repeated id is answered is unspecified (OBS-BST-DUP).
    const isRepeated = new Set(ids).size < ids.length;
    let exchange = await context.ask(statuses([ids], { id: 20 + shown.length }));
    if (isRepeated && !isServed(exchange)) continue;
    let got = values(exchange);
    if (isRepeated && got.length < ids.length) continue;
    // What is answered for an unknown id is another requirement's matter.
    const wrongIn = (entries: readonly Json[]): number =>
      entries.length === ids.length ? ids.findIndex((id, place) => [a, b].includes(id) && entries[place] === null) : 0;
    // One of several machines may not know the bundle yet.
    if (wrongIn(got) >= 0) {
      exchange = await context.ask(statuses([ids], { id: 20 + shown.length, again: 1 }));
      got = values(exchange);
    }
    const wrong = wrongIn(got);
    const expected = `the entry of ${ids[wrong]}, at its place`;
    shown.push({ exchange, finding: must(wrong < 0, `/result/value/${wrong}`, expected, got[wrong]) });
  }
  return shown;
});

const unknown = scenario("BST-NULL-01", needs, async (context) => {
  const a = sampleOf(context, 0);
  const [x = ""] = unknownIds(a, 1);
  const shown: Shown[] = [];
  for (const ids of [[x], [a, x]]) {
    const exchange = await context.ask(statuses([ids], { id: 30 + shown.length }));
    if (ids.length === 1 && !isServed(exchange) && isServed(await context.ask(landed)))
      return [{ exchange, finding: broken("/error", "null at the place of an unknown id", outcomeOf(exchange)) }];
    const [entries, place] = [values(exchange), ids.length - 1];
    const isNull = entries[place] === null || entries.length < ids.length;
    shown.push({ exchange, finding: must(isNull, `/result/value/${place}`, "null", entries[place]) });
  }
  return shown;
});

const five = scenario("BST-LIM-01", needs, async (context) => {
  const a = sampleOf(context, 0);
  const unknowns = unknownIds(a, 4);
  for (const alone of [landed, statuses([[unknowns[0] ?? ""]], { id: 39 })])
    if (!isServed(await context.ask(alone))) throw masked("one id alone isn't answered");
  const exchange = await context.ask(statuses([[a, ...unknowns]], { id: 40 }));
  return [{ exchange, finding: must(isServed(exchange), "/error", "5 ids accepted", outcomeOf(exchange)) }];
});

const six = scenario("BST-LIM-02", needs, async (context) => {
  const a = sampleOf(context, 0);
  served(await context.ask(statuses([[a, ...unknownIds(a, 4)]], { id: 40 })), "a call with 5 ids");
  const shown: Shown[] = [];
  for (const count of [6, 10]) {
    const exchange = await context.ask(statuses([[a, ...unknownIds(a, count - 1)]], { id: 41 + shown.length }));
    const finding = isServed(exchange) ? broken("/result/value", "an error", values(exchange).length) : held;
    shown.push({ exchange, finding });
  }
  return shown;
});

const without = (params: Template | undefined): Check =>
  check("BST-PAR-01", statuses(params, { id: 43 }), refusedBesideStatus("a refusal: the ids are required"));

/** Without samples, the id of a bundle that was just sent is accepted. */
const ofOwn = besidePlain("BST-PAR-01", [], {}, async (context, id) => {
  const exchange = await context.ask(statuses([[id]], { id: 44 }));
  return [{ exchange, finding: await takesParams(exchange, context) }];
});

/** The signatures of our own bundle, once it has landed. */
const ofOwnSignatures = scenario("BST-SIG-01", sending([{ count: 3, tip: "all" }], []), async (context) => {
  const signed = transactions(context.target, { count: 3, tip: "all" });
  const id = accepted(await context.ask(bundle(signed, { id: 46 })));
  await context.wait(slots_ms);
  const exchange = await context.ask(statuses([[id]], { id: 47 }));
  const otherwise = "it hasn't landed, or its transactions are not a list of strings";
  return [{ exchange, finding: listsSignatures(exchange, signed, otherwise) }];
});

/** The id is the hash of the signatures in its status, by a known rule. */
const hashed = check(
  "BND-HASH-03",
  landed,
  shows((exchange) => {
    const [id, signatures] = [resultOf(exchange, "/value/0/bundle_id"), resultOf(exchange, "/value/0/transactions")];
    const isText =
      typeof id === "string" && Array.isArray(signatures) && signatures.every((one) => typeof one === "string");
    if (!isText || !ruleOfSignatures(id, signatures)) throw new Withheld("the id follows no rule that we know");
    return held;
  }),
  { optional: true },
);

/** A final bundle is read twice. */
const fixed = scenario("BST-SLOT-02", needs, async (context) => {
  const reads = [await context.ask(landed)];
  await context.wait(slots_ms);
  reads.push(await context.ask({ ...landed, again: 1 }));
  const slots = reads.map((exchange) => {
    if (resultOf(exchange, "/value/0/confirmation_status") !== "finalized")
      throw new Withheld("the sample isn't finalized");
    return JSON.stringify(resultOf(exchange, "/value/0/slot"));
  });
  const [before, after] = slots;
  const finding = must(before === after, "/result/value/0/slot", `${before ?? "nothing"}, as before`, after);
  return reads.map((exchange) => ({ exchange, finding }));
});

/** Without a known key the error has the key's code. */
const keyless = (params: Template, optional: boolean): readonly Check[] =>
  (["anonymous", "unknownKey"] as const).map((as) =>
    check("AUTH-RPC-BUNDLE-01", statuses(params, { as, id: 45 }), refusedFor("bundles", "key", statuses(params)), {
      twin: statuses(params),
      optional,
    }),
  );

/** Answered with a status or null. */
export const baseline: Ask = (options) => statuses([[landedId(0)]], options);

export const checks: readonly Check[] = [
  // Bundles that the run sends show the same.
  check("BST-PAR-01", landed, takesParams, { optional: true }),
  ...[undefined, [], [null]].map(without),
  check("BST-RES-01", landed, undefined, { optional: true }),
  check(shape, landed, undefined, { optional: true }),
  check("BST-ALIGN-01", landed, isThere(0)),
  check("BND-HASH-01", landed, undefined, { optional: true }),
  mixed,
  unknown,
  five,
  six,
  { ...fixed, optional: true },
  hashed,
  { ...ofOwn, shows: ["BST-RES-01"], optional: true },
  { ...ofOwnSignatures, shows: ["BST-ELT-02", "EXT-SOL-02"], optional: true },
  ...unknownBundleIds.flatMap((id, nth) => keyless([[id]], nth > 0)),
  ...keyless([[one]], true),
];
