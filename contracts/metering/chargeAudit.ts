// The charge audit: compares what a run was charged with what it sent, per project (§2.1, §4.2, §8).
import Big from "big.js";
import { near } from "../../harness/core/finding.ts";
import { operationOf } from "../../harness/core/interface.ts";
import { Inconclusive, Withheld } from "../../harness/core/outcomes.ts";
import { type Asker, askersOf, calledBy, type Role } from "../../harness/core/stimulus.ts";
import { lackToAsk } from "../../harness/engine/lacks.ts";
import type { Auditor, Difference, Entry } from "../../harness/model/chargeAudit.ts";
import type { CheckContext } from "../../harness/model/check.ts";
import { textOfLack } from "../../harness/model/lack.ts";
import { BudgetSpent } from "../../harness/target/budget.ts";
import { keyOf, type Target } from "../../harness/target/target.ts";
import { isServed, outcomeOf } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { walletPrice } from "../shared/figures.ts";
import { dataPlatform } from "../shared/interface.ts";
import { usage } from "../shared/stimuli.ts";
import { figure, valueIn } from "../usage/usageReader.ts";
import { notQuiet, paceOf, waits_ms } from "./chargePace.ts";
import { markerOf } from "./neverCharged.ts";
import { usedByOthers } from "./othersUse.ts";
import { projectOf } from "./reads.ts";

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
  { at: "/credits/walletApi", feature: "wallet", perCall: walletPrice, id: "MET-WAL-01", calls: walletCalls },
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

/** One project under audit: its usage when the run began. */
interface ProjectAudit {
  readonly context: CheckContext;
  readonly as: Role;
  readonly before: Exchange;
  /** Waits that are left to all projects of a run, in ms. */
  readonly waitsLeft: number[];
}

/** Charges that show later than this are late. */
const soon_ms = 2_000;

interface Audited {
  readonly entry: Entry;
  readonly differences: readonly Difference[];
}

async function compared(project: ProjectAudit, account: Account, exchanges: readonly Exchange[]): Promise<Audited> {
  const { context, as } = project;
  const { least, most } = spentOn(project, account, exchanges);
  const { at, id } = account;
  const row = { project: projectOf(context.target, as), at, spent: { least: least.toFixed(), most: most.toFixed() } };
  try {
    let { exchange, charged } = await growth(project, at);
    while (charged.lt(least) && (await waited(project))) ({ exchange, charged } = await growth(project, at));
    const [isMissing, isExcess] = [charged.lt(least), charged.gt(most)];
    const reason = isMissing || isExcess ? await whyOpen(project, account, isExcess) : null;
    const isDifferent = (isMissing || isExcess) && reason === null;
    const result = isDifferent ? "differs" : reason === null ? "agrees" : "open";
    const finding = near(at, charged, isMissing ? least : most, { within: 0 });
    return {
      entry: { ...row, charged: charged.toFixed(), result, reason },
      differences: isDifferent ? [{ id, shown: { exchange, finding } }] : [],
    };
  } catch (error) {
    return { entry: { ...row, charged: null, result: "open", reason: reasonOf(error) }, differences: [] };
  }
}

/** Why a difference may be late charges, of this run or from before it (amendment 5); null where it can't. */
async function whyOpen(
  project: ProjectAudit,
  { at, feature, perCall }: Account,
  isExcess: boolean,
): Promise<string | null> {
  const { context, as } = project;
  const marker = markerOf(feature, as);
  if (!marker || lackToAsk(marker, context.target) !== null)
    return "no call is possible that would show how late charges are";
  const before = await growth(project, at);
  const call = await context.ask(context.fresh(marker));
  if (!isServed(call)) return `the call that would show how late charges are returned ${outcomeOf(call)}`;
  const isShown = async (): Promise<boolean> => (await growth(project, at)).charged.minus(before.charged).gte(perCall);
  // Where charges showed late during the run, one that shows at once says nothing of earlier ones.
  const isLate = (paceOf(context).slowest_ms ?? 0) > soon_ms;
  if (!(isExcess && isLate) && (await isShown())) return null;
  if (isExcess) return "charges show late, so some may belong to calls before the run";
  while (await waited(project)) if (await isShown()) return null;
  return "a later call's charge didn't show either; charges may show later still";
}

