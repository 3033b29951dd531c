// The charge audit: compares what a run was charged with what it sent, per project (§2.1, §4.2, §8).
import Big from "big.js";
import { type Finding, near } from "../../harness/core/finding.ts";
import { operationOf } from "../../harness/core/interface.ts";
import { Inconclusive, Withheld } from "../../harness/core/outcomes.ts";
import { askersOf, calledBy, type Role, type Stimulus } from "../../harness/core/stimulus.ts";
import { lackToAsk } from "../../harness/engine/plan.ts";
import type { Auditor, Difference, Entry } from "../../harness/model/chargeAudit.ts";
import type { CheckContext } from "../../harness/model/check.ts";
import { BudgetSpent } from "../../harness/target/budget.ts";
import { keyOf, type Target } from "../../harness/target/target.ts";
import { isServed, outcomeOf } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { baselineRequests } from "../jsonrpc/baselineRequests.ts";
import { dataPlatform } from "../shared/interface.ts";
import { usage } from "../shared/stimuli.ts";
import { figure, valueIn } from "../usage/usageReader.ts";
import { walletBaseline } from "../wallet/requests.ts";
import { notQuiet, waits_ms } from "./usageMeasurement.ts";

/** A figure that each call of one feature raises by a known amount. */
interface Account {
  readonly at: string;
  readonly feature: Feature;
  readonly perCall: number;
  readonly id: RequirementId;
  /** The most calls of the feature that an exchange may count as, in whatever form. */
  calls(exchange: Exchange): number;
}

const compressionNames = new RegExp(
  dataPlatform.operations
    .filter(({ feature }) => feature === "compression")
    .map(({ id }) => id)
    .join("|"),
  "gi",
);
const walletCalls = ({ stimulus }: Exchange): number => Number(stimulus.api === "api");
const compressionCalls = ({ sent }: Exchange): number => sent.body?.match(compressionNames)?.length ?? 0;

const accounts: readonly Account[] = [
  { at: "/credits/walletApi", feature: "wallet", perCall: 100, id: "MET-WAL-01", calls: walletCalls },
  { at: "/requests/walletApi", feature: "wallet", perCall: 1, id: "MET-WAL-02", calls: walletCalls },
  { at: "/requests/compression", feature: "compression", perCall: 1, id: "MET-CMP-01", calls: compressionCalls },
];

/** Whether an exchange is one documented call by a known key. */
const isPlain = ({ stimulus }: Exchange, feature: Feature): boolean =>
  operationOf(dataPlatform, calledBy(stimulus, dataPlatform))?.feature === feature &&
  ["GET", "POST"].includes(stimulus.method) &&
  stimulus.carriers.every(({ key }) => "keyOf" in key && key.spelled === undefined);

/** Roles whose projects are audited. */
const audited: readonly Role[] = ["paid", "other", "free"];

/** A call that is served and charged, which shows how late charges are. */
const markerOf = (feature: Feature, as: Role): Stimulus | undefined =>
  feature === "wallet"
    ? walletBaseline("getWalletBalances").ask({ as })
    : baselineRequests.find((one) => one.feature === feature)?.ask({ as });

/** The audit of one project: its figures since the run began. */
class ProjectAudit {
  readonly #context: CheckContext;
  readonly #as: Role;
  readonly #before: Exchange;
  readonly projectName: string;
  /** Waits that are left to all projects of a run, in ms. */
  readonly #waitsLeft: number[];

