// Checks of getBundleStatuses: a status or null at the place of each id, limits, keys (§2.5, §4.3)
import { broken, held, must } from "../../harness/core/finding.ts";
import { isObject, type Json, listOf } from "../../harness/core/json.ts";
import { leftOpen, notSettled } from "../../harness/core/outcomes.ts";
import type { Template } from "../../harness/core/template.ts";
import { type Check, type CheckContext, type Shown } from "../../harness/model/check.ts";
import { describeOutcome, isServed } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { inTurn } from "../shared/inTurn.ts";
import { refusedFor, resultOf, shows, takesParams } from "../shared/jsonRpcOracles.ts";
import { notTested, onlyServed } from "../shared/masked.ts";
import type { Ask } from "../shared/requestSpecs.ts";
import { idsLike, ruleOfSignatures } from "./bundleIds.ts";
import { followBundle, plainSends, someLanded, statusEntryOf } from "./landed.ts";
import { besidePlain, listsSignatures, refusedBesideStatus } from "./outcomes.ts";
import {
  accepted,
  check,
  landedId,
  scenario,
  sending,
  sendPlain,
  slots_ms,
  statuses,
  unknownBundleIds,
} from "./requests.ts";

const firstId = landedId(0);
const secondId = landedId(1);

const stale = "the bundle has no status any more; if it is a sample, name a newer one in the target";

/** A status where a sample has landed: a list of nulls shows nothing. */
const isThere = shows((exchange) => {
  if (statusEntryOf(exchange) === null) throw leftOpen(stale);
  return held;
});

const slotOf = (exchange: Exchange): Json | undefined => resultOf(exchange, "/value/0/slot");

const landed = statuses([[firstId]]);
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
  if (!ids) throw leftOpen("the form of its id is unknown or ambiguous, so that no other id can be made");
  return ids;
}

type Run = (context: CheckContext, ids: readonly string[]) => Promise<readonly Shown[]>;

/** With bundles that have landed: given, or found among ours. */
const withLanded = (id: RequirementId, count: number, run: Run): Check =>
  scenario(id, { requests: [landed, statuses([[secondId]])].slice(0, count) }, (context) =>
    run(context, context.target.samples["landedBundles"] as readonly string[]),
  );

/** The same; where there are none, with a bundle of ours that was just sent. */
const withSent = (id: RequirementId, run: Run): readonly Check[] => [
  withLanded(id, 1, run),
  scenario(id, sending([], plainSends), async (context) => run(context, [accepted(await sendPlain(context))])),
];

/** @throws Withheld where there is no list */
function values(exchange: Exchange): readonly Json[] {
  const value = resultOf(onlyServed(exchange), "/value");
  if (!Array.isArray(value)) throw notTested("value is not a list");
  return listOf(value);
}

const mixed = withLanded("BST-ALIGN-01", 2, async (context, [a = "", b = ""]) => {
  const [x = "", y = "", z = ""] = unknownIds(a, 3);
  const knows = async (id: string) =>
    values(await context.ask(context.fresh(statuses([[id]], { id: 19 }))))[0] !== null;
  const orders = [
    [a, x, b],
    [x, b, y, a],
    [b, a],
    [x, a],
    [b, x, y, z, a],
  ];
  return inTurn(orders, async (ids, nth): Promise<Shown> => {
    const ask = async (): Promise<Exchange> => context.ask(context.fresh(statuses([ids], { id: 20 + nth })));
    // Another requirement is about the answer for an unknown id.
    const wrongIn = (entries: readonly Json[]): number =>
      entries.length === ids.length ? ids.findIndex((id, place) => [a, b].includes(id) && entries[place] === null) : 0;
    let exchange = await ask();
    // One of several machines may not know the bundle yet.
    if (wrongIn(values(exchange)) >= 0) exchange = await ask();
    const wrong = wrongIn(values(exchange));
    if (wrong >= 0 && !((await knows(a)) && (await knows(b)))) throw leftOpen(stale);
    const expected = `the entry of ${ids[wrong]}, at its place`;
    return { exchange, finding: must(wrong < 0, `/result/value/${wrong}`, expected, values(exchange)[wrong]) };
  });
});

const unknown = withSent("BST-NULL-01", async (context, [a = ""]) => {
  const [x = ""] = unknownIds(a, 1);
  const shown: Shown[] = [];
  for (const ids of [[x], [a, x]]) {
    const exchange = await context.ask(statuses([ids], { id: 30 + shown.length }));
    if (ids.length === 1 && !isServed(exchange) && isServed(await context.ask(statuses([[a]]))))
      return [{ exchange, finding: broken("/error", "null at the place of an unknown id", describeOutcome(exchange)) }];
    const entries = values(exchange);
    const place = ids.length - 1;
    const isNull = entries[place] === null || entries.length < ids.length;
    shown.push({ exchange, finding: must(isNull, `/result/value/${place}`, "null", entries[place]) });
  }
  return shown;
});

const five = withSent("BST-LIM-01", async (context, [a = ""]) => {
  const unknowns = unknownIds(a, 4);
  for (const alone of [statuses([[a]]), statuses([[unknowns[0] ?? ""]], { id: 39 })])
    if (!isServed(await context.ask(alone))) throw notTested("one id alone isn't answered");
  const exchange = await context.ask(statuses([[a, ...unknowns]], { id: 40 }));
  return [{ exchange, finding: must(isServed(exchange), "/error", "5 ids accepted", describeOutcome(exchange)) }];
});

