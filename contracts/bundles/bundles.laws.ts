// Laws of bundles: statuses in the order of the ids, errors, signatures, slots, ids that are hashes (§2.5, §4.3)
import { type Finding, held, must, worstOf } from "../../harness/core/finding.ts";
import { isObject, type Json, listOf, valueAt } from "../../harness/core/json.ts";
import { withoutTrailing } from "../../harness/core/trailing.ts";
import { type Law, type LawReading, law, NotAsked, NotThere } from "../../harness/model/law.ts";
import { mayBeRewritten } from "../../harness/model/recorded.ts";
import { base58Bytes, hasLength } from "../shared/base58.ts";

type Status = { readonly [member: string]: Json };

/** @throws NotThere where there is no list of entries: schemas judge that */
function entriesOf({ any }: Pick<LawReading<Json>, "any">): readonly Json[] {
  const value = any("/result/value");
  if (!Array.isArray(value)) throw new NotThere("/result/value");
  return value as readonly Json[];
}

const requestedIds = ({ params }: Pick<LawReading<Json>, "params">): readonly string[] => {
  const ids = valueAt(params, "/0");
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === "string")) throw new NotAsked("/params/0");
  return ids;
};

const idOf = (entry: Json | undefined): Json | undefined => (isObject(entry) ? entry["bundle_id"] : undefined);

/** Ids per call (§8). */
const most = 5;

/**
 * Ids in an order that an answer of this length may have: as requested, or each once, as how often a repeated id is
 * answered is unspecified (OBS-BST-DUP). Then its first place may be its own, or its last.
 */
function ordersOf(ids: readonly string[], length: number): readonly [readonly string[], ...(readonly string[])[]] {
  const once = [...new Set(ids)];
  return once.length < ids.length && once.length === length
    ? [once, [...new Set(ids.toReversed())].toReversed()]
    : [ids];
}

/** One entry for each id, at the place of its id; another requirement is about ids that weren't requested. */
function aligned(reading: LawReading<Json>): Finding | undefined {
  const ids = requestedIds(reading);
  const entries = entriesOf(reading);
  // Another requirement is about too many ids.
  if (ids.length > most) return undefined;
  const orders = ordersOf(ids, entries.length);
  const [order] = orders;
  if (entries.length !== order.length)
    return must(false, "/result/value", `${ids.length} entries, one for each id`, `${entries.length} entries`);
  const wrongIn = (ids: readonly string[]): number =>
    entries.findIndex((entry, index) => {
      const id = idOf(entry);
      return typeof id === "string" && ids.includes(id) && id !== ids[index];
    });
  const wrong = wrongIn(order);
  const isInOrder = orders.some((some) => wrongIn(some) < 0);
  // Repeated ids can break it, and prove little.
  if (isInOrder && new Set(ids).size < ids.length) return undefined;
  return must(isInOrder, `/result/value/${wrong}/bundle_id`, order[wrong] ?? "", idOf(entries[wrong]));
}

const each = (
  reading: LawReading<Json>,
  test: (status: Status, at: string) => Finding | undefined,
): Finding | undefined =>
  worstOf(
    entriesOf(reading).map((entry, index) => (isObject(entry) ? test(entry, `/result/value/${index}`) : undefined)),
  );

/** Whether a platform that reads capitals as small digits found it so; its own spelling is the id (OBS-BST-BADID). */
const isSpelledSmall = (requested: string, id: string): boolean =>
  requested !== id && /^(?:0X)?[0-9A-F]+$/.test(requested) && requested.toLowerCase() === id;

