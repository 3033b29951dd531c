// The workload of a recording: which reads an application sends, and how often, without keys, headers and hosts.
import { canonical, isObject, type Json, listOf, parseJson } from "../harness/core/json.ts";
import { KeyHider, looksLikeKey, Secret } from "../harness/core/secret.ts";
import { mayLetIn } from "../harness/recordings/callers.ts";
import type { Recorded, RecordedEntry } from "../harness/recordings/recorded.ts";
import { nameOn } from "../harness/targets/renaming.ts";
import type { Target } from "../harness/targets/target.ts";
import { type MatchedCall, matcherFor } from "../harness/transport/matching.ts";
import { shownName, type Unmatched } from "../harness/transport/unmatched.ts";
import type { PanelWorkload } from "./panelReport.ts";
import { askedQuery, isAddress, keysWithin } from "./recordedQueries.ts";
import { isWalletRead } from "./walletReads.ts";
import { mostQuestions, neverAsked, type WorkloadCall } from "./workload.ts";

/** The most frequent params of one operation stand for all. */
const mostParams = 24;
/** Foreign methods that are named. */
const mostMethods = 8;

type Members = { readonly [name: string]: Json };
type Why = { readonly what: string; readonly why: string };
type Asked = { readonly params: Json; readonly changed: readonly Why[] };

/** Of one call (§8). */
const mostBundles = 5;
const mostWallets = 100;
const otherMethod = "not in the interface";
const otherForm = "parameters that the interface doesn't describe";

const otherRequest: Why = { what: "requests of another form", why: "no JSON-RPC calls that can be read" };

const jsonOf = ({ body }: Pick<Recorded, "body">): Json | null => parseJson(body ?? "")?.value ?? null;

/** A SHA-256 in hexadecimal or base58. */
const isBundleId = (value: Json | undefined): value is string =>
  isAddress(value) || (typeof value === "string" && /^[\da-f]{64}$/i.test(value));
const isName = (value: Json | undefined): value is string =>
  typeof value === "string" && /^[\w-]{1,40}(\.[\w-]{1,40}){1,3}$/.test(value) && !looksLikeKey(value);

/** Cursors and pages are in a vendor's own order, and the flags of `options` have its own names (§4.3). */
function accountsAsked(params: Json): Asked | string {
  if (!isObject(params)) return otherForm;
  const { owner, mint, limit, page, cursor, before, after, ...others } = params;
  const asked: Members = {
    ...(isAddress(owner) ? { owner } : {}),
    ...(isAddress(mint) ? { mint } : {}),
    ...(typeof limit === "number" && Number.isSafeInteger(limit) && limit > 0 ? { limit } : {}),
  };
  if (!("owner" in asked || "mint" in asked)) return otherForm;
  const isLater = Number(page ?? 1) > 1 || [cursor, before, after].some((one) => (one ?? null) !== null);
  const isOther = Object.entries({ owner, mint, limit, ...others }).some(
    ([name, value]) => (value ?? null) !== null && !Object.hasOwn(asked, name),
  );
  return {
    params: asked,
    changed: [
      ...(isLater ? [{ what: "later pages of getTokenAccounts", why: "their first page is asked instead" }] : []),
      ...(isOther
        ? [{ what: "other parameters of getTokenAccounts", why: "a vendor's own, so asked without them" }]
        : []),
    ],
  };
}

/** @param most how many the interface allows */
function listAsked(params: Json, isItem: (item: Json) => boolean, most: number): Asked | string {
  const { length } = listOf(params);
  return length > 0 && length <= most && listOf(params).every(isItem) ? { params, changed: [] } : otherForm;
}

function balanceAsked(params: Json): Asked | string {
  const { address, hash } = isObject(params) ? params : {};
  const asked = { ...(isAddress(address) ? { address } : {}), ...(isAddress(hash) ? { hash } : {}) };
  return Object.keys(asked).length > 0 ? { params: asked, changed: [] } : otherForm;
}

const methods: { readonly [operation: string]: (params: Json) => Asked | string } = {
  getTokenAccounts: accountsAsked,
  getCompressedBalance: balanceAsked,
  getMultipleNewAddressProofs: (params) => listAsked(params, isAddress, Number.POSITIVE_INFINITY),
  getBundleStatuses: (params) => {
    const ids = listAsked(listOf(params)[0] ?? null, isBundleId, mostBundles);
    return typeof ids === "string" ? ids : { params: [ids.params], changed: [] };
  },
  getIndexerHealth: () => ({ params: null, changed: [] }),
  // Each vendor's own project.
  getProjectUsage: () => ({ params: null, changed: [] }),
};

