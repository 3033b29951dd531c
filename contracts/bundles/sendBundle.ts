// Checks of sendBundle: which bundles are accepted, and which are refused beside a positive control (§4.3, §8)

import { broken, type Finding, held, heldInPart, must } from "../../harness/core/finding.ts";
import { notSeen } from "../../harness/core/outcomes.ts";
import { unlike } from "../../harness/core/quoting.ts";
import { otherNeed } from "../../harness/core/reason.ts";
import type { Template } from "../../harness/core/template.ts";
import { type Check, type Oracle, type Shown } from "../../harness/model/check.ts";
import { describeOutcome, isServed, rpcErrorOf } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { returnedBy } from "../../harness/transport/fates.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { inTurn } from "../shared/inTurn.ts";
import { errorRowOf } from "../shared/jsonRpcOracles.ts";
import { maskedBy } from "../shared/masked.ts";
import { plainSends } from "./landed.ts";
import {
  type BundleToSend,
  besidePlain,
  confirming,
  refused,
  refusedBesideStatus,
  refusedInTheEnd,
  taken,
} from "./outcomes.ts";
import {
  accepted,
  type BundleSending,
  check,
  encodedTransaction,
  inRegion,
  plainly,
  protecting,
  scenario,
  sendBundleRequest,
  sending,
  sendPlain,
  sent,
  servedStatus,
  transactions,
  type WantedBundle,
} from "./requests.ts";
import type { Signed } from "./transactions.ts";

/** One to five transactions; where none is accepted, the target file may be at fault, or the blockhash isn't recent. */
const counts = scenario(
  "BND-LIM-01",
  {
    ...sending(
      confirming(4, { count: 5, tip: "all" }),
      [1, 2, 3, 4, 5].map((count) => plainly(count)),
    ),
    shows: ["BND-RES-01", "BND-HASH-01"],
  },
  async (context): Promise<readonly Shown[]> => {
    const exchanges = await inTurn([1, 2, 3, 4, 5], (count) => sendPlain(context, count));
    if (!exchanges.some(isServed))
      throw notSeen(`no bundle was accepted: ${unlike(exchanges.map(returnedBy)).join(", ")}`);
    return taken(context, exchanges, [{ count: exchanges.findLastIndex(isServed) + 1, tip: "all" }]);
  },
);

const wantedOf = (all: readonly BundleToSend[]): readonly WantedBundle[] => all.map(([wanted]) => wanted);

/** Bundles that must be accepted, after a plain one of their size was. */
function takes(id: RequirementId, ...all: readonly BundleToSend[]): Check {
  const count = Math.max(...wantedOf(all).map((one) => one.count ?? 1));
  const positiveControl: WantedBundle = { count, tip: "all" };
  return besidePlain(id, [...wantedOf(all), ...confirming(all.length, positiveControl)], { count }, async (context) =>
    taken(context, await inTurn(all, (one) => sent(context, ...one)), [positiveControl]),
  );
}

/** One bundle that must be refused at once, beside a plain one of at most its size that is accepted. */
const refuses = (id: RequirementId, wanted: WantedBundle, how: BundleSending = {}): Check =>
  besidePlain(id, [wanted], { count: Math.min(wanted.count ?? 1, 5) }, async (context) => [
    refused(await sent(context, wanted, how)),
  ]);

/** Bundles that must be refused at once or later, beside a plain one; `isEnough` as in `refusedInTheEnd`. */
const neverLand = (id: RequirementId, isEnough: boolean, ...all: readonly BundleToSend[]): Check =>
  scenario(id, sending(wantedOf(all), plainSends), async (context) => {
    accepted(await sendPlain(context));
    return refusedInTheEnd(context, await inTurn(all, (one) => sent(context, ...one)), isEnough);
  });

/** An unknown method or key shows nothing about params. */
const isOfParams = (exchange: Exchange): boolean => ![-32601, -32001].includes(rpcErrorOf(exchange)?.code ?? 0);

/** Refused while another call with the same key is served. It has no transactions, so that nothing can run. */
const beside: Oracle = (exchange, context) => {
  if (!isServed(exchange) && !isOfParams(exchange)) throw maskedBy(exchange);
  return refusedBesideStatus("an error")(exchange, context);
};

const without = (id: RequirementId, params: Template | undefined): Check =>
  check(id, sendBundleRequest(params, { id: 2 }), beside);

/** A valid transaction in an undocumented form. */
const inForm = (id: RequirementId, callId: number, paramsOf: (signed: Signed) => Template): Check =>
  besidePlain(id, [{}], {}, async (context) => {
    const [params = null] = (await transactions(context, {})).map(paramsOf);
    return [refused(await context.ask(sendBundleRequest(params, { id: callId })))];
  });
const misplaced = (formOf: (text: string) => Template): Check =>
  inForm("BND-REQ-02", 3, (signed) => [formOf(encodedTransaction(signed, "base64")), { encoding: "base64" }]);

const regions = ["ams", "dub", "fra", "lon", "nyc", "slc", "sgp", "tyo", "mainnet"];

/** A plain bundle is accepted as one with the option is. */
const optional = (id: RequirementId, how: BundleSending): Check =>
  scenario(id, sending([{}, ...confirming(1, {})]), async (context) => {
    accepted(await sent(context, { tip: "all" }, how));
    return taken(context, [await sendPlain(context)], [{ tip: "all" }, how]);
  });

