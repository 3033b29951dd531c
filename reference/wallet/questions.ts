// What a wallet request asks for: path, query and body, read strictly (§4.2)
import { is32Bytes } from "../platform/base58.ts";
import { slotAt, timeOfSlot } from "../platform/chain.ts";
import type { MomentForm, WalletRouteName, WalletRules } from "../platform/walletRules.ts";
import type { Asset, Movement } from "./movements.ts";
import { people, personAt, personNamed } from "./people.ts";
import type { Moment, Named } from "./records.ts";
import { Declined } from "./refusals.ts";

const longestDomain = 253;

/** Two labels at least, as host names have them (RFC 1123 §2.1). */
const domainShape = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/i;
const isDomain = (text: string): boolean => text.length <= longestDomain && domainShape.test(text);

/** The wallet that a text names; null where it is neither an address nor a domain. */
function named(query: string, { choices }: WalletRules): Named | null {
  if (is32Bytes(query)) return { query, address: query, person: personAt(query) ?? null };
  if (!isDomain(query)) return null;
  const person = personNamed(choices.domainCase === "any" ? query.toLowerCase() : query);
  return { query, address: person?.address ?? null, person: person ?? null };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Declined("wallet");
  }
}

/** @throws Declined */
export function walletIn(segment: string, operation: WalletRouteName, rules: WalletRules): Named {
  const found = named(decoded(segment), rules);
  if (!found) throw new Declined("wallet");
  const isByDomain = found.query !== found.address;
  const { identityDomains, choices } = rules;
  if (isByDomain && operation === "getWalletIdentity") {
    if (identityDomains === "refused") throw new Declined("wallet");
    if (identityDomains === "always the first wallet")
      return { query: found.query, address: people[0]?.address ?? null, person: people[0] ?? null };
  }
  if (isByDomain && operation !== "getWalletIdentity" && choices.domains === "identity alone")
    throw new Declined("wallet");
  if (!found.person && choices.unknown === "not found") throw new Declined("notFound");
  return found;
}

interface Sent {
  readonly body: string;
  readonly mediaType: string | undefined;
}

function listIn({ body }: Sent, { batch, choices }: WalletRules): readonly unknown[] {
  if (batch.body === "a form") return new URLSearchParams(body).getAll(batch.member);
  let sent: unknown;
  try {
    sent = JSON.parse(body);
  } catch {
    throw new Declined("body");
  }
  if (typeof sent !== "object" || sent === null || Array.isArray(sent) || !Object.hasOwn(sent, batch.member))
    throw new Declined("body");
  if (choices.otherMembers === "refused" && Object.keys(sent).length > 1) throw new Declined("body");
  const list = (sent as { readonly [member: string]: unknown })[batch.member];
  if (!Array.isArray(list)) throw new Declined("body");
  return list;
}

/** The wallets of a batch, entry by entry. @throws Declined */
export function batchIn(sent: Sent, rules: WalletRules): readonly Named[] {
  const { batch, choices } = rules;
  const mediaTypes = batch.body === "a form" ? ["application/x-www-form-urlencoded"] : batch.mediaTypes;
  if (mediaTypes !== "any" && !mediaTypes.includes(sent.mediaType ?? "")) throw new Declined("mediaType");
  if (Buffer.byteLength(sent.body) > batch.largestBody) throw new Declined("tooLarge");
  const list = listIn(sent, rules);
  const counted = batch.counted === "addresses alone" ? list.filter(is32Bytes) : list;
  const most = batch.most ?? Number.POSITIVE_INFINITY;
  if (counted.length > most && batch.beyondMost === "refused") throw new Declined("tooMany");
  if (list.length === 0 && choices.emptyBatch === "refused") throw new Declined("body");
  const wanted = (batch.beyondMost === "cut off" ? list.slice(0, most) : list).map((entry) => entryIn(entry, rules));
  const distinct =
    choices.duplicates === "told once"
      ? wanted.filter(({ query }, nth) => wanted.findIndex((one) => one.query === query) === nth)
      : wanted;
  const known = choices.unknownEntries === "left out" ? distinct.filter(({ person }) => person !== null) : distinct;
  const sorted =
    choices.batchOrder === "as asked"
      ? known
      : known.toSorted((a, b) => Number(b.person !== null) - Number(a.person !== null));
  return batch.looksUp === "the first" ? sorted.slice(0, 1) : sorted;
}

function entryIn(entry: unknown, rules: WalletRules): Named {
  if (typeof entry !== "string") throw new Declined("body");
  const found = named(entry, rules);
  if (found && found.query !== found.address && rules.batch.domains === "refused") throw new Declined("body");
  if (!found && rules.choices.badEntries === "refused") throw new Declined("body");
  return found ?? { query: entry, address: null, person: null };
}

/** Null for the chain's own coin, the default without a mint. @throws Declined */
export function assetIn(query: URLSearchParams, { balanceAt }: WalletRules): Asset {
  const mint = query.get(balanceAt.names.mint);
  if (mint !== null && !is32Bytes(mint)) throw new Declined("query");
  return mint;
}

/** The end of the year 9999, in seconds. */
const latest_s = 253_402_300_799;
const isoShape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

const readings: { readonly [F in MomentForm]: (text: string) => Moment | null } = {
  time: (text) => (/^\d{1,12}$/.test(text) && Number(text) <= latest_s ? momentAt(Number(text) * 1000) : null),
  datetime: (text) => (isoShape.test(text) && !Number.isNaN(Date.parse(text)) ? momentAt(Date.parse(text)) : null),
  slot: (text) =>
    /^\d{1,12}$/.test(text) && timeOfSlot(Number(text)) <= latest_s * 1000 ? momentOf(Number(text)) : null,
};

const momentAt = (at_ms: number): Moment => ({
  at_ms,
  slot: slotAt(at_ms),
  isPast: (movement: Movement) => movement.at_ms <= at_ms,
});
const momentOf = (slot: number): Moment => ({
  at_ms: timeOfSlot(slot),
  slot,
  isPast: (movement: Movement) => movement.slot <= slot,
});

/** @throws Declined */
export function momentIn(
  query: URLSearchParams,
  firstMovement_ms: number | null,
  now_ms: number,
  { balanceAt, choices }: WalletRules,
): Moment {
  const given = balanceAt.forms.flatMap((form) =>
    query.getAll(balanceAt.names[form]).map((text) => [form, text] as const),
  );
  if (given.length > 1 && choices.twoMoments === "refused") throw new Declined("moment");
  const [first] = given;
  if (!first && choices.noMoment === "refused") throw new Declined("moment");
  const moment = first ? readings[first[0]](first[1]) : momentAt(now_ms);
  if (!moment) throw new Declined("moment");
  if (moment.at_ms > now_ms && choices.future === "refused") throw new Declined("moment");
  if (firstMovement_ms !== null && moment.at_ms < firstMovement_ms && choices.beforeAll === "refused")
    throw new Declined("moment");
  return balanceAt.when === "now" || moment.at_ms > now_ms ? momentAt(now_ms) : moment;
}
