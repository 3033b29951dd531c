// Hindrances: refusals that say nothing about the request, as a valid one would be refused just then, too.
import type { Protocol } from "../core/interface.ts";
import type { Json } from "../core/json.ts";

/** `rate`: too many requests just now · `quota`: all that a plan grants is used up · `lag`: the index is behind. */
export type Hindrance = "rate" | "quota" | "lag" | "maintenance";

/**
 * No interface lists the words of its vendors. These are from public reports; a word alone, such as "limit", "plan" or
 * "balance", may be about params or funds. The first that fits: what counts per second is no quota.
 */
const words: readonly (readonly [Hindrance, RegExp])[] = [
  ["lag", /\bbehind by\b|\b(?:is|are|node|slots?|blocks?) behind\b|\blag(?:s|ging)\b|\bout of sync\b/i],
  ["lag", /\bnot (?:yet |fully )*(?:synced|synchronized|caught up)\b/i],
  ["rate", /(?:\bper |\/ ?)s(?:ec(?:ond)?)?\b/i],
  ["quota", /\bquota\b|\bpayment required\b|\b(?:plan|usage) limit\b/i],
  ["quota", /\b(?:daily|monthly)\b.*\b(?:limit|cap|count|credits?)\b/i],
  ["quota", /\bcredits? .*\b(?:exhausted|exceeded|used up|depleted)\b/i],
  ["quota", /\b(?:out of|insufficient|not enough|no more) credits?\b/i],
  ["rate", /\btoo many requests\b|\brate.?limit|\brequest limit\b|\bthrottl|\bover rate\b/i],
  ["maintenance", /\bmaintenance\b/i],
];

/** What follows is a dump, which would take long to search. */
const read_chars = 500;

function hindranceIn(message: Json | undefined): Hindrance | null {
  if (typeof message !== "string") return null;
  const beginning = message.slice(0, read_chars);
  return words.find(([, pattern]) => pattern.test(beginning))?.[0] ?? null;
}

/** Some put the HTTP status into the error. */
const byStatus: ReadonlyMap<number | undefined, Hindrance> = new Map([
  [429, "rate"],
  [402, "quota"],
]);

function codedBy({ rateCodes, undocumentedRateCodes }: Protocol, code: number): Hindrance | null {
  if (rateCodes?.includes(code) || undocumentedRateCodes.includes(code)) return "rate";
  return byStatus.get(code) ?? null;
}

/**
 * Why the platform refuses whatever is asked just now; null where the answer may be about the request itself.
 * @param error of JSON-RPC; null where the answer has none
 */
export function hindranceBy(
  protocol: Protocol,
  status: number | undefined,
  error: { readonly code: number | undefined; readonly message: Json | undefined } | null,
): Hindrance | null {
  // Where the table says that such a request is at fault, no words make it another's.
  const isBlaming = error?.code !== undefined && protocol.blamingCodes.includes(error.code);
  const plain = (isBlaming ? null : hindranceIn(error?.message)) ?? byStatus.get(status) ?? null;
  return plain || isBlaming || error?.code === undefined ? plain : codedBy(protocol, error.code);
}
