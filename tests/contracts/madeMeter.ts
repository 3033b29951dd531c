// A made platform that meters by rules, under a clock of its own: what charges move, and when it shows
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { balances } from "../../contracts/wallet/requests.ts";
import { protocolOf } from "../../harness/core/interface.ts";
import { type Json, valueAt } from "../../harness/core/json.ts";
import { type Asker, keyHolder, type RequestSpec } from "../../harness/core/requestSpec.ts";
import { newRunCache } from "../../harness/engine/runCache.ts";
import type { Check, CheckContext } from "../../harness/model/check.ts";
import type { Target } from "../../harness/targets/target.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { type Change, changed, madeRead } from "./madeUsage.ts";

/** What one event adds to figures of a project, and how long after it. */
export type Charge = { readonly [at: string]: readonly [by: number, lag_ms?: number] };

export interface Ways {
  /** What a call adds, the nth of its project from 1. */
  readonly calls?: (nth: number, requestSpec: RequestSpec) => Charge;
  readonly reads?: Charge;
  /** What moves by one every so many ms. */
  readonly byItself?: { readonly [at: string]: number };
  /** How much older than the moment a read is, as those from caches and replicas are; by its number from 1. */
  readonly behind_ms?: (read: number, now_ms: number) => number;
  /** What is different in a document, by the number of its read from 1. */
  readonly odd?: { readonly [read: number]: Change };
  /** Answers to calls, where one isn't served. */
  readonly status?: (nth: number) => number;
  readonly target?: Partial<Target>;
  readonly runnable?: (check: Pick<Check, "needs">) => boolean;
}

/** Two keys share a project. */
const projects = { paid: "main", second: "main", other: "other", free: "free" } as const;
type Key = keyof typeof projects;

const began_ms = 1_000_000;
/** How long each request takes. */
const request_ms = 100;

export class MadeMeter {
  readonly #ways: Ways;
  readonly #added: { readonly project: string; readonly at: string; readonly by: number; readonly from_ms: number }[] =
    [];
  readonly #exchanges: Exchange[] = [];
  readonly #counts = new Map<string, number>();
  /** When usage was read, in ms from the start; other projects than the owner's by role. */
  readonly reads: (number | string)[] = [];
  /** The same of calls. */
  readonly calls: (number | string)[] = [];
  #now_ms = began_ms;
  readonly context: CheckContext;

  constructor(ways: Ways = {}) {
    this.#ways = ways;
    const keys = Object.entries(projects).map(([role, projectName]) => {
      const project = { id: projectName, plan: role === "free" ? "free" : "paid", admin: "enabled" };
      return [role, { projectName, project }] as const;
    });
    const target = { interface: dataPlatform, keys: new Map(keys), bases: { admin: "made", api: "made", rpc: "made" } };
    this.context = {
      ...newRunCache(),
      target: { ...target, isReference: false, quiet: true, offers: ["usage", "wallet"], ...ways.target } as never,
      exchanges: () => this.#exchanges,
      wait: (duration_ms) => {
        this.pass(duration_ms);
        return Promise.resolve();
      },
      ask: (requestSpec) => Promise.resolve(this.#answered(requestSpec)),
      isRunnable: (check) => Promise.resolve(ways.runnable?.(check) ?? false),
      atOnce: (requestSpecs) => Promise.resolve(requestSpecs.map((one) => this.#answered(one))),
    } satisfies Partial<CheckContext> as unknown as CheckContext;
  }

  /** In ms from the start. */
  get now_ms(): number {
    return this.#now_ms - began_ms;
  }

  pass(duration_ms: number): void {
    this.#now_ms += duration_ms;
  }

  /** Sends calls of wallets, one after the other. */
  async call(as: Asker = "paid", count = 1, context = this.context): Promise<number> {
    for (let nth = 0; nth < count; nth += 1) await context.ask(context.fresh(balances({ as })));
    return count;
  }

  /** Adds to figures of a project, as control does. */
  charge(as: Key, charge: Charge): void {
    for (const [at, [by, lag_ms = 0]] of Object.entries(charge))
      this.#added.push({ project: projects[as], at, by, from_ms: this.#now_ms + lag_ms });
  }

  #answered(requestSpec: RequestSpec): Exchange {
    const asker = keyHolder(requestSpec);
    const key = (asker === "owner" || asker === null ? "paid" : asker) as Key;
    const isRead = requestSpec.operation === "getProjectUsage";
    const project = projects[key];
    const nth = (this.#counts.get(project) ?? 0) + Number(!isRead);
    this.#counts.set(project, nth);
    (isRead ? this.reads : this.calls).push(key === "paid" ? this.now_ms : `${key} ${this.now_ms}`);
    const made = madeRead({
      number: this.#exchanges.length + 1,
      latency_ms: request_ms,
      asker: { role: key, projectName: project },
      ...(isRead ? { change: this.#documentOf(project) } : { status: this.#ways.status?.(nth) ?? 200 }),
    });
    const protocol = protocolOf(dataPlatform, requestSpec.api, requestSpec.operation);
    const exchange: Exchange = { ...made, requestSpec, protocol, sentAt_ms: this.#now_ms };
    this.#exchanges.push(exchange);
    this.charge(key, (isRead ? this.#ways.reads : this.#ways.calls?.(nth, requestSpec)) ?? {});
    this.pass(request_ms);
    return exchange;
  }

  #documentOf(project: string): Change {
    const shown = new Map<string, number>();
    const asOf_ms = this.#now_ms - (this.#ways.behind_ms?.(this.reads.length, this.now_ms) ?? 0);
    const add = (at: string, by: number): unknown => shown.set(at, (shown.get(at) ?? Number(valueAt(base, at))) + by);
    for (const one of this.#added) if (one.project === project && one.from_ms <= asOf_ms) add(one.at, one.by);
    for (const [at, every_ms] of Object.entries(this.#ways.byItself ?? {})) add(at, Math.floor(this.now_ms / every_ms));
    return { ...Object.fromEntries(shown), ...this.#ways.odd?.[this.reads.length] };
  }
}

const base: Json = changed({});
