// What does the interface promise about projects, keys, usage, cycles and bundles, whatever happened before? A small pure model. (§1, §2.1, §2.5, §4, §5)
import Big from "big.js";
import { cycleOf } from "./calendar.ts";

/** Two projects that pay and one that doesn't; what isn't said of them is alike. */
export const projects = {
  main: { plan: "paid", anchorDay: 15, standsOn: "2025-03-20", keys: ["main", "mainToo"] },
  other: { plan: "paid", anchorDay: 3, standsOn: "2025-03-20", keys: ["other"] },
  free: { plan: "free", anchorDay: 28, standsOn: "2025-02-27", keys: ["free"] },
} as const;
export type ProjectName = keyof typeof projects;
export type KeyName = (typeof projects)[ProjectName]["keys"][number];

export const projectNames = Object.keys(projects) as readonly ProjectName[]; // Keys of a literal.
export const keyNames: readonly KeyName[] = projectNames.flatMap((name) => projects[name].keys);

export const projectOf = (key: KeyName): ProjectName => (key === "mainToo" ? "main" : key);

/** Prepaid credits that each has bought: more than any journey uses. */
export const bought = 1_000_000;

export const products = [
  "rpc",
  "enhancedApi",
  "walletApi",
  "das",
  "webhooks",
  "streamGrpc",
  "streamWebsocket",
  "preConfirmations",
  "archival",
  "compression",
  "other",
] as const;
export type Product = (typeof products)[number];

/** Without an upper bound where nothing is shown of it. */
export interface Range {
  readonly least: Big;
  readonly most: Big | null;
}

export const exactly = (amount: Big | number | string): Range => ({ least: new Big(amount), most: new Big(amount) });
export const upTo = (amount: number): Range => ({ least: new Big(0), most: new Big(amount) });
const anything: Range = { least: new Big(0), most: null };

/** What one call, or one increment by control, adds to its project. */
export interface Use {
  /** First day of the cycle in which it was made. */
  readonly cycle: string;
  /** Which product counts it isn't always shown. */
  readonly product: Product | "not shown";
  readonly requests: Range;
  readonly credits: Range;
  /** Which pool pays isn't shown unless control names one. */
  readonly pool: "regular" | "prepaid" | "open";
  /** Whose call it was; null for control's. */
  readonly by: KeyName | null;
}

export interface SentBundle {
  readonly id: string;
  /** How often so much time has passed since that bundles have landed. */
  readonly landings: number;
  /** As it was told once; null: not yet. */
  readonly slot: number | null;
}

export interface ProjectState {
  /** By its own calendar, YYYY-MM-DD. */
  readonly today: string;
  readonly uses: readonly Use[];
  /** In the order in which they were sent. */
  readonly bundles: readonly SentBundle[];
}

export type State = { readonly [P in ProjectName]: ProjectState };

const fresh = (name: ProjectName): ProjectState => ({ today: projects[name].standsOn, uses: [], bundles: [] });
export const begun: State = { main: fresh("main"), other: fresh("other"), free: fresh("free") };

/** First day of the cycle that a project is in. */
export const cycleIn = (state: State, name: ProjectName): string =>
  cycleOf(projects[name].anchorDay, state[name].today);

const changed = (state: State, name: ProjectName, change: Partial<ProjectState>): State => ({
  ...state,
  [name]: { ...state[name], ...change },
});

/** Credits of each wallet call (§8). */
export const walletPrice = 100;

/** What calls add: of wallets one request and 100 credits (§4.2), of compression one request (§2.1); what else is asked is counted under one product, which isn't shown (§1.5). */
const priced = {
  wallet: { product: "walletApi", requests: exactly(1), credits: exactly(walletPrice) },
  // Whether what is refused counts is open.
  refusedWallet: { product: "walletApi", requests: upTo(1), credits: upTo(walletPrice) },
  compression: { product: "compression", requests: exactly(1), credits: anything },
  unshown: { product: "not shown", requests: upTo(1), credits: anything },
} as const satisfies { readonly [kind: string]: Pick<Use, "product" | "requests" | "credits"> };
export type CallKind = keyof typeof priced;

const adding = (state: State, name: ProjectName, use: Omit<Use, "cycle">): State =>
  changed(state, name, { uses: [...state[name].uses, { ...use, cycle: cycleIn(state, name) }] });

/** After a call by a key. */
export const called = (state: State, by: KeyName, kind: CallKind): State =>
  adding(state, projectOf(by), { ...priced[kind], pool: "open", by });

/** After control has counted one increment; streams count no requests (§2.1 rule 1). */
export const consumed = (
  state: State,
  name: ProjectName,
  product: Product,
  credits: string,
  pool: "regular" | "prepaid",
): State =>
  adding(state, name, {
    product,
    credits: exactly(credits),
    requests: exactly(product.startsWith("stream") ? 0 : 1),
    pool,
    by: null,
  });

export const movedTo = (state: State, name: ProjectName, today: string): State => changed(state, name, { today });

export const sentBundle = (state: State, name: ProjectName, id: string): State =>
  changed(state, name, { bundles: [...state[name].bundles, { id, landings: 0, slot: null }] });

/** Once time has passed for the bundles of a project. */
export const landed = (state: State, name: ProjectName): State =>
  changed(state, name, { bundles: state[name].bundles.map((one) => ({ ...one, landings: one.landings + 1 })) });

export const withSlot = (state: State, name: ProjectName, id: string, slot: number): State =>
  changed(state, name, { bundles: state[name].bundles.map((one) => (one.id === id ? { ...one, slot } : one)) });

/** How long statuses are kept isn't shown: they are asked for within a minute or so. */
const longestStatus = 4;
export const mustHaveStatus = ({ landings }: SentBundle): boolean => landings >= 1 && landings <= longestStatus;
