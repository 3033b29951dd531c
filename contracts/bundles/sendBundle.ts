// Which bundles are taken and which are refused? Every refusal beside a bundle that is taken, alike but for the one thing. (§4.3, §8)

import { broken, type Finding, held } from "../../harness/core/finding.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import type { Template } from "../../harness/core/template.ts";
import { type Check, type CheckContext, check, type Oracle, type Shown, scenario } from "../../harness/model/check.ts";
import { isServed, outcomeOf, rpcErrorOf } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { resultOf, rowOf } from "../shared/jsonRpcOracles.ts";
import { rulesOf } from "./bundleIds.ts";
import {
  besidePlain,
  inReserve,
  onceMore,
  refused,
  refusedInTheEnd,
  type Sent,
  second_ms,
  taken,
  wasRefused,
} from "./outcomes.ts";
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
  sent,
  servedLook,
  statuses,
  transactions,
  type Wanted,
  written,
} from "./requests.ts";

/** One to five; where none at all is taken, the fault may be the target's, or a blockhash that isn't recent. */
const counts = scenario(
  "BND-LIM-01",
  {
    ...sending([], [...[1, 2, 3, 4, 5].map((count) => plainly(count)), inReserve]),
    shows: ["BND-RES-01", "BND-HASH-01"],
  },
  async (context): Promise<readonly Shown[]> => {
    const exchanges: Exchange[] = [];
    for (const count of [1, 2, 3, 4, 5]) exchanges.push(await plain(context, count));
    if (!exchanges.some(isServed))
      throw new Withheld(`no bundle at all was taken: ${[...new Set(exchanges.map(outcomeOf))].join(", ")}`);
    const shown: Shown[] = [];
    const control: Sent = [{ count: exchanges.findIndex(isServed) + 1, tip: "all" }];
    for (const [nth, exchange] of exchanges.entries())
      shown.push(await taken(context, exchange, [{ count: nth + 1, tip: "all" }], control));
    return shown;
  },
);

const wantedOf = (all: readonly Sent[]): readonly Wanted[] => all.map(([wanted]) => wanted);
const largestOf = (all: readonly Sent[]): number => Math.max(...all.map(([{ count = 1 }]) => count));

/** One bundle that must be taken, as a plain one is: by itself a refusal may have a hundred reasons. */
const takes = (ids: RequirementId | readonly RequirementId[], ...all: readonly Sent[]): Check =>
  scenario(ids, sending(wantedOf(all), [plainly(largestOf(all)), inReserve]), async (context) => {
    accepted(await plain(context, largestOf(all)));
    const shown: Shown[] = [];
    for (const one of all) shown.push(await taken(context, await sent(context, ...one), one));
    return shown;
  });

/** One bundle that must be refused, beside a plain one of nearly its size that is taken. */
const refuses = (
  ids: RequirementId | readonly RequirementId[],
  wanted: Wanted,
  how: Sending = {},
  isLate = false,
): Check =>
  scenario(ids, sending([wanted], [plainly(Math.min(wanted.count ?? 1, 5))]), async (context) => {
    accepted(await plain(context, Math.min(wanted.count ?? 1, 5)));
    const exchange = await sent(context, wanted, how);
    // How many there are, and in which encoding, is seen at a glance; signatures and tips may be looked at later.
    return [isLate ? await refusedInTheEnd(context, exchange) : refused(exchange)];
  });

/** What a platform says of what isn't there or of its key says nothing of params. */
const isOfParams = (exchange: Exchange): boolean => ![-32601, -32001].includes(rpcErrorOf(exchange)?.code ?? 0);

/** Refused while another call with the same key is served: no transaction is in it, so that nothing can be sent. */
const beside: Oracle = async (exchange, context) => {
  if (isServed(exchange)) return wasRefused(exchange);
  if (!isOfParams(exchange)) throw new Withheld(`hidden: it drew ${outcomeOf(exchange)}`);
  await servedLook(context);
  return held;
};

const without = (id: RequirementId, params: Template | undefined): Check =>
  check(id, send(params, { id: 2 }), beside, { feature });

/** Good transactions in a form that isn't documented. */
const inForm = (formOf: (text: string) => Template): Check =>
  scenario("BND-REQ-02", sending([{}]), async (context) => {
    accepted(await plain(context));
    const [text = ""] = transactions(context.target, {}).map((one) => written(one, "base64"));
    return [refused(await context.ask(send([formOf(text), { encoding: "base64" }], { id: 3 })))];
  });

