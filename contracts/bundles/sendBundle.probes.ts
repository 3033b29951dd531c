// What is left open about what sendBundle takes: encodings, ids, flags, regions? (§4.3, §7.2) No text that is sent to a vendor can be a transaction.

import type { Json } from "../../harness/core/json.ts";
import type { Stimulus } from "../../harness/core/stimulus.ts";
import type { Template } from "../../harness/core/template.ts";
import type { Answered } from "../../harness/model/fingerprint.ts";
import type { Probe } from "../../harness/model/probe.ts";
import type { MadeProject } from "../../harness/transport/control.ts";
import { describeId } from "../jsonrpc/describeEnvelope.ts";
import { unjudged } from "../shared/describeCalls.ts";
import { resultOf } from "../shared/jsonRpcOracles.ts";
import { bundleRequestProbe, nothing, type Put, reallySent, worded } from "./describeCalls.ts";
import { bundle, type Encoding, type Sending, send, transactions, type Wanted, written } from "./requests.ts";

/** In base64 alone: base58 has none of these letters. */
const inBase64Alone = "0OIl";

type Cases = { readonly [name: string]: Stimulus };
type Puts = { readonly [name: string]: Put };
const mapped = <One, Other>(
  record: { readonly [name: string]: One },
  change: (one: One) => Other,
): { readonly [name: string]: Other } =>
  Object.fromEntries(Object.entries(record).map(([name, one]) => [name, change(one)]));

const of = (text: Template, options?: Template): Stimulus =>
  send([[text], ...(options === undefined ? [] : [options])], { id: 2 });
const base64 = { encoding: "base64" } as const;

const whole: Wanted = { tip: "all" };
const good =
  (how: Sending, wanted = whole): Put =>
  (target, as) =>
    bundle(transactions(target, wanted), { ...how, as });

/** Codes, words and HTTP statuses, by what is wrong. */
const withoutTransactions: Cases = {
  "params absent": send(undefined, { id: 2 }),
  "params []": send([], { id: 2 }),
  "params {}": send({}, { id: 2 }),
  "null for the bundle": send([null], { id: 2 }),
  "a text for the bundle": send(["x"], { id: 2 }),
  "an empty bundle": send([[]], { id: 2 }),
  "a number for a transaction": of(1),
  "what is no transaction": of(nothing),
  "what is no transaction, in base64": of(nothing, base64),
  "an encoding that there isn't": of(nothing, { encoding: "hex" }),
  "no key": send([[nothing]], { as: "anonymous", id: 2 }),
  "an unknown key": send([[nothing]], { as: "unknownKey", id: 2 }),
};
const withTransactions: Puts = {
  "6 transactions": good({}, { count: 6, tip: "all" }),
  "no tip": good({}, { tip: "none" }),
  "a tip to nobody's account": good({}, { tip: "to nobody" }),
  "a signature missing": good({}, { tip: "all", unsigned: "one of two" }),
};

/** What params[1] says, and how a good bundle is written beside it. */
const options: { readonly [name: string]: readonly [options: Template, encoding: Encoding] } = {
  'for comparison: "base64"': [base64, "base64"],
  '"BASE64"': [{ encoding: "BASE64" }, "base64"],
  '"Base58"': [{ encoding: "Base58" }, "base58"],
  '""': [{ encoding: "" }, "base58"],
  null: [{ encoding: null }, "base58"],
  "an unknown key beside it": [{ ...base64, assayUnknown: true }, "base64"],
  "params[1] null": [null, "base58"],
};

/** Base64 that RFC 4648 §4 doesn't have, and the same as it does. */
const spellings: { readonly [name: string]: string } = {
  "for comparison: +/+/": "+/+/",
  "url-safe letters": "-_-_",
  "for comparison: padded": "AQI=",
  unpadded: "AQI",
  "a space within": "AQ ID",
  "a line's end behind": "AQID\n",
};
const respelled = (change: (text: string) => string): Put => {
  const isTelling = (text: string): boolean => /[+/]/.test(text) && text.endsWith("=") && change(text) !== text;
  return (target, as) => {
    // By chance a text has none of the letters in question.
    const texts = Array.from(
      { length: 20 },
      (_, nth) =>
        transactions(target, { ...whole, version: nth % 2 ? 0 : "legacy" }).map((one) => written(one, "base64"))[0] ??
        "",
    );
    return send([[change(texts.find(isTelling) ?? "")], base64], { as, id: 2 });
  };
};

