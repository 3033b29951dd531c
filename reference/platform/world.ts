// Who are the platform's projects, which keys have they, and what have they used?
import { Book } from "../bundles/book.ts";
import type { Ledger } from "../metering/ledger.ts";
import type { RpcCause } from "../rpc/refusals.ts";
import { Chain } from "./chain.ts";

/** How many JSON-RPC calls a plan allows (§8). */
export interface General {
  readonly perSecond: number;
  /** Calls that may come at once after a rest. */
  readonly burst: number;
  /** Calls per credit cycle; left out: as many as there is time for. */
  readonly quota?: number;
}

/** How far the index lags behind the chain; in blocks. */
export interface Indexer {
  readonly behindBy: number;
  /** Beyond this its health is an error. */
  readonly mayBeBehindBy: number;
  /** The furthest that it ever lagged. */
  readonly worst: number;
}

export const healthyIndexer: Indexer = { behindBy: 0, mayBeBehindBy: 20, worst: 0 };

export interface Plan {
  readonly name: string;
  readonly kind: "paid" | "free";
  /** Credits per credit cycle. */
  readonly creditsLimit: number;
  /** Left out: as rules have it for the kind of plan. */
  readonly general?: General;
}

/** A clock that stands still on one instant, or runs at an offset from real time. */
export type ProjectClock = { readonly standsAt_ms: number } | { readonly offset_ms: number };

export interface Key {
  readonly value: string;
  /** Addresses that may use it; null: any. */
  readonly allowedAddresses: readonly string[] | null;
  isRevoked?: boolean;
}

export interface Project {
  readonly id: string;
  readonly name: string;
  plan: Plan;
  /** First day of the subscription, YYYY-MM-DD: its day of the month starts every credit cycle. */
  billingAnchor: string;
  /** Day on which the project was made; it says nothing of cycles. */
  readonly createdOn: string;
  readonly invoicing: "monthly" | "yearly";
  readonly admin: "enabled" | "disabled";
  billingData: "present" | "missing";
  clock: ProjectClock;
  readonly keys: readonly Key[];
  readonly ledger: Ledger;
  /** As this project sees it, so that scenarios of others are left in peace. */
  indexer: Indexer;
  /** By method, what its calls fail with. */
  readonly faults: Map<string, RpcCause>;
}

export class World {
  readonly #projects: Project[] = [];
  readonly #byKey = new Map<string, { readonly project: Project; readonly key: Key }>();
  readonly chain = new Chain();
  readonly book = new Book();

  constructor(projects: readonly Project[]) {
    for (const project of projects) this.add(project);
  }

  get projects(): readonly Project[] {
    return this.#projects;
  }

  add(project: Project): void {
    this.#projects.push(project);
    for (const key of project.keys) this.#byKey.set(key.value, { project, key });
  }

  /** The holder of a key; undefined for an unknown one. */
  holderOf(value: string): { readonly project: Project; readonly key: Key } | undefined {
    return this.#byKey.get(value);
  }

  project(id: string): Project | undefined {
    return this.#projects.find((project) => project.id === id);
  }
}

export const nowOf = ({ clock }: Project, real_ms: number): number =>
  "standsAt_ms" in clock ? clock.standsAt_ms : real_ms + clock.offset_ms;