/** Counts calls of a recording, entry by entry. */
export class RecordedCalls {
  readonly #target: Target;
  readonly #match: ReturnType<typeof matcherFor>;
  readonly #asked = new Map<string, Map<string, { readonly params: Json; count: number }>>();
  readonly #left = new Map<string, Why & { calls: number }>();
  readonly #keys = new Set<string>();
  readonly #hider = new KeyHider();
  /** Foreign methods that are named. */
  readonly #methods = new Set<string>();
  /** How many there were. */
  entries = 0;

  /** @param target whose interface tells what is a call */
  constructor(target: Target) {
    this.#target = target;
    this.#match = matcherFor(target, { isAnywhere: true });
  }

  /** Hides all keys that it has seen. */
  readonly redact = (text: string): string => this.#hider.hide(text);

  add(entry: RecordedEntry): void {
    this.entries += 1;
    if ("unread" in entry) {
      this.#leave({ what: "other entries", why: "no requests that can be read" });
      return;
    }
    this.#learnKeys(entry);
    try {
      this.#addRead(entry);
    } catch (error) {
      // Nested too deep for any request.
      if (!(error instanceof RangeError)) throw error;
      this.#leave(otherRequest);
    }
  }

  #addRead(entry: Recorded): void {
    const json = jsonOf(entry);
    // Each request of a batch stands for itself.
    const requests = listOf(json ?? undefined);
    if (requests.length === 0) this.#addRequest(entry, json);
    for (const request of requests) this.#addRequest({ ...entry, body: JSON.stringify(request) }, request);
  }

  /** What can be asked, and what can't; operations in the order in which they come first. */
  get workload(): { readonly calls: readonly WorkloadCall[]; readonly left: PanelWorkload["left"] } {
    const left = new Map(this.#left);
    const operations = [...this.#asked].map(([operation, all]) => {
      const known = [...all.values()].filter(({ params }) => !this.#holdsKey(params));
      const weight = known.reduce((sum, { count }) => sum + count, 0);
      const held = [...all.values()].reduce((sum, { count }) => sum + count, 0) - weight;
      if (held > 0) add(left, { what: operation, why: "its parameters hold a key of the recording" }, held);
      return { operation, weight, sorted: known.toSorted((one, other) => other.count - one.count) };
    });
    const ranked = operations
      .flatMap(({ operation, sorted }) => sorted.slice(0, mostParams).map((one, nth) => ({ operation, one, nth })))
      .sort((a, b) => Number(a.nth > 0) - Number(b.nth > 0) || b.one.count - a.one.count);
    const kept = new Set(ranked.slice(0, mostQuestions).map(({ one }) => one));
    const calls = operations.flatMap(({ operation, weight, sorted }): WorkloadCall[] => {
      const params = sorted.filter((one) => kept.has(one));
      const others = weight - params.reduce((sum, { count }) => sum + count, 0);
      const why = `the ${params.length} most frequent parameters stand for these`;
      if (others > 0) add(left, { what: `rarer parameters of ${operation}`, why }, others);
      if (weight === 0) return [];
      return [{ operation, weight, params: params.map(({ params: value, count }) => ({ value, weight: count })) }];
    });
    return { calls, left: [...left.values()].sort((one, other) => other.calls - one.calls) };
  }

  #addRequest(entry: Recorded, json: Json | null): void {
    const found = this.#match(entry);
    if ("unmatched" in found) this.#leave(this.#foreign(found.unmatched, json));
    else for (const call of found.calls) this.#addCall(call, entry);
  }

  #foreign(kind: Unmatched["unmatched"], json: Json | null): Why {
    const method = isObject(json ?? undefined) ? (json as Members)["method"] : undefined;
    if (kind === "method" && typeof method === "string") return { what: this.#methodName(method), why: otherMethod };
    return kind === "path" || kind === "address"
      ? { what: "other requests", why: "not in the interface" }
      : otherRequest;
  }

  #addCall(call: MatchedCall, entry: Recorded): void {
    const { id } = call.operation;
    const why = neverAsked[id];
    const asked = why ?? (isWalletRead(id) ? this.#walletAsked(call, entry) : this.#methodAsked(call));
    if (typeof asked === "string") {
      this.#leave({ what: id, why: asked });
      return;
    }
    for (const change of asked.changed) this.#leave(change);
    const all = this.#asked.get(id) ?? new Map<string, { readonly params: Json; count: number }>();
    this.#asked.set(id, all);
    const name = canonical(asked.params);
    const known = all.get(name) ?? { params: asked.params, count: 0 };
    all.set(name, known);
    known.count += 1;
  }

  #methodAsked({ operation: { id }, json }: MatchedCall): Asked | string {
    const params = isObject(json) ? (json["params"] ?? null) : null;
    return methods[id]?.(params) ?? otherForm;
  }

  #walletAsked({ operation: { id }, path }: MatchedCall, { url, body }: Recorded): Asked | string {
    if (id === "batchWalletIdentity") {
      // The interface doesn't show the member's name.
      const [list = []] = Object.values((jsonOf({ body }) ?? {}) as Members).filter(Array.isArray);
      return listAsked(list as readonly Json[], (one) => isAddress(one) || isName(one), mostWallets);
    }
    const part = path.find((one) => typeof one === "object" && "id" in one);
    const wallet = plainText(part && typeof part === "object" && "id" in part ? part.id : "");
    if (!isAddress(wallet) && !isName(wallet)) return "its path has no wallet";
    const { kept, isLater, hasOthers } = askedQuery(
      [...new URL(url).searchParams].filter(([name]) => !this.#isKeys(name)),
    );
    return {
      params: { wallet, ...(Object.keys(kept).length > 0 ? { query: kept } : {}) },
      changed: [
        ...(isLater ? [{ what: `later pages of ${id}`, why: "their first page is asked instead" }] : []),
        ...(hasOthers
          ? [{ what: `other parameters of ${id}`, why: "a vendor's own, or maybe keys, so asked without them" }]
          : []),
      ],
    };
  }

  /** Whether a parameter of that name is a key. */
  #isKeys(name: string): boolean {
    return mayLetIn(name) || name === nameOn(this.#target, this.#target.interface.carriers.query);
  }

  /** Keys are where a name says so, and what looks like one where no account stands. */
  #learnKeys({ url, headers }: Recorded): void {
    const keys = headers.flatMap(([name, value]) => [
      ...(mayLetIn(name) ? [value, value.slice(value.indexOf(" ") + 1)] : []),
      ...value.split(/[\s;=,]+/).filter((word) => looksLikeKey(word) && !isAddress(word)),
    ]);
    if (URL.canParse(url)) {
      const { username, password, hostname, pathname, searchParams } = new URL(url);
      const [base = ""] = pathname.split(/\/v\d+\/(?:wallet|admin)\//);
      keys.push(username, password, ...[...base.split("/"), ...hostname.split(".")].filter(looksLikeKey));
      for (const [name, value] of searchParams)
        keys.push(...(this.#isKeys(name) ? [value] : [name, value].flatMap(keysWithin)));
    }
    for (const key of keys.filter((one) => one.length >= shortestKey && !this.#keys.has(one))) {
      this.#keys.add(key);
      if (this.#keys.size <= mostHidden) this.#hider.add(new Secret("recorded", key.slice(0, longestHidden)));
    }
  }

  #holdsKey(params: Json): boolean {
    return valuesIn(params).some((text) => this.#keys.has(text) || this.#hider.hide(text) !== text);
  }

  #methodName(method: string): string {
    const name = shownName(method);
    if (name !== "…" && this.#methods.size < mostMethods) this.#methods.add(name);
    return this.#methods.has(name) ? name : "other methods";
  }

  #leave(reason: Why): void {
    add(this.#left, reason, 1);
  }
}

const shortestKey = 6;
/** A hider keeps each end of a key; traces and signatures are new in each entry. Others are compared whole. */
const mostHidden = 2_000;
const longestHidden = 200;

/** Each value as a text: names of members are the interface's. */
const valuesIn = (json: Json): readonly string[] =>
  typeof json === "object" && json !== null ? Object.values(json).flatMap(valuesIn) : [String(json)];

/** Of a path's segment; none where its escapes are broken. */
function plainText(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return "";
  }
}

function add(left: Map<string, Why & { calls: number }>, { what, why }: Why, calls: number): void {
  const known = left.get(`${what} ${why}`);
  left.set(`${what} ${why}`, { what, why, calls: calls + (known?.calls ?? 0) });
}
