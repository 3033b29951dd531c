// A vendor whose one owner has any number of token accounts, with the choices and defects that a test names
import { createHash } from "node:crypto";
import { base58Text } from "../../contracts/shared/base58.ts";
import { contractSuite } from "../../contracts/suite.ts";
import type { Target } from "../../harness/targets/target.ts";
import { WireFault } from "../../harness/transport/wireFault.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { asVendor, type Between, outcomeOf } from "./probeSpecs.ts";
import { enveloped } from "./vendorsInProcess.ts";

const addressOf = (name: string): string => base58Text(createHash("sha256").update(`made ${name}`).digest());
const owner = addressOf("owner");

interface Account {
  readonly address: string;
  readonly amount: number;
}

/** A page before it is answered; `nth` from 0. */
interface Page {
  readonly by: "page" | "cursor";
  readonly nth: number;
  readonly size: number;
  /** How many accounts there are at all. */
  readonly of: number;
}

/** Changes a page; `all` are the accounts of all pages. */
export type Defect = (accounts: readonly Account[], page: Page, all: readonly Account[]) => readonly Account[];

/** How a platform pages where the interface is silent. */
export interface Paging {
  /** Every third account is empty. */
  readonly empties?: true;
  /** The largest page, and what comes of a larger limit. */
  readonly cap?: number;
  readonly beyondCap?: "cut" | "cut, but echoed" | "refused" | "no answer";
  readonly base?: 0 | 1;
  readonly cursors?: "opaque" | "addresses" | "places";
  readonly lastCursor?: "absent" | "there" | "empty text";
  readonly cursorByPage?: false;
  /** On all pages by default. */
  readonly cursorOn?: "no page" | "the first page";
  /** Pages without a cursor say so by null. */
  readonly isNullSaid?: true;
  readonly total?: "of the set" | "of the page";
  readonly beyondEnd?: "empty" | "refused" | "not found" | "the last page";
  /** Page numbers are served no further. */
  readonly deepest?: number;
  /** Accounts are left out once a page is cut, so that pages are short, some empty. */
  readonly leavesOut?: "afterwards";
  readonly order?: "another by page" | "another on each page";
  /** Empty accounts are listed with the flag alone by default. */
  readonly shows?: "always" | "unless false";
  /** Which accounts are there at the n-th read. */
  readonly there?: (nth: number, read: number) => boolean;
  readonly defect?: Defect;
}

type Params = { readonly [M in "limit" | "page"]?: number } & {
  readonly [M in "cursor" | "after" | "before" | "owner"]?: string;
} & { readonly options?: { readonly showZeroBalance?: boolean } };

const made = new Map<number, readonly Account[]>();
function accountsOf(count: number): readonly Account[] {
  const accounts =
    made.get(count) ??
    Array.from({ length: count }, (_, nth) => ({ address: addressOf(`account ${nth}`), amount: 1 + nth }));
  made.set(count, accounts);
  return accounts;
}

class Refused extends Error {}

/** How cursors are written: each stands behind so many accounts. */
function cursorsOf(all: readonly Account[], { cursors = "opaque" }: Paging) {
  const written = (address: string): string =>
    cursors === "opaque" ? Buffer.from(address).toString("base64url") : address;
  return {
    cursorAt: (place: number): string =>
      cursors === "places" ? String(place) : written(all[place - 1]?.address ?? ""),
    placeOf: (cursor: string): number =>
      cursors === "places" ? Number(cursor) : all.findIndex(({ address }) => written(address) === cursor) + 1,
  };
}

/** Where a page begins by its number; beyond the end where none does. @throws Refused */
function startOf(page: number, size: number, of: number, paging: Paging): number {
  const { base = 1, beyondEnd = "empty", deepest = Number.POSITIVE_INFINITY } = paging;
  if (page < base) throw new Refused("-32602");
  const last = Math.min(Math.max(0, Math.ceil(of / size) - 1), Math.floor(deepest / size) - 1);
  if (page - base <= last) return (page - base) * size;
  if (beyondEnd === "refused") throw new Refused("-32602");
  if (beyondEnd === "not found") throw new Refused("-32004");
  return beyondEnd === "empty" ? of : last * size;
}

