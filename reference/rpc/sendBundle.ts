// sendBundle: decode, verify signatures, tip and route, then send (§4.3)
import type { BookRoute } from "../bundles/book.ts";
import { bundleIdOf } from "../bundles/bundleId.ts";
import { readTransaction, type Transaction, type TransactionEncoding } from "../bundles/transactions.ts";
import type { BundleRules, SendChoices } from "../platform/bundleRules.ts";
import { chainAddressOf } from "../platform/chain.ts";
import { isDocValue, type Value } from "../platform/wire.ts";
import type { RpcContext, ServedMethod } from "./method.ts";
import { needs, Refused } from "./refusals.ts";

/** Accounts designated for tips. */
export const tipAccounts: readonly string[] = Array.from({ length: 8 }, (_, nth) => chainAddressOf(`tip ${nth}`));

/** The region nearest to this platform. */
const nearest = "fra";

const noList = "there is no list of signed transactions";

/** The texts of the bundle, cut to the maximum where the rules cut. @throws Refused */
export function textsOf(params: Value | undefined, rules: BundleRules): readonly string[] {
  if (!Array.isArray(params) || params.length === 0 || params[0] === undefined) {
    needs(rules.noParams === "taken for an empty bundle", noList);
    return [];
  }
  const [listed] = params;
  const list = typeof listed === "string" && rules.elements === "a bare text too" ? [listed] : listed;
  needs(Array.isArray(list), noList);
  const texts =
    rules.elements === "objects too" ? list.map((one) => (isDocValue(one) ? (one["transaction"] ?? null) : one)) : list;
  const areTexts = texts.every((one) => typeof one === "string");
  needs(areTexts, "each transaction is a text, in base64 or base58");
  needs(texts.length >= (texts.length === 0 && rules.empty === "accepted" ? 0 : rules.least), "the bundle is empty");
  const areFew = rules.most === null || texts.length <= rules.most || rules.beyondMost === "cut off";
  needs(areFew, `the bundle has ${texts.length} transactions, and at most ${rules.most} are allowed`);
  return rules.most === null ? texts : texts.slice(0, rules.most);
}

/** What the options say; undefined where they name no encoding. @throws Refused for options that can't be read */
function namedEncoding(
  params: Value | undefined,
  { nulls, unknownOptions, emptyEncoding, encodingNames }: SendChoices,
): Value | undefined {
  const options = Array.isArray(params) ? params[1] : undefined;
  const areOptions = options === undefined || isDocValue(options) || (options === null && nulls === "as absent");
  needs(areOptions, 'params[1] is no object, such as { "encoding": "base64" }');
  if (!isDocValue(options)) return undefined;
  needs(unknownOptions === "ignored" || Object.keys(options).every((name) => name === "encoding"));
  const { encoding } = options;
  needs(encoding !== null || nulls === "as absent");
  if (encoding === null || (encoding === "" && emptyEncoding === "as absent")) return undefined;
  return typeof encoding === "string" && encodingNames === "in any case" ? encoding.toLowerCase() : encoding;
}

const isBase58 = (text: string): boolean => /^[1-9A-HJ-NP-Za-km-z]+$/.test(text);

/** @throws Refused for an encoding that isn't documented */
export function encodingOf(
  params: Value | undefined,
  texts: readonly string[],
  { encodings, withoutEncoding, otherEncoding, choices }: BundleRules,
): TransactionEncoding | "hex" {
  const named = namedEncoding(params, choices.sends);
  if (encodings === "always base58") return "base58";
  if (named === undefined) {
    needs(withoutEncoding !== "refused");
    const isRead = choices.sends.unnamedBase64 === "read" && !texts.every(isBase58);
    return withoutEncoding === "base64" || isRead ? "base64" : "base58";
  }
  if (named === "base64") return encodings === "base64 as base58" ? "base58" : "base64";
  if (named === "base58") {
    needs(encodings !== "base58 refused");
    return encodings === "base58 as base64" ? "base64" : "base58";
  }
  if (named === "hex" && otherEncoding === "hex too") return "hex";
  needs(otherEncoding === "base58" && typeof named === "string", "the encoding is neither base64 nor base58");
  return "base58";
}

/** Base64 as in RFC 4648 §4, from the variants that the rules accept. */
const strictly = (text: string, { base64 }: SendChoices): string =>
  ({
    strict: text,
    "url-safe too": text.replaceAll("-", "+").replaceAll("_", "/"),
    "unpadded too": text.padEnd(Math.ceil(text.length / 4) * 4, "="),
    "with white space too": text.replace(/\s/g, ""),
  })[base64];

/** @throws Refused for a text that is no transaction */
export async function transactionsOf(
  texts: readonly string[],
  encoding: TransactionEncoding | "hex",
  { choices: { sends } }: BundleRules,
): Promise<readonly Transaction[]> {
  const inBase64 = (text: string): string =>
    encoding === "hex" ? Buffer.from(text, "hex").toString("base64") : strictly(text, sends);
  const misspelled = encoding === "base58" ? texts.findIndex((text) => !isBase58(text)) : -1;
  if (misspelled >= 0)
    throw new Refused(sends.misspelled, `transaction ${misspelled} isn't in base58; for base64, name that encoding`);
  const read = await Promise.all(
    texts.map((text) =>
      encoding === "base58" ? readTransaction(text, encoding) : readTransaction(inBase64(text), "base64"),
    ),
  );
  const transactions = read.filter((one) => one !== null);
  if (transactions.length < texts.length)
    throw new Refused(sends.undecodable, `transaction ${read.indexOf(null)} is no transaction in ${encoding}`);
  return transactions;
}

