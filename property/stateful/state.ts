// The model: what §1, §2.1, §2.5, §4 and §5 require of projects, keys, usage, cycles and bundles
import Big from "big.js";
import { type Product, walletPrice } from "../../contracts/shared/figures.ts";
import { cycleOf } from "./calendar.ts";

/** Two paid projects and a free one, otherwise alike. */
export const projects = {
  main: { plan: "paid", anchorDay: 15, standsOn: "2025-03-20", keys: ["main", "mainToo"] },
  other: { plan: "paid", anchorDay: 3, standsOn: "2025-03-20", keys: ["other"] },
  free: { plan: "free", anchorDay: 28, standsOn: "2025-02-27", keys: ["free"] },
} as const;
export type ProjectName = keyof typeof projects;
export type KeyName = (typeof projects)[ProjectName]["keys"][number];

export const projectNames = Object.keys(projects) as readonly ProjectName[]; // Keys of a literal.
export const keyNames: readonly KeyName[] = projectNames.flatMap((name) => projects[name].keys);

export const projectOfKey = (key: KeyName): ProjectName => (key === "mainToo" ? "main" : key);

/** Prepaid credits of each project: more than any sequence uses. */
export const bought = 1_000_000;

/** `most` null: without upper bound. */
export interface Range {
  readonly least: Big;
  readonly most: Big | null;
}

export const exactly = (amount: Big | number | string): Range => ({ least: new Big(amount), most: new Big(amount) });
export const upTo = (amount: number): Range => ({ least: new Big(0), most: new Big(amount) });
const anything: Range = { least: new Big(0), most: null };

/** What one call, or one increment by control, adds to its project. */
export interface ModelUse {
  /** First day of the cycle in which it was made. */
  readonly cycle: string;
  readonly product: Product | "unspecified";
  readonly requests: Range;
  readonly credits: Range;
  /** The pool that pays is unspecified unless control names one. */
  readonly pool: "regular" | "prepaid" | "open";
  /** The key of the call; null for control. */
  readonly by: KeyName | null;
}

export interface SentBundle {
  readonly id: string;
  /** How often control has let bundles land since. */
  readonly timesLanded: number;
  /** From its first status; null before. */
  readonly slot: number | null;
}

export interface ProjectState {
  /** By the project's clock, YYYY-MM-DD. */
  readonly today: string;
  readonly uses: readonly ModelUse[];
  /** In the order in which they were sent. */
  readonly bundles: readonly SentBundle[];
}

export type ModelState = { readonly [P in ProjectName]: ProjectState };

const fresh = (name: ProjectName): ProjectState => ({ today: projects[name].standsOn, uses: [], bundles: [] });
export const begun: ModelState = { main: fresh("main"), other: fresh("other"), free: fresh("free") };

export const cycleIn = (state: ModelState, name: ProjectName): string =>
  cycleOf(projects[name].anchorDay, state[name].today);

const changed = (state: ModelState, name: ProjectName, change: Partial<ProjectState>): ModelState => ({
  ...state,
  [name]: { ...state[name], ...change },
});

/**
 * What a call adds: of wallets one request and 100 credits (§4.2), of compression one request (§2.1). Other calls count
 * under one product, which is unspecified (§1.5).
 */
const priced = {
  wallet: { product: "walletApi", requests: exactly(1), credits: exactly(walletPrice) },
  // Whether refused calls count is unspecified.
  refusedWallet: { product: "walletApi", requests: upTo(1), credits: upTo(walletPrice) },
  compression: { product: "compression", requests: exactly(1), credits: anything },
  unspecified: { product: "unspecified", requests: upTo(1), credits: anything },
} as const satisfies { readonly [kind: string]: Pick<ModelUse, "product" | "requests" | "credits"> };
export type CallKind = keyof typeof priced;

const adding = (state: ModelState, name: ProjectName, use: Omit<ModelUse, "cycle">): ModelState =>
  changed(state, name, { uses: [...state[name].uses, { ...use, cycle: cycleIn(state, name) }] });

export const called = (state: ModelState, by: KeyName, kind: CallKind): ModelState =>
  adding(state, projectOfKey(by), { ...priced[kind], pool: "open", by });

/** After control has added an increment; streams count no requests (§2.1 rule 1). */
export const consumed = (
  state: ModelState,
  name: ProjectName,
  product: Product,
  credits: string,
  pool: "regular" | "prepaid",
): ModelState =>
  adding(state, name, {
    product,
    credits: exactly(credits),
    requests: exactly(product.startsWith("stream") ? 0 : 1),
    pool,
    by: null,
  });

export const movedTo = (state: ModelState, name: ProjectName, today: string): ModelState =>
  changed(state, name, { today });

export const sentBundle = (state: ModelState, name: ProjectName, id: string): ModelState =>
  changed(state, name, { bundles: [...state[name].bundles, { id, timesLanded: 0, slot: null }] });

export const landed = (state: ModelState, name: ProjectName): ModelState =>
  changed(state, name, { bundles: state[name].bundles.map((one) => ({ ...one, timesLanded: one.timesLanded + 1 })) });

export const withSlot = (state: ModelState, name: ProjectName, id: string, slot: number): ModelState =>
  changed(state, name, { bundles: state[name].bundles.map((one) => (one.id === id ? { ...one, slot } : one)) });

/** How long statuses last is unspecified: they are required for about a minute only. */
const longestStatus = 4;
export const mustHaveStatus = ({ timesLanded }: SentBundle): boolean =>
  timesLanded >= 1 && timesLanded <= longestStatus;