const six = withSent("BST-LIM-02", async (context, [a = ""]) => {
  onlyServed(await context.ask(statuses([[a, ...unknownIds(a, 4)]], { id: 40 })), "a call with 5 ids");
  return inTurn([6, 10], async (count, nth): Promise<Shown> => {
    const exchange = await context.ask(statuses([[a, ...unknownIds(a, count - 1)]], { id: 41 + nth }));
    const finding = isServed(exchange) ? broken("/result/value", "an error", values(exchange).length) : held;
    return { exchange, finding };
  });
});

const without = (params: Template | undefined): Check =>
  check("BST-PAR-01", statuses(params, { id: 43 }), refusedBesideStatus("a refusal: the ids are required"));

/** Without samples, the id of a bundle that was just sent is accepted. */
const ofOwn = besidePlain("BST-PAR-01", [], {}, async (context, id) => {
  const exchange = await context.ask(statuses([[id]], { id: 44 }));
  return [{ exchange, finding: await takesParams(exchange, context) }];
});

/** Machines of a platform may be that many slots apart. */
const apart = 150;

/** The signatures of our own bundles; each is processed no earlier than a request before it was sent. */
const ofOwnLanded = scenario(["BST-SIG-01", "BST-SLOT-02"], sending([], plainSends), async (context) => {
  const own = await someLanded(context);
  return own.flatMap(({ signed, sent, status: exchange }, nth): readonly Shown[] => {
    const signatures = listsSignatures(exchange, signed, "its transactions are not a list of strings");
    const before = own.slice(0, nth).find(({ status }) => status.number < sent.number);
    const from = before && resultOf(before.status, "/context/slot");
    const slot = slotOf(exchange);
    const shown: Shown = { exchange, finding: signatures, about: ["BST-SIG-01"] };
    if (typeof from !== "number" || typeof slot !== "number") return [shown];
    const expected = `about ${from}, the slot of a request before it was sent, or later`;
    const finding = must(slot >= from - apart, "/result/value/0/slot", expected, slot);
    return [shown, { exchange, finding, about: ["BST-SLOT-02"] }];
  });
});

/** Laws judge the statuses of our own bundles, as they were when they landed: some platforms forget them soon. */
const ownShape = scenario([], { ...sending([], plainSends), shows: shape }, async (context) => {
  for (const { status } of await someLanded(context)) await context.ask(status.requestSpec);
  return [];
});

/** The id is the hash of the signatures in its status, by a known rule. */
const hashed = check(
  "BND-HASH-03",
  landed,
  shows((exchange) => {
    const id = resultOf(exchange, "/value/0/bundle_id");
    const signatures = resultOf(exchange, "/value/0/transactions");
    const isText =
      typeof id === "string" && Array.isArray(signatures) && signatures.every((one) => typeof one === "string");
    if (!isText || !ruleOfSignatures(id, signatures)) throw leftOpen("the id follows no known rule");
    return held;
  }),
  { optional: true },
);

const isFinal = (entry: Json | undefined): boolean => !isObject(entry) || entry["confirmation_status"] === "finalized";

/** A final bundle is read twice. */
const fixed = withLanded("BST-SLOT-02", 1, async (context, ids) => {
  const newest = ids.at(-1) ?? "";
  const reads = await followBundle(context, [newest], isFinal);
  await context.wait(slots_ms);
  const both = [...reads, await context.ask(context.fresh(statuses([[newest]])))];
  const [before, after] = both.map((exchange) => {
    if (resultOf(exchange, "/value/0/confirmation_status") !== "finalized")
      throw notSettled("the bundle isn't finalized");
    return JSON.stringify(slotOf(exchange));
  });
  const finding = must(before === after, "/result/value/0/slot", `${before ?? "nothing"}, as before`, after);
  return both.map((exchange) => ({ exchange, finding }));
});

const keyless = (params: Template): readonly Check[] =>
  (["anonymous", "unknownKey"] as const).map((as) =>
    check("AUTH-RPC-BUNDLE-01", statuses(params, { as, id: 45 }), refusedFor("bundles", "key", statuses(params)), {
      positiveControl: statuses(params),
    }),
  );

export const baseline: Ask = (options) => statuses([[landedId(0)]], options);

export const checks: readonly Check[] = [
  ...[undefined, [], [null]].map(without),
  fixed,
  ...[
    check("BST-PAR-01", landed, takesParams),
    { ...ofOwn, shows: ["BST-RES-01"] as const },
    check("BST-RES-01", landed),
    check(shape, landed),
    ownShape,
    check("BST-ALIGN-01", landed, isThere),
    check("BND-HASH-01", landed),
    mixed,
    ...unknown,
    ...five,
    ...six,
    hashed,
    ofOwnLanded,
    ...unknownBundleIds.slice(1).flatMap((id) => keyless([[id]])),
    ...keyless([[firstId]]),
  ].map((one) => ({ ...one, optional: true })),
  ...unknownBundleIds.slice(0, 1).flatMap((id) => keyless([[id]])),
];