const flags: { readonly [name: string]: Sending["query"] & object } = {
  "for comparison: true": [["mev-protect", "true"]],
  "1": [["mev-protect", "1"]],
  yes: [["mev-protect", "yes"]],
  TRUE: [["mev-protect", "TRUE"]],
  empty: [["mev-protect", ""]],
  "true, then false": [
    ["mev-protect", "true"],
    ["mev-protect", "false"],
  ],
  "false, then true": [
    ["mev-protect", "false"],
    ["mev-protect", "true"],
  ],
};

const regions: { readonly [name: string]: Sending["headers"] & object } = {
  absent: [],
  mainnet: [["engine-region", "mainnet"]],
  "an unknown one": [["engine-region", "mars"]],
  "in capitals": [["engine-region", "NYC"]],
  empty: [["engine-region", ""]],
  "two of them": [["engine-region", "nyc,fra"]],
};

/** Where control says that it went. */
const describeRoute =
  (
    summary: (route: {
      readonly region: string;
      readonly isPinned: boolean;
      readonly avoidsFlagged: boolean;
    }) => string,
  ) =>
  async (answered: Answered, project: MadeProject): Promise<Json> => {
    const route = (await project.routes()).find((one) => one.bundle === resultOf(answered));
    return route ? `taken: ${summary(route)}` : "taken, without a route";
  };
const protection = describeRoute(({ avoidsFlagged }) =>
  avoidsFlagged ? "flagged validators avoided" : "flagged validators not avoided",
);
const place = describeRoute(({ region, isPinned }) => (isPinned ? `to ${region}` : "no region pinned"));

const withId = (answered: Answered): string => `${worded(answered)}, ${describeId(answered)}`;
const textIds = ["x", "7"] as const;

export const probes: readonly Probe[] = [
  bundleRequestProbe("OBS-BND-CODES", withoutTransactions, {
    besides: (context) => reallySent(context, withTransactions),
  }),
  bundleRequestProbe(
    "OBS-BND-B64DEFAULT",
    {
      "no encoding named": of(inBase64Alone),
      "for comparison: base64 named": of(inBase64Alone, base64),
      "for comparison: base58 named": of(inBase64Alone, { encoding: "base58" }),
    },
    {
      besides: (context) =>
        reallySent(context, { "in base64, no encoding named": good({ encoding: "base64", isBare: true }) }),
    },
  ),
  bundleRequestProbe(
    "OBS-BND-ENCCASE",
    mapped(options, ([said]) => of(nothing, said)),
    {
      besides: (context) =>
        reallySent(
          context,
          mapped(options, ([said, encoding]) => good({ encoding, options: said })),
        ),
    },
  ),
  bundleRequestProbe(
    "OBS-BND-B64URL",
    mapped(spellings, (text) => of(text, base64)),
    {
      besides: (context) =>
        reallySent(context, {
          "url-safe letters": respelled((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
          unpadded: respelled((text) => text.replaceAll("=", "")),
          "a line's end within": respelled((text) => `${text.slice(0, 76)}\n${text.slice(76)}`),
        }),
    },
  ),
  bundleRequestProbe(
    "OBS-BND-STRID",
    Object.fromEntries(textIds.map((id) => [`id "${id}"`, unjudged(send([[nothing], base64], { id }))])),
    {
      summary: withId,
      besides: (context) =>
        reallySent(
          context,
          Object.fromEntries(
            textIds.map(
              (id) =>
                [
                  `id "${id}"`,
                  (target, as) =>
                    send([transactions(target, whole).map((one) => written(one, "base64")), base64], { as, id }),
                ] as const,
            ),
          ),
          (answered) => `taken, ${describeId(answered)}`,
        ),
    },
  ),
  bundleRequestProbe(
    "OBS-BND-MEVVAL",
    mapped(flags, (query) => ({ ...of(nothing, base64), query })),
    {
      besides: (context) =>
        reallySent(
          context,
          mapped(flags, (query) => good({ query })),
          protection,
        ),
    },
  ),
  bundleRequestProbe(
    "OBS-BND-REGION",
    mapped(regions, (headers) => ({
      ...of(nothing, base64),
      headers: [["content-type", "application/json"], ...headers],
    })),
    {
      besides: (context) =>
        reallySent(
          context,
          mapped(regions, (headers) => good({ headers })),
          place,
        ),
    },
  ),
];
