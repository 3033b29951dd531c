// Probes of what sendBundle accepts: encodings, ids, flags, regions; vendors get no transactions (§4.3, §7.2)
import type { Json } from "../../harness/core/json.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import type { Template } from "../../harness/core/template.ts";
import type { AnsweredExchange } from "../../harness/model/fingerprint.ts";
import type { Probe, ProbeContext } from "../../harness/model/probe.ts";
import type { MadeProject } from "../../harness/transport/control.ts";
import type { BundleRoute } from "../shared/control.ts";
import { asUndescribed } from "../shared/describeCalls.ts";
import { describeId } from "../shared/describeEnvelope.ts";
import { inTurn } from "../shared/inTurn.ts";
import { resultOf } from "../shared/jsonRpcOracles.ts";
import { bundleAnswerText, bundleRequestProbe, type MakeBundle, noTransaction } from "./describeCalls.ts";
import {
  type BundleSending,
  bundle,
  type Encoding,
  encodedTransaction,
  sendBundleRequest,
  transactions,
  type WantedBundle,
} from "./requests.ts";

/** Base64 only: base58 has none of these letters. */
const onlyBase64 = "0OIl";

type Named<One> = { readonly [name: string]: One };
const mapped = <One, Other>(record: Named<One>, change: (one: One) => Other): Named<Other> =>
  Object.fromEntries(Object.entries(record).map(([name, one]) => [name, change(one)]));

const of = (text: Template, options?: Template): RequestSpec =>
  sendBundleRequest([[text], ...(options === undefined ? [] : [options])], { id: 2 });
const base64 = { encoding: "base64" } as const;

const whole: WantedBundle = { tip: "all" };
const wholeTexts = async (context: ProbeContext, wanted: WantedBundle): Promise<readonly string[]> =>
  (await transactions(context, wanted)).map((one) => encodedTransaction(one, "base64"));
const validBundle =
  (how: BundleSending, wanted = whole): MakeBundle =>
  async (context, as) =>
    bundle(await transactions(context, wanted), { ...how, as });

const withoutTransactions: Named<RequestSpec> = {
  "params absent": sendBundleRequest(undefined, { id: 2 }),
  "params []": sendBundleRequest([], { id: 2 }),
  "params {}": sendBundleRequest({}, { id: 2 }),
  "null for the bundle": sendBundleRequest([null], { id: 2 }),
  "a text for the bundle": sendBundleRequest(["x"], { id: 2 }),
  "an empty bundle": sendBundleRequest([[]], { id: 2 }),
  "a number for a transaction": of(1),
  "what is no transaction": of(noTransaction),
  "what is no transaction, in base64": of(noTransaction, base64),
  "an encoding that there isn't": of(noTransaction, { encoding: "hex" }),
  "no key": sendBundleRequest([[noTransaction]], { as: "anonymous", id: 2 }),
  "an unknown key": sendBundleRequest([[noTransaction]], { as: "unknownKey", id: 2 }),
};
const withTransactions: Named<MakeBundle> = {
  "6 transactions": validBundle({}, { count: 6, tip: "all" }),
  "no tip": validBundle({}, { tip: "none" }),
  "a tip to another account": validBundle({}, { tip: "elsewhere" }),
  "a signature missing": validBundle({}, { tip: "all", unsigned: "one of two" }),
};

/** params[1], and the encoding of a valid bundle sent with it. */
const options: Named<readonly [options: Template, encoding: Encoding]> = {
  'for comparison: "base64"': [base64, "base64"],
  '"BASE64"': [{ encoding: "BASE64" }, "base64"],
  '"Base58"': [{ encoding: "Base58" }, "base58"],
  '""': [{ encoding: "" }, "base58"],
  null: [{ encoding: null }, "base58"],
  "an unknown key beside it": [{ ...base64, assayUnknown: true }, "base64"],
  "params[1] null": [null, "base58"],
};