  constructor(context: CheckContext, as: Role, before: Exchange, waitsLeft: number[]) {
    [this.#context, this.#as, this.#before, this.#waitsLeft] = [context, as, before, waitsLeft];
    this.projectName = keyOf(context.target, as)?.projectName ?? as;
  }

  /** @throws Withheld where usage isn't served */
  static async open(context: CheckContext, as: Role, waitsLeft: number[]): Promise<ProjectAudit> {
    return new ProjectAudit(context, as, await readBy(context, as), waitsLeft);
  }

  async entry(
    account: Account,
    exchanges: readonly Exchange[],
  ): Promise<{ readonly entry: Entry; readonly differences: readonly Difference[] }> {
    const { least, most } = this.#spentOn(account, exchanges);
    const { at, id } = account;
    const row = { project: this.projectName, at, spent: { least: least.toFixed(), most: most.toFixed() } };
    const isWithin = (charged: Big): boolean => charged.gte(least) && charged.lte(most);
    try {
      let { exchange, charged } = await this.#growth(at);
      while (charged.lt(least) && (await this.#waited())) ({ exchange, charged } = await this.#growth(at));
      if (isWithin(charged))
        return { entry: { ...row, charged: charged.toFixed(), result: "agrees", reason: null }, differences: [] };
      const reason = await this.#whyOpen(account, charged.gt(most));
      const entry: Entry = { ...row, charged: charged.toFixed(), result: reason === null ? "differs" : "open", reason };
      const finding: Finding = near(at, charged, charged.lt(least) ? least : most, { within: 0 });
      return { entry, differences: reason === null ? [{ id, shown: { exchange, finding } }] : [] };
    } catch (error) {
      return { entry: { ...row, charged: null, result: "open", reason: reasonOf(error) }, differences: [] };
    }
  }

  /** Why a difference may be late charges, of this run or from before it (amendment 5); null where it can't. */
  async #whyOpen({ at, feature, perCall }: Account, isExcess: boolean): Promise<string | null> {
    const marker = markerOf(feature, this.#as);
    if (!marker || lackToAsk(marker, this.#context.target) !== null)
      return "no call is possible that would show how late charges are";
    const before = await this.#growth(at);
    const call = await this.#context.ask(this.#context.fresh(marker));
    if (!isServed(call)) return `the call that would show how late charges are returned ${outcomeOf(call)}`;
    const grown = async (): Promise<Big> => (await this.#growth(at)).charged.minus(before.charged);
    if ((await grown()).gte(perCall)) return null;
    if (isExcess) return "charges show late, so some may belong to calls before the run";
    while (await this.#waited()) if ((await grown()).gte(perCall)) return null;
    return "a later call's charge didn't show either; charges may show later still";
  }

  /** Waits once more; false where no waits are left. */
  async #waited(): Promise<boolean> {
    const wait_ms = this.#waitsLeft.shift();
    if (wait_ms === undefined) return false;
    await this.#context.wait(wait_ms);
    return true;
  }

  async #growth(at: string): Promise<{ readonly exchange: Exchange; readonly charged: Big }> {
    const exchange = await readBy(this.#context, this.#as);
    const cycles = [this.#before, exchange].map((one) => valueIn(one, "/creditCycle/start"));
    if (cycles[0] !== cycles[1]) throw new Withheld("a new cycle began during the run");
    const [before, after] = [figure(this.#before, at), figure(exchange, at)];
    if (!before || !after) throw new Withheld(`${at} wasn't a number in each read`);
    return { exchange, charged: after.minus(before) };
  }

  #spentOn(
    { feature, perCall, calls }: Account,
    exchanges: readonly Exchange[],
  ): { readonly least: Big; readonly most: Big } {
    const ownersOf = ({ stimulus }: Exchange): readonly (string | undefined)[] =>
      askersOf(stimulus).map((one) => keyOf(this.#context.target, one)?.projectName);
    const own = exchanges.filter(
      (exchange) => exchange.number > this.#before.number && ownersOf(exchange).includes(this.projectName),
    );
    // With two keys it is unspecified whose call it is.
    const certain = own.filter(
      (exchange) =>
        isServed(exchange) &&
        isPlain(exchange, feature) &&
        ownersOf(exchange).every((name) => name === this.projectName),
    );
    const most = own.reduce((total, exchange) => total + calls(exchange), 0);
    return { least: new Big(certain.length * perCall), most: new Big(most * perCall) };
  }
}

async function readBy(context: CheckContext, as: Role): Promise<Exchange> {
  const exchange = await context.ask(context.fresh(usage({ as })));
  if (exchange.answer?.status !== 200) throw new Withheld(`its usage returned ${outcomeOf(exchange)}`);
  return exchange;
}

/** What prevents a comparison is a reason and never a breach. */
function reasonOf(error: unknown): string {
  if (error instanceof Withheld || error instanceof Inconclusive || error instanceof BudgetSpent) return error.message;
  throw error;
}

/** One role for each project whose usage can be read. */
const rolesOf = (target: Target): readonly Role[] => {
  const seen = new Set<string>();
  return audited.filter((as) => {
    const key = keyOf(target, as);
    if (!key || seen.has(key.projectName) || lackToAsk(usage({ as }), target) !== null) return false;
    seen.add(key.projectName);
    return true;
  });
};

export const auditor: Auditor = async (context, features) => {
  const { target } = context;
  const charged = accounts.filter(({ feature }) => features.includes(feature));
  if (charged.length === 0) return null;
  const lack = notQuiet(target);
  const reasons: string[] = lack === null ? [] : [lack];
  const projects: ProjectAudit[] = [];
  const waitsLeft: number[] = [...waits_ms];
  for (const as of lack === null ? rolesOf(target) : []) {
    try {
      projects.push(await ProjectAudit.open(context, as, waitsLeft));
    } catch (error) {
      reasons.push(`${keyOf(target, as)?.projectName}: ${reasonOf(error)}`);
    }
  }
  return {
    close: async (exchanges) => {
      const entries: Entry[] = [];
      const differences: Difference[] = [];
      for (const project of projects) {
        for (const account of charged) {
          const found = await project.entry(account, exchanges);
          entries.push(found.entry);
          differences.push(...found.differences);
        }
      }
      return {
        audit: {
          entries,
          reason:
            reasons.join("; ") || (entries.length ? null : "the target names no project whose charges could show"),
        },
        differences,
      };
    },
  };
};
