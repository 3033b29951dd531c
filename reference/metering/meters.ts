// Meters: who pays for a served call, and which calls a usage document shows (§1.1, §1.4)
import type { ErrorTable } from "../../specs/generated/operations.ts";
import { type LedgerEntry, noCredits, type UsageLedger } from "../platform/ledger.ts";
import type { MeteringRules } from "../platform/meteringRules.ts";
import { type Key, nowOf, type Project } from "../platform/project.ts";
import type { Value } from "../platform/wire.ts";
import { refusedUse, rpcUse, type WalletCharge, walletUses } from "./charge.ts";
import { type MeteredUse, use } from "./meter.ts";

export interface ChargedProject {
  /** Null: the call is free. */
  readonly project: Project | null;
  readonly key: Key;
  readonly address: string;
}

/** Who calls, and from where. */
export interface Caller extends ChargedProject {
  readonly project: Project;
  readonly carrier: "header" | "query";
  readonly connection: object;
}

interface Metered extends ChargedProject {
  readonly entry: LedgerEntry;
}

/** How long a charge takes where concurrent charges interfere; in real time. */
const write_ms = 20;
const written = (): Promise<void> => new Promise((done) => setTimeout(done, write_ms));

export class Meters {
  readonly #rules: MeteringRules;
  readonly #now_ms: () => number;
  readonly #firstOn = new WeakMap<object, Project>();
  readonly #inFlight = new Set<string>();
  readonly #writes = new WeakMap<Project, number>();
  /** Filled only where documents show calls of others. */
  readonly #metered: Metered[] = [];
  /** In real time, where some documents are older than others. */
  readonly #shownAt_ms = new WeakMap<LedgerEntry, number>();
  readonly #madeAt_ms = new WeakMap<Project, number>();
  readonly #reads = new WeakMap<Project, number>();
  #pending: { readonly due_ms: number; readonly write: () => void }[] = [];

  constructor(rules: MeteringRules, now_ms: () => number) {
    this.#rules = rules;
    this.#now_ms = now_ms;
  }

  /** The project charged for this caller's request. */
  payerOf(caller: Caller): ChargedProject {
    const { project, key, carrier, address, connection } = caller;
    const { chargedTo } = this.#rules;
    const first = this.#firstOn.get(connection) ?? project;
    this.#firstOn.set(connection, first);
    const isFree = chargedTo === "free for keys in the query" && carrier === "query";
    const charged = chargedTo === "the first caller on the connection" ? first : project;
    return { project: isFree ? null : charged, key, address };
  }

  /** Shows what is due. */
  settle(): void {
    const now_ms = this.#now_ms();
    const due = this.#pending.filter(({ due_ms }) => due_ms <= now_ms);
    if (due.length === 0) return;
    this.#pending = this.#pending.filter(({ due_ms }) => due_ms > now_ms);
    for (const { write } of due) write();
  }