/** Base64 beyond RFC 4648 §4, each beside its standard form. */
const spellings: Named<string> = {
  "for comparison: +/+/": "+/+/",
  "url-safe letters": "-_-_",
  "for comparison: padded": "AQI=",
  unpadded: "AQI",
  "a space within": "AQ ID",
  "a line's end behind": "AQID\n",
};
const respelled = (change: (text: string) => string): MakeBundle => {
  const isAffected = (text: string): boolean => /[+/]/.test(text) && text.endsWith("=") && change(text) !== text;
  return async (context, as) => {
    // By chance a text may lack the letters in question.
    const texts = await inTurn(Array.from({ length: 20 }), (_, nth) =>
      wholeTexts(context, { ...whole, version: nth % 2 ? 0 : "legacy" }),
    );
    return sendBundleRequest([[change(texts.flat().find(isAffected) ?? "")], base64], { as, id: 2 });
  };
};

/** Values of `mev-protect`. */
const flags: Named<readonly string[]> = {
  "for comparison: true": ["true"],
  "1": ["1"],
  yes: ["yes"],
  TRUE: ["TRUE"],
  empty: [""],
  "true, then false": ["true", "false"],
  "false, then true": ["false", "true"],
};
const queryOf = (values: readonly string[]) => values.map((value) => ["mev-protect", value] as const);

const regions: Named<NonNullable<BundleSending["headers"]>> = {
  absent: [],
  mainnet: [["engine-region", "mainnet"]],
  "an unknown one": [["engine-region", "mars"]],
  "in capitals": [["engine-region", "NYC"]],
  empty: [["engine-region", ""]],
  "two of them": [["engine-region", "nyc,fra"]],
};

/** The route of an accepted bundle, by control. */
const describeRoute =
  (summary: (route: BundleRoute) => string) =>
  async (answered: AnsweredExchange, project: MadeProject): Promise<Json> => {
    const route = (await project.routes()).find((one) => one.bundle === resultOf(answered));
    return route ? `taken: ${summary(route)}` : "taken, without a route";
  };

const textIds = { 'id "x"': "x", 'id "7"': "7" };

export const probes: readonly Probe[] = [
  bundleRequestProbe("OBS-BND-CODES", { cases: withoutTransactions, really: withTransactions }),
  bundleRequestProbe("OBS-BND-B64DEFAULT", {
    cases: {
      "no encoding named": of(onlyBase64),
      "for comparison: base64 named": of(onlyBase64, base64),
      "for comparison: base58 named": of(onlyBase64, { encoding: "base58" }),
    },
    really: { "in base64, no encoding named": validBundle({ encoding: "base64", isBare: true }) },
  }),
  bundleRequestProbe("OBS-BND-ENCCASE", {
    cases: mapped(options, ([second]) => of(noTransaction, second)),
    really: mapped(options, ([second, encoding]) => validBundle({ encoding, options: second })),
  }),
  bundleRequestProbe("OBS-BND-B64URL", {
    cases: mapped(spellings, (text) => of(text, base64)),
    really: {
      "url-safe letters": respelled((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
      unpadded: respelled((text) => text.replaceAll("=", "")),
      "a line's end within": respelled((text) => `${text.slice(0, 76)}\n${text.slice(76)}`),
    },
  }),
  bundleRequestProbe("OBS-BND-STRID", {
    cases: mapped(textIds, (id) => asUndescribed(sendBundleRequest([[noTransaction], base64], { id }))),
    summary: (answered) => `${bundleAnswerText(answered)}, ${describeId(answered)}`,
    really: mapped(
      textIds,
      (id): MakeBundle =>
        async (context, as) =>
          sendBundleRequest([await wholeTexts(context, whole), base64], { as, id }),
    ),
    sees: (answered) => `taken, ${describeId(answered)}`,
  }),
  bundleRequestProbe("OBS-BND-MEVVAL", {
    cases: mapped(flags, (values) => ({ ...of(noTransaction, base64), query: queryOf(values) })),
    really: mapped(flags, (values) => validBundle({ query: queryOf(values) })),
    sees: describeRoute(({ avoidsFlagged }) => `flagged validators ${avoidsFlagged ? "" : "not "}avoided`),
  }),
  bundleRequestProbe("OBS-BND-REGION", {
    cases: mapped(regions, (headers) => ({
      ...of(noTransaction, base64),
      headers: [["content-type", "application/json"], ...headers],
    })),
    really: mapped(regions, (headers) => validBundle({ headers })),
    sees: describeRoute(({ region, isPinned }) => (isPinned ? `to ${region}` : "no region pinned")),
  }),
];