const tips = ({ transfers }: Transaction, { tip, leastTip }: BundleRules): boolean =>
  transfers.some(({ to, lamports }) => tip === "any transfer" || (tipAccounts.includes(to) && lamports >= leastTip));

function hasTip(transactions: readonly Transaction[], rules: BundleRules): boolean {
  const tipped = transactions.map((one) => tips(one, rules));
  return {
    "in any transaction": tipped.includes(true),
    "any transfer": tipped.includes(true),
    "not needed": true,
    "in the last": tipped.at(-1) === true,
    "in the first": tipped[0] === true,
    "in every one": !tipped.includes(false),
  }[rules.tip];
}

/** @throws Refused where a signature or the tip is missing */
export function examine(transactions: readonly Transaction[], rules: BundleRules): void {
  const isJudgedLater = rules.choices.sends.signaturesJudged === "after it is taken";
  const isTaken = ({ isSigned, isPartlySigned, isFilled }: Transaction): boolean =>
    ({
      all: isJudgedLater ? isFilled : isSigned,
      "not looked at": true,
      "one is enough": isPartlySigned,
      "not verified": isFilled,
    })[rules.signatures];
  const refused = transactions.findIndex((one) => !isTaken(one));
  needs(refused < 0, `transaction ${refused} lacks a signature, or one that fits its message`);
  const signatures = new Set(transactions.map(({ signature }) => signature));
  const areTaken = rules.choices.sends.duplicates === "taken" || signatures.size === transactions.length;
  needs(areTaken, "the same transaction is in the bundle twice");
  const isTipped = hasTip(transactions, rules) || (transactions.length === 0 && rules.empty === "accepted");
  needs(isTipped, `the tip is missing: no transaction sends ${rules.leastTip} lamports to a tip account`);
}

/** The region that a request names; null for none. @throws Refused for an undocumented one */
function regionOf(named: string | null, { regions, choices: { sends } }: BundleRules): string | null {
  const [first = ""] = (named ?? "").split(",");
  const routed = sends.regionLists === "the first counts" ? first : (named ?? "");
  const region = sends.regionCase === "any" ? routed.toLowerCase() : routed;
  if (named === null || (region === "" && sends.emptyRegion === "as absent")) return null;
  if (regions.includes(region)) return region;
  needs(sends.unknownRegions === "ignored", `engine-region is none of ${regions.join(", ")}`);
  return null;
}

/** Reads what stands for true or false; other text stays as it is. @throws Refused */
function flagOf(text: string | null, { mevTexts, emptyMev }: SendChoices): string | null {
  if (text === null || text === "true" || text === "false") return text;
  const taken = text === "" ? emptyMev : mevTexts;
  needs(taken !== "refused");
  return taken === "true" && /^(?:1|yes|true)?$/i.test(text) ? "true" : text;
}

/** @throws Refused for an undocumented region, or a missing one where it is required */
function routeOf({ params, carried, rules: { bundles: rules } }: RpcContext): BookRoute {
  const options = Array.isArray(params) && isDocValue(params[1]) ? params[1] : {};
  const given = rules.region === "from the query" ? carried.query("engine-region") : carried.header("engine-region");
  needs(given !== null || rules.region !== "required");
  const named = regionOf(given, rules);
  const exchanged: { readonly [region: string]: string } =
    rules.region === "lon and fra exchanged" ? { lon: "fra", fra: "lon" } : {};
  const pinned = named ?? (rules.region === "nyc by default" ? "nyc" : null);
  const used = rules.region === "ignored" ? null : pinned;
  return {
    region: used === null ? nearest : (exchanged[used] ?? used),
    isPinned: used !== null,
    avoidsFlagged: avoidsFlagged(carried, options["mevProtect"], rules),
  };
}

function avoidsFlagged(
  { query, header }: RpcContext["carried"],
  inBody: Value | undefined,
  { mev, choices }: BundleRules,
): boolean {
  const text = flagOf(query("mev-protect"), choices.sends);
  needs(text !== null || mev !== "required");
  switch (mev) {
    case "ignored":
      return false;
    case "true refused":
      needs(text !== "true");
      return false;
    case "true by default":
      return text !== "false";
    case "any text is true":
      return text !== null;
    case "from a header":
      return header("mev-protect") === "true";
    case "from the body":
      return inBody === true;
    default:
      return text === "true";
  }
}

async function handle(context: RpcContext): Promise<Value> {
  const { params, id, rules, book, project, now_ms } = context;
  if (rules.bundles.ids === "texts only" && typeof id !== "string") throw new Refused("invalid");
  if (rules.bundles.nullBundle === "answered with null" && Array.isArray(params) && params[0] === null) return null;
  if (rules.bundles.choices.sends.stringIds === "refused" && typeof id === "string") throw new Refused("invalid");
  const routedBefore = rules.bundles.choices.sends.routed === "before them" ? routeOf(context) : null;
  const texts = textsOf(params, rules.bundles);
  const transactions = await transactionsOf(texts, encodingOf(params, texts, rules.bundles), rules.bundles);
  examine(transactions, rules.bundles);
  const refusal = book.bank.refusalOf(transactions, now_ms);
  needs(refusal === null, refusal ?? "");
  const route = routedBefore ?? routeOf(context);
  const bundle = bundleIdOf(transactions, rules.bundles, now_ms);
  const { resent } = rules.bundles;
  needs(
    resent === "refused" ? !book.has(bundle) : resent === "the same id" || !book.find(bundle, now_ms, rules.bundles),
  );
  book.send({ id: bundle, project, transactions, route, sentAt_ms: now_ms });
  return rules.bundles.returned === "the tracked one"
    ? bundle
    : bundleIdOf(transactions, { ...rules.bundles, id: "of messages" }, now_ms);
}

export const sendBundle: ServedMethod = { errorTable: "bundles", handle };
