// Projects with their plans, keys, clocks and ledgers, and a store that finds them
import type { RpcCause } from "../errors/causes.ts";
import type { UsageLedger } from "./ledger.ts";

/** How many JSON-RPC calls a plan allows (§8). */
export interface ProjectLimit {
  readonly perSecond: number;
  /** Calls that may come at once after a rest. */
  readonly burst: number;
  /** Calls per credit cycle; left out: unlimited. */
  readonly quota?: number;
}

/** How far the index lags behind the chain, in blocks. */
export interface Indexer {
  readonly behindBy: number;
  /** Beyond this, its health is an error. */
  readonly mayBeBehindBy: number;
  /** The furthest that it ever lagged. */
  readonly worst: number;
}

export const healthyIndexer: Indexer = { behindBy: 0, mayBeBehindBy: 20, worst: 0 };

export interface ProjectPlan {
  readonly name: string;
  readonly kind: "paid" | "free";
  /** Credits per credit cycle. */
  readonly creditsLimit: number;
  /** Left out: by the rules, for the kind of plan. */
  readonly general?: ProjectLimit;
}

/** A clock that stands still at one instant, or runs at an offset from real time. */
export type ProjectClock = { readonly standsAt_ms: number } | { readonly offset_ms: number };

export interface Key {
  readonly value: string;
  /** Client addresses that may use it; null: any. */
  readonly allowedAddresses: readonly string[] | null;
  isRevoked?: boolean;
}

export interface Project {
  readonly id: string;
  readonly name: string;
  plan: ProjectPlan;
  /** First day of the subscription, YYYY-MM-DD: its day of the month starts every credit cycle. */
  billingAnchor: string;
  /** Day on which the project was made; cycles don't depend on it. */
  readonly createdOn: string;
  readonly invoicing: "monthly" | "yearly";
  readonly admin: "enabled" | "disabled";
  billingData: "present" | "missing";
  clock: ProjectClock;
  readonly keys: readonly Key[];
  readonly ledger: UsageLedger;
  /** As this project sees it, so that scenarios of other projects aren't disturbed. */
  indexer: Indexer;
  /** By method, the cause with which its calls fail. */
  readonly faults: Map<string, RpcCause>;
}

export interface Holder {
  readonly project: Project;
  readonly key: Key;
}

export class ProjectStore {
  readonly #projects: Project[] = [];
  readonly #byKey = new Map<string, Holder>();

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
  holderOf(value: string): Holder | undefined {
    return this.#byKey.get(value);
  }

  /** The first project with its first key: some mutants answer anonymous requests with its data. */
  get first(): Holder | undefined {
    const [project] = this.#projects;
    const [key] = project?.keys ?? [];
    return project && key && { project, key };
  }

  project(id: string): Project | undefined {
    return this.#projects.find((project) => project.id === id);
  }
}

export const nowOf = ({ clock }: Project, real_ms: number): number =>
  "standsAt_ms" in clock ? clock.standsAt_ms : real_ms + clock.offset_ms;