/** The result of one call. @throws Refused */
function resultOf(accounts: readonly Account[], params: Params, paging: Paging, read: number): object {
  const { cap = 1_000, beyondCap = "refused", lastCursor = "absent" } = paging;
  const { limit = 100, page, cursor, after, before, options: { showZeroBalance: flag } = {} } = params;
  if (limit < 1 || (limit > cap && beyondCap === "refused")) throw new Refused("-32602");
  const size = Math.min(limit, cap);
  const showsEmpty = flag === true || paging.shows === "always" || (paging.shows !== undefined && flag === undefined);
  const isShown = ({ amount }: Account): boolean => amount > 0 || showsEmpty;
  const there = accounts
    .map((one, nth) => (paging.empties && nth % 3 === 1 ? { ...one, amount: 0 } : one))
    .filter((one, nth) => (paging.there?.(nth, read) ?? true) && (paging.leavesOut !== undefined || isShown(one)));
  const all = page !== undefined && paging.order === "another by page" ? there.toReversed() : there;
  const { cursorAt, placeOf } = cursorsOf(all, paging);
  const behind = cursor ?? after;
  const forward = behind === undefined ? startOf(page ?? paging.base ?? 1, size, all.length, paging) : placeOf(behind);
  const [start, end] =
    before === undefined ? [forward, forward + size] : [placeOf(before) - 1 - size, placeOf(before) - 1];
  const whole = all.slice(Math.max(0, start), Math.max(0, end));
  const nth = Math.floor(start / size);
  const isWalked = after === undefined && before === undefined;
  const about = { by: page === undefined ? "cursor" : "page", nth, size, of: all.length } as const;
  const shown = (isWalked && paging.defect ? paging.defect(whole, about, all) : whole).filter(isShown);
  const isLast = end >= all.length && lastCursor !== "there";
  const next = isLast ? (lastCursor === "empty text" ? { cursor: "" } : {}) : { cursor: cursorAt(end) };
  const hasCursor =
    whole.length > 0 &&
    (page === undefined || paging.cursorByPage !== false) &&
    (paging.cursorOn === undefined || (paging.cursorOn === "the first page" && nth === 0));
  const turn = paging.order === "another on each page" ? read % Math.max(1, shown.length) : 0;
  return {
    last_indexed_slot: 320_000_000,
    total: paging.total === "of the page" ? shown.length : all.filter(isShown).length,
    limit: beyondCap === "cut, but echoed" ? limit : size,
    ...(paging.isNullSaid ? { cursor: null } : {}),
    ...(hasCursor ? next : {}),
    token_accounts: [...shown.slice(turn), ...shown.slice(0, turn)].map((account) => ({
      ...account,
      mint: owner,
      owner,
      delegated_amount: 0,
      frozen: false,
    })),
  };
}

const messages = { "-32602": "Invalid request parameters.", "-32004": "The requested resource was not found." };

/** Calls about the owner are answered here; what the reference refuses stays refused. */
const between =
  (count: number, paging: Paging): Between =>
  (wire) => {
    let reads = 0;
    return async (request, signal) => {
      const call = JSON.parse(request.body || "{}") as { method?: string; params?: Params };
      if (call.method !== "getTokenAccounts" || call.params?.owner !== owner) return wire(request, signal);
      const plain = await wire({ ...request, body: JSON.stringify({ ...call, params: { owner } }) }, signal);
      if (!Buffer.from(plain.body).includes('"result"')) return plain;
      reads += 1;
      const { cap = 1_000, beyondCap } = paging;
      if (beyondCap === "no answer" && (call.params.limit ?? 0) > cap) throw new WireFault("timeout", "too large");
      try {
        return enveloped(request, { result: resultOf(accountsOf(count), call.params, paging, reads) });
      } catch (error) {
        const code = (error as Error).message as keyof typeof messages;
        return enveloped(request, { error: { code: Number(code), message: messages[code] } });
      }
    };
  };

const target = ({ samples, ...rest }: Target): Target =>
  asVendor({ perSecond: 1_000, offers: ["tokenAccounts"] })({
    ...rest,
    samples: { ...samples, owner, ownerWithEmptyAccounts: owner },
  });

const ids: readonly RequirementId[] = [
  "TA-CUR-02",
  "TA-PAGE-01",
  "TA-PAGE-02",
  "TA-PAGE-03",
  "TA-PAGE-04",
  "TA-PAGE-05",
];
const ofEmpties: readonly RequirementId[] = ["TA-ZERO-01", "TA-ZERO-02"];

/** What a run finds on such a platform; `untried` is what its checks say that they didn't try. */
export async function judgedOwner(count: number, paging: Paging) {
  const untried = new Map<RequirementId, string>();
  const checks = contractSuite.checks.map((check) => ({
    ...check,
    run: async (context: Parameters<typeof check.run>[0]) => {
      const shown = await check.run(context);
      for (const { finding } of shown)
        if (finding.outcome === "held" && finding.untried) for (const id of check.ids) untried.set(id, finding.untried);
      return shown;
    },
  }));
  const outcome = await outcomeOf({
    suite: { ...contractSuite, checks, probes: [] },
    only: [...ids, ...(paging.empties ? ofEmpties : [])],
    observe: [],
    target,
    between: between(count, paging),
  });
  return { ...outcome, untried };
}

/** The requirements that it breaks. */
export const accused = async (count: number, paging: Paging): Promise<readonly string[]> =>
  (await judgedOwner(count, paging)).broken;