const bundleStatuses = law<Json>("getBundleStatuses", "result", {
  "BST-ALIGN-01": aligned,
  "BST-ELT-01": (reading) => {
    const ids = requestedIds(reading);
    return each(reading, ({ bundle_id: id }, at) =>
      typeof id === "string" && !ids.some((one) => isSpelledSmall(one, id))
        ? must(ids.includes(id), `${at}/bundle_id`, `a requested id: ${ids.join(", ")}`, id)
        : undefined,
    );
  },
  "BST-ELT-06": (reading) =>
    each(reading, ({ err }, at) => {
      if (!isObject(err)) return undefined;
      const keys = Object.keys(err);
      // Serialisers may drop null members.
      if (keys.length === 0 && reading.exchange.recordedAs === "json") return undefined;
      if (keys.length === 0) return must(false, `${at}/err`, "an error, or Ok with null", err);
      if (err["Ok"] === null) return held;
      // How failures look is unspecified (OBS-BST-ERR), but a single key `ok` that isn't false claims success.
      const [only = ""] = keys;
      return keys.length === 1 && only.toLowerCase() === "ok" && err[only] !== false
        ? must(false, `${at}/err`, "{ Ok: null }", err)
        : undefined;
    }),
  "EXT-SOL-02": (reading) =>
    each(reading, ({ transactions }, at) =>
      worstOf(listOf(transactions).map((text, nth) => hasLength(64, `${at}/transactions/${nth}`, text))),
    ),
  "BST-SLOT-01": (reading) =>
    each(reading, ({ slot }, at) => {
      const now = reading.any("/result/context/slot");
      if (typeof slot !== "number" || typeof now !== "number") return undefined;
      return must(slot <= now, `${at}/slot`, `at most ${now}, the slot of the request`, slot);
    }),
});

const inBase64 = (text: string): readonly number[] =>
  /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? [Math.floor((withoutTrailing("=", text).length * 3) / 4)] : [];
const inHex = (text: string): readonly number[] => (/^(?:[0-9a-f]{2})+$/i.test(text) ? [text.length / 2] : []);
const inBase58 = (text: string): readonly number[] => {
  const bytes = base58Bytes(text);
  return bytes ? [bytes.length] : [];
};

/** Multibase: the first letter names the alphabet. */
function named(text: string): readonly number[] {
  const rest = text.slice(1);
  if (text.startsWith("z")) return inBase58(rest);
  if (/^[mu]/.test(text)) return inBase64(rest);
  return /^f[0-9a-f]+$/.test(text) ? inHex(rest) : [];
}

/** Possible lengths in bytes: read as hex, base32, base58, or base64 with either alphabet. */
function lengthsOf(text: string): readonly number[] {
  const base32 = /^[A-Z2-7]+=*$/i.test(text) ? [Math.floor((withoutTrailing("=", text).length * 5) / 8)] : [];
  return [...named(text), ...inHex(text.replace(/^0x/i, "")), ...base32, ...inBase64(text), ...inBase58(text)];
}

const isHash = (at: string, id: Json | undefined): Finding | undefined =>
  typeof id === "string" ? must(lengthsOf(id).includes(32), at, "32 bytes in a text encoding", id) : undefined;

const bundleIds = [
  law<Json>("sendBundle", "result", { "BND-HASH-01": ({ any }) => isHash("/result", any("/result")) }),
  law<Json>("getBundleStatuses", "result", {
    "BND-HASH-01": (reading) => each(reading, ({ bundle_id: id }, at) => isHash(`${at}/bundle_id`, id)),
  }),
];

/** Its id is a number (§4.3). */
const numberedBundles = law<Json>("sendBundle", "any", {
  "BND-ID-01": ({ exchange, any }) => {
    const sent = valueAt(exchange.sent.json, "/id");
    const got = any("/id");
    if (typeof sent !== "number" || !Number.isSafeInteger(sent) || any("/jsonrpc") === undefined) return undefined;
    if (got !== sent && mayBeRewritten(exchange, sent, got)) return undefined;
    return must(got === sent, "/id", `${sent}, as it was sent`, got);
  },
});

export const laws: readonly Law[] = [bundleStatuses, ...bundleIds, numberedBundles];
