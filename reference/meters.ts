// Who pays for a served call, and whose calls does a usage document tell of? (§1.1, §1.4)
import { type MeteringRules, refusedUse, rpcUse, type WalletCharge, walletUses } from "./charge.ts";
import { type Entry, Ledger } from "./ledger.ts";
import { type Use, use } from "./meter.ts";
import type { Family } from "./rpc/refusals.ts";
import type { Value } from "./wire.ts";
import { type Key, nowOf, type Project } from "./world.ts";

/** Who asks, and from where. */
export interface Caller {
  readonly project: Project;
  readonly key: Key;
  readonly carrier: "header" | "query";
  readonly address: string;
  readonly connection: object;
}

export interface Payer {
  /** Null: nobody pays. */
  readonly project: Project | null;
  readonly key: Key;
  readonly address: string;
}

interface Metered {
  readonly project: Project;
  readonly key: Key;
  readonly address: string;
  readonly entry: Entry;
}

/** So long does a charge take where charges at once get into each other's way; in real time. */
const write_ms = 20;
const written = (): Promise<void> => new Promise((done) => setTimeout(done, write_ms));

export class Meters {
  readonly #rules: MeteringRules;
  readonly #now_ms: () => number;
  readonly #askedFirst = new WeakMap<object, Project>();
  readonly #inFlight = new Set<string>();
  readonly #writes = new WeakMap<Project, number>();
  /** Only kept where documents tell of others' calls. */
  readonly #metered: Metered[] = [];
  #pending: { readonly due_ms: number; readonly write: () => void }[] = [];

  constructor(rules: MeteringRules, now_ms: () => number) {
    this.#rules = rules;
    this.#now_ms = now_ms;
  }

  /** Whoever is charged for what this caller asks now. */
  payerOf({ project, key, carrier, address, connection }: Caller): Payer {
    const { chargedTo } = this.#rules;
    const first = this.#askedFirst.get(connection) ?? project;
    this.#askedFirst.set(connection, first);
    const isFree = chargedTo === "nobody for keys in the query" && carrier === "query";
    const charged = chargedTo === "whoever asked first on the connection" ? first : project;
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

  /** @param text the whole request, by which alike ones are known */
  async chargeWallet(payer: Payer, call: WalletCharge, text: string): Promise<void> {
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

  refuseWallet(payer: Payer, call: WalletCharge): void {
    const { project } = payer;
    if (project) this.#write(payer, project, (now_ms) => walletUses(this.#rules, call, project, now_ms).flatMap((one) => refusedUse(this.#rules, one) ?? []));
  }

  chargeRpc(payer: Payer, family: Family, method: string, params: Value | undefined, isServed: boolean): void {
    const { project } = payer;
    if (!project || this.#rules.rpc === "not metered") return;
    const one = rpcUse(this.#rules, family, method, params);
    const counted = isServed ? one : refusedUse(this.#rules, one);
    if (counted) this.#write(payer, project, () => [counted]);
  }

  /** The ledger that a usage document is made of. */
  ledgerFor(project: Project, key: Key, address: string): Ledger {
    const { shows } = this.#rules;
    if (shows === "the project's") return project.ledger;
    const byEntry = new Map(this.#metered.map((one) => [one.entry, one]));
    const isShown = (entry: Entry): boolean => {
      const one = byEntry.get(entry);
      if (!one || shows === "everybody's") return true;
      return shows === "those of the asking key" ? one.key === key : one.address === address;
    };
    const others = shows === "those of the asking key" ? [] : this.#metered.filter((one) => one.project !== project && (shows === "everybody's" || one.address === address));
    const ledger = new Ledger(project.ledger.purchased);
    for (const entry of project.ledger.entries.filter(isShown)) ledger.add(entry);
    // Each project has a calendar of its own, so that others' calls are told as of now.
    for (const { entry } of others) ledger.add({ ...entry, at_ms: nowOf(project, this.#now_ms()) });
    return ledger;
  }

  #write({ key, address }: Payer, project: Project, uses: (now_ms: number) => readonly Use[]): void {
    const { lag_ms, shows } = this.#rules;
    const at_ms = nowOf(project, this.#now_ms());
    const write = (): void => {
      for (const one of uses(at_ms)) {
        const entry = use(project, at_ms, one);
        if (shows !== "the project's") this.#metered.push({ project, key, address, entry });
      }
    };
    if (lag_ms === 0) write();
    else this.#pending.push({ due_ms: this.#now_ms() + lag_ms, write });
  }
}