/** Only the refusal of an unknown region, or a log of routes, shows that the header has an effect. */
const inRegions = besidePlain(
  "BND-REG-01",
  [...regions.map(() => ({})), {}, ...confirming(regions.length, { tip: "all" })],
  {},
  async (context) => {
    const positiveControl: BundleToSend = [{ tip: "all" }];
    const shown = await taken(
      context,
      await inTurn(regions, (region) => sent(context, {}, inRegion(region))),
      positiveControl,
    );
    if (context.target.control) return shown;
    const exchange = await sent(context, {}, inRegion("mars"));
    const noEffect = heldInPart("the effect of a region, which isn't observable: an unknown one is accepted, too");
    return isServed(exchange) ? [...shown, { exchange, finding: noEffect }] : shown;
  },
);

const ids = [0, 2 ** 31, 2 ** 53 - 1];

/** JSON-RPC ids are numbers here (§4.3): they are accepted, and laws judge the echo. */
const numbered = scenario("BND-ID-01", { ...sending(ids.map(() => ({}))), shows: ["RPC-ENV-03"] }, (context) =>
  inTurn(ids, async (id): Promise<Shown> => {
    const exchange = await sent(context, {}, { id });
    if (isServed(exchange)) return { exchange, finding: held };
    if (rpcErrorOf(exchange)?.code !== -32600) throw maskedBy(exchange, "a plain bundle");
    return { exchange, finding: broken("/error/code", "a numeric id accepted", -32600) };
  }),
);

const keyCode = errorRowOf("bundles", "key").code;

const hasKeyCode: Oracle = async (exchange, { ask }) => {
  if (rpcErrorOf(exchange)?.code === keyCode) return held;
  const withKey = await ask(sendBundleRequest([["AQID"]], { id: 14 }));
  if (describeOutcome(withKey) === describeOutcome(exchange)) throw maskedBy(withKey, "the same call with a key");
  return broken("/error/code", String(keyCode), describeOutcome(exchange));
};

const keyError = (exchange: Exchange): Finding =>
  must(rpcErrorOf(exchange)?.code === keyCode, "/error/code", String(keyCode), describeOutcome(exchange));

const keyless = (as: "anonymous" | "unknownKey"): readonly Check[] => [
  besidePlain("AUTH-RPC-BUNDLE-01", [{}, ...confirming(1, {})], {}, async (context) => {
    const exchange = await sent(context, {}, { as, id: 13 });
    if (isServed(exchange)) return [{ exchange, finding: keyError(exchange) }];
    return taken(context, [exchange], [{}], keyError);
  }),
  // Whether key or transaction is judged first is unspecified: an error that comes with a key, too, shows nothing.
  check("AUTH-RPC-BUNDLE-01", sendBundleRequest([["AQID"]], { as, id: 14 }), hasKeyCode),
];

/** Any refusal but one for the key, which is served elsewhere. */
const isKnownLike: Oracle = async (exchange, context) => {
  if (rpcErrorOf(exchange)?.code !== keyCode) return held;
  const other = await servedStatus(context);
  const isServedElsewhere = other.asker?.role === exchange.asker?.role;
  return must(!isServedElsewhere, "/error/code", "any code but that of the key, which is served elsewhere", keyCode);
};

const isThere: Oracle = (exchange) =>
  must(rpcErrorOf(exchange)?.code !== -32601, "/error/code", "a method of that name", -32601);

export const checks: readonly Check[] = [
  counts,
  // The interface doesn't name versions of transactions.
  {
    ...takes("BND-LIM-01", [{ count: 3, version: 0, tip: "all" }]),
    optional: true,
    needs: {
      ...sending([{ count: 3, tip: "all" }]),
      unless: ({ isReference }) => (isReference ? null : otherNeed("versions of transactions aren't shown")),
    },
  },
  ...[6, 7, 12].map((count) => refuses("BND-LIM-02", { count, tip: "all" })),
  refuses("BND-LIM-02", { count: 6, tip: "all" }, { encoding: "base64" }),
  ...[undefined, [], [null]].map((params) => without("BND-REQ-01", params)),
  ...["x", [1], [{}]].map((listed) => without("BND-REQ-02", [listed])),
  misplaced((text) => text),
  misplaced((text) => [{ transaction: text }]),
  misplaced((text) => ({ 0: text })),
  without("BND-EMPTY-01", [[]]),
  without("BND-EMPTY-01", [[], { encoding: "base64" }]),
  neverLand(
    "BND-TIP-01",
    false,
    [{ count: 1, tip: "none" }],
    [{ count: 2, tip: "none" }, { encoding: "base64" }],
    [{ count: 2, tip: "elsewhere" }],
  ),
  takes("BND-TIP-02", ...[0, 1, 2, 3, 4].map((tip) => [{ count: 5, tip }] as const)),
  ...(["first", "one of two"] as const).map((unsigned) => refuses("BND-SIGN-01", { unsigned, tip: "all" })),
  refuses("BND-SIGN-01", { count: 2, unsigned: "last", tip: "all" }, { encoding: "base64" }),
  neverLand(
    "BND-SIGN-01",
    true,
    [{ unsigned: "forged", tip: "all" }],
    [{ count: 2, unsigned: "forged", tip: "all" }, { encoding: "base64" }],
  ),
  ...["base32", "utf-8"].map((encoding) =>
    refuses("BND-ENC-04", { tip: "all" }, { encoding: "base58", options: { encoding } }),
  ),
  inForm("BND-ENC-04", 6, ({ bytes }) => [[Buffer.from(bytes).toString("hex")], { encoding: "hex" }]),
  takes("BND-MEV-01", [{}, protecting("true")], [{}, protecting("false")]),
  optional("BND-MEV-01", protecting("false")),
  inRegions,
  optional("BND-REG-02", inRegion("fra")),
  numbered,
  ...(["anonymous", "unknownKey"] as const).flatMap(keyless),
  check("GEN-SURF-01", sendBundleRequest([], { id: 12 }), isThere),
  check("AUTH-RPC-QRY-01", sendBundleRequest([["AQID"]], { id: 18 }), isKnownLike, { optional: true }),
];