const pair: Wanted = { count: 2, tip: "all" };
const otherThan = (encoding: Encoding): Encoding => (encoding === "base64" ? "base58" : "base64");

/** The same bundle has the same id, however it is written; one that was decoded wrongly has another or none. */
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
      throw new Withheld("hidden: the same bundle, written alike, has another id each time");
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

/** Same signatures, same id; others or another order, another id. Sending twice may be refused. */
const hashed = scenario("BND-HASH-02", sending([pair, pair, pair, pair, pair], []), async (context) => {
  const [a, b, c] = transactions(context.target, { count: 3, tip: "all" });
  if (!a || !b || !c) throw new Withheld("no transactions were made");
  const original = await context.ask(bundle([a, b], { id: 7 }));
  const id = accepted(original);
  const shown: Shown[] = [];
  // That order counts is implied by hashing a sequence: on vendors it isn't held against anybody.
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

/** One rule for all bundles, and of their signatures; which one isn't shown. */
const sizes: readonly (readonly [count: number, how: Sending])[] = [
  [1, {}],
  [2, {}],
  [4, { query: [["mev-protect", "true"]], headers: [["engine-region", "fra"]] }],
];

const byOneRule = scenario("BND-HASH-03", sending(sizes.map(([count]) => ({ count, tip: "all" }))), async (context) => {
  accepted(await plain(context));
  const found: { readonly exchange: Exchange; readonly rules: ReturnType<typeof rulesOf> }[] = [];
  for (const [count, how] of sizes) {
    const signed = transactions(context.target, { count, tip: "all" });
    const exchange = await context.ask(bundle(signed, { ...how, id: 20 + count }));
    found.push({ exchange, rules: rulesOf(accepted(exchange), signed) });
  }
  const known = found.flatMap(({ rules }) => rules);
  if (known.length === 0) throw new Withheld("its ids follow none of the rules that we know");
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

/** The id leads to the bundle: null or its own status, never an error. */
const used = scenario("BND-USE-01", sending([], [plainly(2)]), async (context) => {
  const id = accepted(await plain(context, 2));
  const exchange = await context.ask(statuses([[id]], { id: 11 }));
  if (!isServed(exchange))
    return [{ exchange, finding: broken("/error", `null or the status of ${id}`, outcomeOf(exchange)) }];
  const entry = resultOf(exchange, "/value/0");
  if (entry === undefined) throw new Withheld("hidden: there is no entry");
  // How its id is spelled there is another requirement's matter.
  const told = resultOf(exchange, "/value/0/bundle_id");
  const isIts = entry === null || typeof told !== "string" || told.toLowerCase() === id.toLowerCase();
  return [{ exchange, finding: isIts ? held : broken("/result/value/0", `null or the status of ${id}`, entry) }];
});

const regions = ["ams", "dub", "fra", "lon", "nyc", "slc", "sgp", "tyo", "mainnet"];

/** A plain bundle is refused while the same with what is optional is taken. */
const optional = (id: RequirementId, how: Sending): Check =>
  scenario(id, sending([{}], besidePlain), async (context) => {
    accepted(await sent(context, { tip: "all" }, how));
    return [await taken(context, await plain(context), [{ tip: "all" }], [{ tip: "all" }, how])];
  });

const ids = [0, 2 ** 31, 2 ** 53 - 1];

/** Its id is a number (§4.3): one is taken, and laws look at the echo. */
const numbered = scenario("BND-ID-01", { ...sending(ids.map(() => ({}))), shows: ["RPC-ENV-03"] }, async (context) => {
  const shown: Shown[] = [];
  for (const id of ids) {
    const exchange = await sent(context, {}, { id });
    if (isServed(exchange)) shown.push({ exchange, finding: held });
    else if (rpcErrorOf(exchange)?.code === -32600)
      shown.push({ exchange, finding: broken("/error/code", "a numeric id taken", -32600) });
    else accepted(exchange);
  }
  return shown;
});

const keyCode = rowOf("bundles", "key").code;

/** Without a good key a bundle draws the key's code. */
const keyless = (as: "anonymous" | "unknownKey"): readonly Check[] => [
  scenario("AUTH-RPC-BUNDLE-01", sending([{}]), async (context) => {
    accepted(await plain(context));
    const exchange = await sent(context, {}, { as, id: 13 });
    return [
      {
        exchange,
        finding:
          rpcErrorOf(exchange)?.code === keyCode ? held : broken("/error/code", String(keyCode), outcomeOf(exchange)),
      },
    ];
  }),
  // Which is judged first, the key or what is no transaction, is open: of the same error with a key nothing is said.
  check(
    "AUTH-RPC-BUNDLE-01",
    send([["AQID"]], { as, id: 14 }),
    (exchange, context) => drawsKeyCode(exchange, context, send([["AQID"]], { id: 14 })),
    { feature },
  ),
];

async function drawsKeyCode(
  exchange: Exchange,
  { ask }: CheckContext,
  withKey: ReturnType<typeof send>,
): Promise<Finding> {
  if (rpcErrorOf(exchange)?.code === keyCode) return held;
  const other = await ask(withKey);
  if (outcomeOf(other) === outcomeOf(exchange))
    throw new Withheld(`hidden: with a key it draws ${outcomeOf(exchange)} too`);
  return broken("/error/code", String(keyCode), outcomeOf(exchange));
}

/** Whatever is wrong with the bundle, its key isn't: the same one is served elsewhere. */
const isKnownLike: Oracle = async (exchange, context) => {
  if (rpcErrorOf(exchange)?.code !== keyCode) return held;
  const other = await servedLook(context);
  return other.asker?.role === exchange.asker?.role
    ? broken("/error/code", "any code but that of the key, which is served elsewhere", keyCode)
    : held;
};

const isThere: Oracle = (exchange) =>
  rpcErrorOf(exchange)?.code === -32601 ? broken("/error/code", "a method of that name", -32601) : held;

export const checks: readonly Check[] = [
  counts,
  // Of what version transactions are isn't said.
  {
    ...takes("BND-LIM-01", [{ count: 3, version: 0, tip: "all" }]),
    optional: true,
    needs: {
      ...sending([{ count: 3, tip: "all" }]),
      unless: ({ isReference }) => (isReference ? null : "versions of transactions aren't shown"),
    },
  },
  ...[6, 7, 12].map((count) => refuses("BND-LIM-02", { count, tip: "all" })),
  refuses("BND-LIM-02", { count: 6, tip: "all" }, { encoding: "base64" }),
  ...[undefined, [], [null]].map((params) => without("BND-REQ-01", params)),
  ...["x", [1], [{}]].map((listed) => without("BND-REQ-02", [listed])),
  inForm((text) => text),
  inForm((text) => [{ transaction: text }]),
  inForm((text) => ({ 0: text })),
  without("BND-EMPTY-01", [[]]),
  without("BND-EMPTY-01", [[], { encoding: "base64" }]),
  refuses("BND-TIP-01", { count: 1, tip: "none" }, {}, true),
  refuses("BND-TIP-01", { count: 2, tip: "none" }, { encoding: "base64" }, true),
  refuses("BND-TIP-01", { count: 2, tip: "to nobody" }, {}, true),
  takes("BND-TIP-02", ...[0, 1, 2, 3, 4].map((tip) => [{ count: 5, tip }] as const)),
  ...(["first", "one of two", "forged"] as const).map((unsigned) =>
    refuses("BND-SIGN-01", { unsigned, tip: "all" }, {}, true),
  ),
  ...(["last", "forged"] as const).map((unsigned) =>
    refuses("BND-SIGN-01", { count: 2, unsigned, tip: "all" }, { encoding: "base64" }, true),
  ),
  readAs("BND-ENC-01", "base64"),
  readAs("BND-ENC-02", "base58"),
  readAs("BND-ENC-03", "base58", { isBare: true }),
  readAs("BND-ENC-03", "base58", { options: {} }),
  ...["base32", "utf-8"].map((encoding) =>
    refuses("BND-ENC-04", { tip: "all" }, { encoding: "base58", options: { encoding } }),
  ),
  asHex,
  takes("BND-MEV-01", ...["true", "false"].map((text) => [{}, { query: [["mev-protect", text]] }] as const)),
  optional("BND-MEV-01", { query: [["mev-protect", "false"]] }),
  takes("BND-REG-01", ...regions.map((region) => [{}, { headers: [["engine-region", region]] }] as const)),
  optional("BND-REG-02", { headers: [["engine-region", "fra"]] }),
  numbered,
  hashed,
  byOneRule,
  used,
  ...(["anonymous", "unknownKey"] as const).flatMap(keyless),
  check("GEN-SURF-01", send([], { id: 12 }), isThere, { feature }),
  ...(["owner"] as const).map((as) =>
    check("AUTH-RPC-QRY-01", send([["AQID"]], { as, id: 18 }), isKnownLike, { feature, optional: true }),
  ),
];
