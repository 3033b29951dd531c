// Vendors that meter in ways and with defects of their own: their figures replace those of the reference
import { dataPlatform } from "../../contracts/shared/interface.ts";
import type { WireRequest } from "../../harness/transport/wire.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import type { Between } from "./probeSpecs.ts";
import type { Usage } from "./vendorsInProcess.ts";

/** Requirements judged by the growth of figures, on vendors without control. */
export const measured: readonly string[] = [
  "MET-CRED-01",
  "MET-WAL-01",
  "MET-WAL-02",
  "MET-WAL-03",
  "MET-WAL-04",
  "MET-WAL-05",
  "AUTH-ALL-02",
  "MET-SCOPE-01",
  "MET-SCOPE-02",
  "MET-CONC-01",
  "MET-CMP-01",
];

/** Figures that show together. */
type Group = "requests" | "credits" | "used" | "pools";

type Product = keyof Usage["credits"];

/** One entry of a vendor's ledger. */
export interface Charge {
  readonly at_ms: number;
  readonly key: string;
  readonly product: Product;
  readonly credits: number;
  readonly requests: number;
  /** Credits in the total, and out of the pools, where these differ from the product's. */
  readonly used?: number;
  readonly pools?: "the plan's" | "both" | "none";
}

/** When charges show, and what else moves figures; all lawful. */
export interface Ways {
  /** Until a charge shows, in ms: for all figures, or by group and 0 by default. */
  readonly lag_ms?: number | { readonly [G in Group]?: number };
  /** Each charge takes up to so many ms more, in no order. */
  readonly jitter_ms?: number;
  /** Which order that of charges and of replicas is; 0 by default. */
  readonly disorder?: number;
  /** Charges show together, every so many ms. */
  readonly together_ms?: number;
  /** Each replica makes a document anew after so many ms. */
  readonly cached_ms?: number;
  /** How far each replica is behind, in ms; which one answers follows no order. */
  readonly replicas_ms?: readonly number[];
  /** Each key is answered by one replica, in the order in which keys appear. */
  readonly isByKey?: boolean;
  readonly readsCount?: boolean;
  /** Refused calls count, and cost. */
  readonly refusalsCost?: boolean;
  readonly prepaidFirst?: boolean;
  /** Every so many ms a webhook is delivered, for a credit. */
  readonly webhookEvery_ms?: number;
}

export interface Call {
  readonly url: URL;
  readonly body: string;
  /** How many calls of its product the key has sent, from 1. */
  readonly nth: number;
  /** The project of its key is on a free plan. */
  readonly isFree: boolean;
  /** A key that has read the usage of another project. */
  readonly otherKey: string | undefined;
}

/** What is entered in place of the due charge. */
export type Defect = (due: Charge, call: Call) => readonly Charge[];

const keyIn = ({ url, headers }: WireRequest): string =>
  headers.find(([name]) => name.toLowerCase() === "x-api-key")?.[1] ?? new URL(url).searchParams.get("api-key") ?? "";

export const methodsOf = (feature: Feature): readonly string[] =>
  dataPlatform.operations.filter((operation) => operation.feature === feature).map(({ id }) => id);
/** As a call names one of them. */
const naming = (methods: readonly string[]): RegExp => new RegExp(`"(${methods.join("|")})"`);

