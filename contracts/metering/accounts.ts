// Accounts: figures that each call of a feature raises by a known amount, and what a run must have added to them (§8).
import Big from "big.js";
import { operationOf } from "../../harness/core/interface.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import { type Asker, askersOf, calledBy, type Role } from "../../harness/core/requestSpec.ts";
import type { CheckContext } from "../../harness/model/check.ts";
import { projectNameOf } from "../../harness/targets/target.ts";
import { isServed, suspicion } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { walletPrice } from "../shared/figures.ts";
import { dataPlatform } from "../shared/interface.ts";
import { reasonOf } from "../shared/reasonOf.ts";
import { valueIn } from "../usage/usageReader.ts";
import {
  chargePaceOf,
  isTooSlow,
  learnLag,
  learnPace,
  patience_ms,
  quiet_ms,
  slowest_ms,
  usualPause_ms,
  waits_ms,
} from "./chargePace.ts";
import { type MeterFigures, minus, nameIn, projectOf, type Reader, type Round, readAll } from "./meterRounds.ts";
import { type OddAnswers, oddAnswersAmong } from "./oddAnswers.ts";

/** A figure that each call of one feature raises by a known amount. */
export interface Account {
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
const walletCalls = ({ requestSpec }: Exchange): number => Number(requestSpec.api === "api");
const compressionCalls = ({ sent }: Exchange): number => sent.body?.match(compressionNames)?.length ?? 0;

export const accounts: readonly Account[] = [
  { at: "/credits/walletApi", feature: "wallet", perCall: walletPrice, id: "MET-WAL-01", calls: walletCalls },
  { at: "/requests/walletApi", feature: "wallet", perCall: 1, id: "MET-WAL-02", calls: walletCalls },
  { at: "/requests/compression", feature: "compression", perCall: 1, id: "MET-CMP-01", calls: compressionCalls },
];

/** Whether an exchange is one documented call by a known key. */
const isPlain = ({ requestSpec }: Exchange, feature: Feature): boolean =>
  operationOf(dataPlatform, calledBy(requestSpec, dataPlatform))?.feature === feature &&
  ["GET", "POST"].includes(requestSpec.method) &&
  requestSpec.carriers.every(({ key }) => "keyOf" in key && key.spelled === undefined);

/** A charge that shows within this time shows at once. */
const soon_ms = 1_000;

/** The longest wait from one read to the next. */
const longestPause_ms = 8_000;

/** One project under audit: its usage when the run began. */
export interface ProjectAudit {
  readonly context: CheckContext;
  readonly as: Role;
  readonly before: Round;
}

/** The projects under audit in this run. */
export const auditedIn = ({ once }: Pick<CheckContext, "once">): ProjectAudit[] =>
  once("projects under audit", () => []);

/** By how much a figure has grown since the run began. @throws Withheld where that can't be known */
export function grownSince({ context, as, before }: ProjectAudit, round: Round, at: string): Big {
  const [start, now] = [before, round].map(({ exchanges: [one] }) => one && valueIn(one, "/creditCycle/start"));
  if (start !== now) throw new Withheld("a new cycle began during the run");
  const by = minus(round.figures, before.figures).get(nameIn(context, as, at));
  if (!by) throw new Withheld(`${at} wasn't a number in each read`);
  return by;
}

const isItsOwn =
  ({ context: { target }, as }: ProjectAudit) =>
  (asker: Asker): boolean =>
    projectNameOf(target, asker) === projectOf(target, as);

/** What was sent with keys of the project since its audit began. */
export const sentFor = (project: ProjectAudit, exchanges: readonly Exchange[]): readonly Exchange[] => {
  const began = project.before.exchanges[0]?.number ?? 0;
  return exchanges.filter(({ number, requestSpec }) => number > began && askersOf(requestSpec).some(isItsOwn(project)));
};

/** The most that some calls can have cost. */
export const mostOf = ({ perCall, calls }: Account, exchanges: readonly Exchange[]): Big =>
  new Big(exchanges.reduce((total, exchange) => total + calls(exchange), 0)).times(perCall);

/** The least and the most that calls with keys of the project can have cost. `proven`: without those in doubt. */
function spentOn(project: ProjectAudit, account: Account, own: readonly Exchange[], isOdd: OddAnswers) {
  const { feature, perCall } = account;
  // With two keys it is unspecified whose call it is.
  const certain = own.filter(
    (exchange) =>
      isServed(exchange) &&
      suspicion(exchange) === null &&
      isPlain(exchange, feature) &&
      askersOf(exchange.requestSpec).every(isItsOwn(project)),
  );
  const priceOf = (exchanges: readonly Exchange[]): Big => new Big(exchanges.length * perCall);
  const proven = certain.filter((exchange) => !isOdd(exchange));
  return { proven: priceOf(proven), least: priceOf(certain), most: mostOf(account, own) };
}

/** What one account of a project shows, beside the least and the most that the run's calls can have cost. */
export interface AccountRead extends ReturnType<typeof spentOn> {
  readonly project: ProjectAudit;
  readonly account: Account;
  /** The last read, and by how much it has grown; or why that isn't known. */
  readonly seen: { readonly exchange: Exchange; readonly by: Big } | string;
}

const isBehind = ({ seen, least }: AccountRead): boolean => typeof seen !== "string" && seen.by.lt(least);

/** Reads the accounts of the projects under audit once. @param isAgain false where their last reads may serve */
async function readOnce(all: readonly AccountRead[], isAgain: boolean): Promise<readonly AccountRead[]> {
  const rounds = new Map<ProjectAudit, Round | string>();
  for (const { project } of all)
    if (!rounds.has(project))
      rounds.set(project, await readAll(project.context, [project.as], isAgain).catch(reasonOf));
  const seenIn = ({ project, account }: AccountRead): AccountRead["seen"] => {
    const round = rounds.get(project) ?? "not read";
    if (typeof round === "string") return round;
    const [exchange] = round.exchanges;
    try {
      return exchange ? { exchange, by: grownSince(project, round, account.at) } : "not read";
    } catch (error) {
      return reasonOf(error);
    }
  };
  return all.map((one) => ({ ...one, seen: seenIn(one) }));
}

/** When an exchange ended, on the run's clock. */
const endOf_ms = ({ sentAt_ms, latency_ms }: Exchange): number => sentAt_ms + latency_ms;

/** Whether an account has grown since it was read before. */
const hasMoved = ({ seen }: AccountRead, { seen: before }: AccountRead): boolean =>
  typeof seen !== "string" && (typeof before === "string" ? seen.by.gt(0) : seen.by.gt(before.by));

/**
 * Reads some accounts of these projects, again while the figures show less than the run has called and still grow;
 * learns how long charges take.
 */
export async function readAccounts(
  context: Reader,
  projects: readonly ProjectAudit[],
  wanted: readonly Account[] = accounts,
): Promise<readonly AccountRead[]> {
  const exchanges = context.exchanges();
  const called = exchanges.filter((exchange) => wanted.some(({ calls }) => calls(exchange) > 0));
  const lastCall_ms = Math.max(0, ...called.map(endOf_ms));
  const nameOf = ({ project: { as }, account: { at } }: AccountRead): string => nameIn(context, as, at);
  let movedAt_ms = lastCall_ms;
  let wait_ms: number = waits_ms[0];
  // One answer more in doubt only makes the audit less strict.
  const isOdd = oddAnswersAmong(exchanges, ({ requestSpec }) => requestSpec.operation ?? "");
  let read: readonly AccountRead[] = projects.flatMap((project) => {
    const own = sentFor(project, exchanges);
    return wanted.map((account) => ({ project, account, ...spentOn(project, account, own, isOdd), seen: "not read" }));
  });
  for (let isFirst = true; ; isFirst = false) {
    const before = read;
    read = await readOnce(before, !isFirst);
    let readAt_ms = 0;
    for (const [nth, account] of read.entries()) {
      const earlier = before[nth];
      if (typeof account.seen === "string" || !earlier) continue;
      const { sentAt_ms } = account.seen.exchange;
      readAt_ms = Math.max(readAt_ms, sentAt_ms);
      if (!hasMoved(account, earlier)) continue;
      // The first may be a read from before other projects' calls.
      movedAt_ms = Math.max(movedAt_ms, sentAt_ms);
      const took_ms = Math.max(0, sentAt_ms - lastCall_ms);
      // What the first read shows may have shown long before.
      const isKnown = typeof earlier.seen !== "string" || took_ms < soon_ms;
      if (isKnown && !isBehind(account))
        learnLag(context, account.account.at, took_ms, typeof earlier.seen === "string");
    }
    const pace = chargePaceOf(context);
    const behind = read.filter((account) => isBehind(account) && !pace.overdue.has(nameOf(account)));
    // Credits may show long after counts.
    const isUnknown = behind.some(({ account }) => slowest_ms(pace, account.at) === null);
    const isOver = readAt_ms - movedAt_ms >= quiet_ms(pace, isUnknown ? patience_ms : usualPause_ms);
    if (isOver) learnPace(context, { overdue: new Set([...pace.overdue, ...behind.map(nameOf)]) });
    if (behind.length === 0 || isOver || isTooSlow(pace)) return read;
    await context.wait(wait_ms);
    wait_ms = Math.min(2 * wait_ms, longestPause_ms);
  }
}

/** What the run has called so far, in some projects. */
export interface CalledSoFar {
  /** Whether all of it shows. */
  readonly isShown: boolean;
  /** By role and place: what may show later, where no charge has shown yet. */
  readonly owed: MeterFigures;
}

/** Waits until what the run has called so far shows in these askers' projects. */
export async function untilCaughtUp(context: Reader, askers: readonly Asker[]): Promise<CalledSoFar> {
  const own = askers.map((as) => projectOf(context.target, as));
  const audited = auditedIn(context).filter(({ as }) => own.includes(projectOf(context.target, as)));
  const read = await readAccounts(context, audited);
  const behind = read.filter(isBehind);
  const isUnknown = slowest_ms(chargePaceOf(context)) === null;
  return {
    isShown: read.length > 0 && behind.length === 0 && read.every(({ seen }) => typeof seen !== "string"),
    owed: new Map(
      (isUnknown ? behind : []).map(({ project, account, least }) => [nameIn(context, project.as, account.at), least]),
    ),
  };
}