  /** @param text the whole request, by which equal ones are recognized */
  async chargeWallet(payer: ChargedProject, call: WalletCharge, text: string): Promise<void> {
    const { project } = payer;
    if (!project) return;
    const charge = (): void => this.#write(payer, project, (now_ms) => walletUses(this.#rules, call, project, now_ms));
    const name = `${project.id} ${text}`;
    switch (this.#rules.atOnce) {
      case "all charged":
        charge();
        return;
      case "alike ones charged once":
        if (this.#inFlight.has(name)) return;
        this.#inFlight.add(name);
        await written();
        this.#inFlight.delete(name);
        charge();
        return;
      case "the last write counts": {
        const read = this.#writes.get(project) ?? 0;
        await written();
        if ((this.#writes.get(project) ?? 0) !== read) return;
        this.#writes.set(project, read + 1);
        charge();
      }
    }
  }

  refuseWallet(payer: ChargedProject, call: WalletCharge): void {
    const { project } = payer;
    if (project)
      this.#write(payer, project, (now_ms) =>
        walletUses(this.#rules, call, project, now_ms).flatMap((one) => refusedUse(this.#rules, one) ?? []),
      );
  }

  chargeRpc(
    payer: ChargedProject,
    errorTable: ErrorTable,
    method: string,
    params: Value | undefined,
    isServed: boolean,
  ): void {
    const { project } = payer;
    if (!project || this.#rules.rpc === "not metered") return;
    const metered = rpcUse(this.#rules, errorTable, method, params);
    const counted = isServed ? metered : refusedUse(this.#rules, metered);
    if (counted) this.#write(payer, project, () => [counted]);
  }

  /** Where reading usage is itself usage. */
  chargeRead(project: Project): void {
    this.#later(project, (at_ms) => [this.#use(project, at_ms, { product: "other", credits: noCredits, requests: 1 })]);
  }

  /** The ledger behind a usage document. */
  ledgerFor(project: Project, key: Key, address: string): UsageLedger {
    const { shows, cached_ms, replica_ms } = this.#rules;
    if (cached_ms > 0 || replica_ms > 0) {
      const shown_ms = this.#instantShown_ms(project);
      const isDue = (entry: LedgerEntry): boolean => (this.#shownAt_ms.get(entry) ?? 0) <= shown_ms;
      return project.ledger.of(project.ledger.entries.filter(isDue));
    }
    if (shows === "the project's") return project.ledger;
    const isShown = (metered: Metered): boolean =>
      shows === "all projects'" ||
      (shows === "those of the reader's key" ? metered.key === key : metered.address === address);
    const hidden = new Set(this.#metered.filter((one) => !isShown(one)).map(({ entry }) => entry));
    const others = this.#metered.filter((one) => one.project !== project && isShown(one));
    // Each project has a calendar of its own, so calls of others count as made now.
    const at_ms = nowOf(project, this.#now_ms());
    const own = project.ledger.entries.filter((entry) => !hidden.has(entry));
    return project.ledger.of([...own, ...others.map(({ entry }) => ({ ...entry, at_ms }))]);
  }

  #write({ key, address }: ChargedProject, project: Project, uses: (now_ms: number) => readonly MeteredUse[]): void {
    this.#later(project, (at_ms) => {
      const entries = uses(at_ms).map((one) => this.#use(project, at_ms, one));
      if (this.#rules.shows !== "the project's")
        for (const entry of entries) this.#metered.push({ project, key, address, entry });
      return entries;
    });
  }

  #use(project: Project, at_ms: number, metered: MeteredUse): LedgerEntry {
    return use(project, at_ms, metered, this.#rules.pools);
  }

  /** Writes when the charge is due to show. */
  #later(project: Project, entriesAt: (at_ms: number) => readonly LedgerEntry[]): void {
    const { lag_ms, together_ms } = this.#rules;
    const real_ms = this.#now_ms();
    const at_ms = nowOf(project, this.#now_ms());
    const late_ms = real_ms + lag_ms;
    const due_ms = together_ms === 0 ? late_ms : Math.ceil(late_ms / together_ms) * together_ms;
    const write = (): void => {
      for (const entry of entriesAt(at_ms)) this.#shownAt_ms.set(entry, due_ms);
    };
    if (due_ms === real_ms) write();
    else this.#pending.push({ due_ms, write });
  }

  /** The instant whose figures a read shows. */
  #instantShown_ms(project: Project): number {
    const { cached_ms, replica_ms } = this.#rules;
    const now_ms = this.#now_ms();
    const made_ms = this.#madeAt_ms.get(project) ?? Number.NEGATIVE_INFINITY;
    const asOf_ms = now_ms - made_ms < cached_ms ? made_ms : now_ms;
    this.#madeAt_ms.set(project, asOf_ms);
    const reads = (this.#reads.get(project) ?? 0) + 1;
    this.#reads.set(project, reads);
    return reads % 2 === 0 ? asOf_ms - replica_ms : asOf_ms;
  }
}