const priced: readonly (readonly [named: RegExp, product: Product, credits: number])[] = [
  [/^\/v1\/wallet\//, "walletApi", 100],
  [naming(methodsOf("tokenAccounts")), "das", 10],
  [naming(methodsOf("compression")), "compression", 1.3],
  [naming(methodsOf("bundles")), "rpc", 1],
];

/** Used before the run, unrounded. */
const before: { readonly [P in Product]?: readonly [credits: number, requests: number] } = {
  rpc: [10_000.4, 10_000],
  walletApi: [3_000, 30],
  das: [4_000.4, 400],
  compression: [1_500.4, 1_154],
};
const prepaidBefore = 500;

/** A scramble of whole numbers, the same in every run. */
const scrambled = (nth: number): number => Math.imul(Math.floor(nth) ^ (nth >>> 3), 0x9e3779b1) >>> 16;

const total = (some: readonly Charge[], of: (charge: Charge) => number): number =>
  some.reduce((sum, one) => sum + of(one), 0);
const usedOf = ({ credits, used = credits }: Charge): number => used;
const usedBefore = Object.values(before).reduce((sum, [credits]) => sum + credits, 0);

/** The ledger of a vendor, and what its usage documents show of it. */
class VendorLedger {
  readonly #ways: Ways;
  readonly #now_ms: () => number;
  readonly #began_ms: number;
  readonly #charges: Charge[] = [];
  readonly #projectOf = new Map<string, string>();
  readonly #planOf = new Map<string, "free" | "paid">();
  readonly #calls = new Map<string, number>();
  readonly #madeAt_ms = new Map<string, number>();
  #reads = 0;

  constructor(ways: Ways, now_ms: () => number) {
    [this.#ways, this.#now_ms, this.#began_ms] = [ways, now_ms, now_ms()];
  }

  /** Enters what a call costs. */
  enter(request: WireRequest, isServed: boolean, defect: Defect): void {
    const [url, body, key] = [new URL(request.url), request.body ?? "", keyIn(request)];
    const row = priced.find(([named]) => named.test(url.pathname) || named.test(body));
    if (!row || !(isServed || this.#ways.refusalsCost)) return;
    const [named, product, credits] = row;
    const project = this.#projectOf.get(key);
    const otherKey = [...this.#projectOf].find(([, id]) => project !== undefined && id !== project)?.[0];
    const isFree = this.#planOf.get(key) === "free";
    for (let inBody = body.match(new RegExp(named.source, "g"))?.length ?? 1; inBody > 0; inBody -= 1) {
      const nth = (this.#calls.get(`${key} ${product}`) ?? 0) + 1;
      this.#calls.set(`${key} ${product}`, nth);
      const due = { at_ms: this.#now_ms(), key, product, credits, requests: 1 };
      this.#charges.push(...defect(due, { url, body, nth, isFree, otherKey }));
    }
  }

  /** Replaces the figures of a usage document. */
  rewrite(usage: Usage, project: string, key: string): void {
    this.#projectOf.set(key, project);
    this.#planOf.set(key, usage.subscriptionDetails.billingCycle === null ? "free" : "paid");
    this.#reads += 1;
    const until_ms = this.#asOf_ms(project, key);
    const webhooks = this.#ways.webhookEvery_ms
      ? Math.floor((until_ms - this.#began_ms) / this.#ways.webhookEvery_ms)
      : 0;
    const shown = (group: Group, name?: string): readonly Charge[] =>
      this.#charges.filter(
        (one) =>
          this.#projectOf.get(one.key) === project &&
          this.#shownAt_ms(one, group) <= until_ms &&
          (name ?? one.product) === one.product,
      );
    for (const name of Object.keys(usage.credits) as Product[]) {
      const own = name === "webhooks" ? webhooks : total(shown("credits", name), ({ credits }) => credits);
      usage.credits[name] = Math.round((before[name]?.[0] ?? 0) + own);
    }
    for (const name of Object.keys(usage.requests) as (keyof Usage["requests"])[]) {
      const own = name === "webhooks" ? webhooks : total(shown("requests", name), ({ requests }) => requests);
      usage.requests[name] = (before[name]?.[1] ?? 0) + own;
    }
    usage.dataTransfer = { streamGrpc: 0, streamWebsocket: 0 };
    usage.creditsUsed = Math.round(usedBefore + webhooks + total(shown("used"), usedOf));
    const isFirst = this.#ways.prepaidFirst === true;
    const paid = shown("pools").filter(({ pools }) => pools !== "none");
    const from = (isPaying: boolean): number =>
      total(
        paid.filter(({ pools }) => pools === "both" || isPaying),
        usedOf,
      );
    const prepaid = Math.round(from(isFirst));
    usage.prepaidCreditsUsed = prepaidBefore + prepaid;
    usage.prepaidCreditsRemaining = 500_000 - prepaid;
    const left = usage.subscriptionDetails.creditsLimit - usedBefore - webhooks + prepaidBefore;
    usage.creditsRemaining = Math.round(left - from(!isFirst));
    if (this.#ways.readsCount)
      this.#charges.push({ at_ms: this.#now_ms(), key, product: "other", credits: 0, requests: 1 });
  }

  #shownAt_ms({ at_ms }: Charge, group: Group): number {
    const { lag_ms = 0, together_ms = 1, jitter_ms = 0, disorder = 0 } = this.#ways;
    const lag = typeof lag_ms === "number" ? lag_ms : (lag_ms[group] ?? 0);
    const jitter = (scrambled(at_ms + 7_919 * disorder) / 0x10000) * jitter_ms;
    return Math.ceil((at_ms + jitter + lag) / together_ms) * together_ms;
  }

  /** The instant whose figures a read of a project shows. */
  #asOf_ms(project: string, key: string): number {
    const { cached_ms = 0, replicas_ms = [0], isByKey = false, disorder = 0 } = this.#ways;
    const nth = [...this.#projectOf.keys()].indexOf(key);
    const replica = (isByKey ? nth : scrambled(this.#reads + 7_919 * disorder)) % replicas_ms.length;
    const name = `${project} ${replica}`;
    const now_ms = this.#now_ms();
    if (now_ms - (this.#madeAt_ms.get(name) ?? Number.NEGATIVE_INFINITY) >= cached_ms)
      this.#madeAt_ms.set(name, now_ms);
    return (this.#madeAt_ms.get(name) ?? now_ms) - (replicas_ms[replica] ?? 0);
  }
}

export const metered =
  (ways: Ways, defect: Defect = (due) => [due]): Between =>
  (wire, clock) => {
    const ledger = new VendorLedger(ways, clock.now_ms);
    return async (request, signal) => {
      const answer = await wire(request, signal);
      const text = Buffer.from(answer.body).toString();
      const project = /\/projects\/([^/]+)\/usage$/.exec(new URL(request.url).pathname)?.[1];
      if (project === undefined) ledger.enter(request, answer.status === 200 && !text.includes('"error":'), defect);
      if (project === undefined || answer.status !== 200) return answer;
      const usage = JSON.parse(text) as Usage;
      ledger.rewrite(usage, project, keyIn(request));
      const headers = answer.headers.filter(([name]) => name.toLowerCase() !== "content-length");
      return { ...answer, headers, body: Buffer.from(JSON.stringify(usage)) };
    };
  };