/** Waits once more; false where no waits are left. */
async function waited({ context, waitsLeft }: ProjectAudit): Promise<boolean> {
  const wait_ms = waitsLeft.shift();
  if (wait_ms !== undefined) await context.wait(wait_ms);
  return wait_ms !== undefined;
}

async function growth({ context, as, before }: ProjectAudit, at: string) {
  const exchange = await readBy(context, as);
  const [start, now] = [before, exchange].map((one) => valueIn(one, "/creditCycle/start"));
  if (start !== now) throw new Withheld("a new cycle began during the run");
  const [had, has] = [figure(before, at), figure(exchange, at)];
  if (!had || !has) throw new Withheld(`${at} wasn't a number in each read`);
  return { exchange, charged: has.minus(had) };
}

/** The least and the most that calls of the run can have cost. */
function spentOn(
  { context: { target }, as, before }: ProjectAudit,
  { feature, perCall, calls }: Account,
  exchanges: readonly Exchange[],
) {
  const isItsOwn = (asker: Asker): boolean => keyOf(target, asker)?.projectName === projectOf(target, as);
  const own = exchanges.filter(({ number, stimulus }) => number > before.number && askersOf(stimulus).some(isItsOwn));
  // With two keys it is unspecified whose call it is.
  const certain = own.filter(
    (exchange) => isServed(exchange) && isPlain(exchange, feature) && askersOf(exchange.stimulus).every(isItsOwn),
  );
  const most = own.reduce((total, exchange) => total + calls(exchange), 0);
  return { least: new Big(certain.length * perCall), most: new Big(most * perCall) };
}

/** @throws Withheld where usage isn't served */
async function readBy({ ask, fresh }: CheckContext, as: Role): Promise<Exchange> {
  const exchange = await ask(fresh(usage({ as })));
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
  const readable = audited.filter((as) => lackToAsk(usage({ as }), target) === null);
  const projects = readable.map((as) => projectOf(target, as));
  return readable.filter((as, nth) => projects.indexOf(projectOf(target, as)) === nth);
};

/** What is charged beyond what was sent may be for calls of others. */
const withoutExcess = ({ entry, differences }: Audited): Audited =>
  entry.result === "differs" && new Big(entry.charged ?? 0).gt(entry.spent.most)
    ? { entry: { ...entry, result: "open", reason: "others used the target's projects meanwhile" }, differences: [] }
    : { entry, differences };

export const auditor: Auditor = async (context, features) => {
  const { target } = context;
  const charged = accounts.filter(({ feature }) => features.includes(feature));
  if (charged.length === 0) return null;
  const lack = notQuiet(target);
  const reasons: string[] = lack === null ? [] : [textOfLack(lack)];
  const projects: ProjectAudit[] = [];
  const waitsLeft: number[] = [...waits_ms];
  for (const as of lack === null ? rolesOf(target) : []) {
    try {
      projects.push({ context, as, before: await readBy(context, as), waitsLeft });
    } catch (error) {
      reasons.push(`${projectOf(target, as)}: ${reasonOf(error)}`);
    }
  }
  return {
    close: async (exchanges) => {
      const found: Audited[] = [];
      // Checks have waited long enough if nothing showed.
      if (paceOf(context).slowest_ms === null && paceOf(context).lapses.size > 0) waitsLeft.length = 0;
      for (const project of projects)
        for (const account of charged) found.push(await compared(project, account, exchanges));
      const used = usedByOthers(context, exchanges);
      // Those who use one project may use the others, too.
      const judged = used.length > 0 ? found.map(withoutExcess) : found;
      const whyNone = found.length ? null : "the target names no project whose charges could show";
      return {
        audit: { entries: judged.map(({ entry }) => entry), reason: reasons.join("; ") || whyNone },
        differences: judged.flatMap(({ differences }) => differences),
        usedByOthers: used,
      };
    },
  };
};
