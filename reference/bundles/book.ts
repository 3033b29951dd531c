// Bundles that were sent, and their fate: they run when they land, in order, all or nothing (§3)
import { type BundleRules, honestBundles, type StatusChoices } from "../platform/bundleRules.ts";
import { slotAt } from "../platform/chain.ts";
import { type Bank, OwnBank } from "./bank.ts";
import { bundleIdOf } from "./bundleId.ts";
import type { Transaction } from "./transactions.ts";

export type Confirmation = "processed" | "confirmed" | "finalized";

/** Where a bundle went. */
export interface BookRoute {
  /** The region used. */
  readonly region: string;
  /** Whether the request named one. */
  readonly isPinned: boolean;
  /** Whether validators that are linked to sandwich attacks are avoided. */
  readonly avoidsFlagged: boolean;
}

export interface BookedBundle {
  readonly id: string;
  /** Of the project that sent it. */
  readonly project: string;
  readonly transactions: readonly Transaction[];
  readonly route: BookRoute;
  readonly sentAt_ms: number;
  /** It landed before the start. */
  readonly wasBefore?: true;
}

export interface LandedEntry extends BookedBundle {
  readonly slot: number;
  readonly confirmation: Confirmation;
  /** Null where it ran well. */
  readonly error: string | null;
}

interface Entry extends BookedBundle {
  /** Undefined while it is under way; null where it was rejected. */
  slot: number | null | undefined;
  error: string | null;
  /** How far control moved it ahead. */
  ahead_ms: number;
}

const lands_ms = 800;

/** A confirmation, from a time in ms after sending on. */
type Stage = readonly [from_ms: number, confirmation: Confirmation];
const processed: Stage = [lands_ms, "processed"];
const confirmed: Stage = [2_000, "confirmed"];
const finalized: Stage = [13_600, "finalized"];

/** The latest first. */
const stages: { readonly [S in StatusChoices["stages"]]: readonly Stage[] } = {
  each: [finalized, confirmed, processed],
  "from confirmed on": [finalized, confirmed],
  "finalized alone": [finalized],
  "with a step back": [finalized, [6_000, "confirmed"], [4_000, "processed"], confirmed, processed],
};

export class BundleBook {
  bank: Bank = new OwnBank();
  readonly #entries = new Map<string, Entry>();

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  send(sent: BookedBundle): void {
    if (!this.#entries.has(sent.id)) this.#entries.set(sent.id, { ...sent, slot: undefined, error: null, ahead_ms: 0 });
  }

  /** Lets time pass for the bundles that one project has sent. */
  move(project: string, by_ms: number): void {
    for (const entry of this.#entries.values()) if (entry.project === project) entry.ahead_ms += by_ms;
  }

  /** Makes a bundle appear failed. @returns whether it exists */
  spoil(id: string, error: string): boolean {
    const entry = this.#entries.get(id);
    if (!entry) return false;
    entry.error = error;
    return true;
  }

  routesOf(project: string): readonly Pick<BookedBundle, "id" | "route">[] {
    return [...this.#entries.values()]
      .filter((entry) => entry.project === project)
      .map(({ id, route }) => ({ id, route }));
  }

  /** Undefined for an unknown one; null for one that hasn't landed. */
  find(id: string, now_ms: number, rules: BundleRules): LandedEntry | null | undefined {
    this.settle(now_ms, rules);
    const { statuses } = rules.choices;
    const entry = this.#entryOf(id, rules);
    if (!entry) return undefined;
    const age_ms = this.#age(entry, now_ms);
    if (statuses.kept_ms !== null && age_ms > statuses.kept_ms) return undefined;
    const confirmation = stages[statuses.stages].find(([from_ms]) => age_ms >= from_ms)?.[1];
    return confirmation !== undefined && typeof entry.slot === "number"
      ? { ...entry, id, slot: entry.slot, confirmation }
      : null;
  }

  /** Bundles from before the start have honest ids; under other rules of ids they are found by those too. */
  #entryOf(id: string, rules: BundleRules): Entry | undefined {
    const entry = this.#entries.get(id);
    if (entry || (rules.id === honestBundles.id && rules.idForm === honestBundles.idForm)) return entry;
    return [...this.#entries.values()].find(
      ({ wasBefore, transactions, sentAt_ms }) => wasBefore && bundleIdOf(transactions, rules, sentAt_ms) === id,
    );
  }

  /** Runs what has landed by now. */
  settle(now_ms: number, rules: BundleRules): void {
    for (const entry of this.#entries.values()) {
      if (entry.slot !== undefined || this.#age(entry, now_ms) < lands_ms) continue;
      const mayRun = rules.signatures !== "all" || entry.transactions.every(({ isSigned }) => isSigned);
      const mayLand = mayRun && (entry.wasBefore || this.bank.wins(entry.transactions));
      entry.slot =
        mayLand && (entry.wasBefore || runsOn(this.bank, entry.transactions, rules, now_ms))
          ? slotAt(Math.min(now_ms, entry.sentAt_ms + lands_ms))
          : null;
    }
  }

  #age({ sentAt_ms, ahead_ms }: Entry, now_ms: number): number {
    return now_ms - sentAt_ms + ahead_ms;
  }
}

/** Runs a bundle on a bank; whether it lands. */
export function runsOn(
  bank: Bank,
  given: readonly Transaction[],
  { execution, order }: Pick<BundleRules, "execution" | "order">,
  now_ms: number,
): boolean {
  const transactions = order === "reversed" ? [...given].reverse() : given;
  const after = bank.copy();
  let isWhole = true;
  for (const transaction of transactions) {
    // All at once, none can spend what another brings.
    if ((order !== "all at once" || bank.copy().execute(transaction, now_ms)) && after.execute(transaction, now_ms))
      continue;
    isWhole = false;
    if (execution !== "without the failing one") break;
  }
  if (isWhole || execution !== "all or nothing") bank.take(after);
  return isWhole || execution !== "all or nothing";
}
