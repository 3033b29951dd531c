// What of a workload all vendors of a panel can be asked, and what wallet reads cost there at most.
import { CommandLineError } from "../harness/core/commandLineError.ts";
import type { OperationId } from "../harness/core/interface.ts";
import { describeReason } from "../harness/core/reason.ts";
import { unmetNeedToObserve } from "../harness/engine/unmetNeeds.ts";
import { priceOf } from "../harness/targets/budget.ts";
import { staysHere } from "../load/traffic/mix.ts";
import type { PanelMember } from "../panel/polling.ts";
import { listQuestions, type PolledQuestion, sampleQuestions, walletQuestions } from "../panel/questions.ts";
import { mostCallsIn } from "../panel/turns.ts";
import { isWalletRead, planRefuses } from "../panel/walletReads.ts";
import { canPick, type Workload, withoutCalls, workloadQuestions } from "../panel/workload.ts";
import { listedTogether } from "../reports/lists.ts";
import { numberText } from "../reports/numbers.ts";
import { secondsNamed } from "./flags.ts";
import type { Invocation } from "./invocation.ts";
import { type PanelVendor, wantedIds } from "./panelQuestions.ts";
import { leftSentence, type WorkloadFlags, workloadNamed } from "./panelWorkload.ts";

/** Samples about which each operation is asked that a mix gives no params. */
const samplesOf: { readonly [operation: string]: string } = {
  getTokenAccounts: "samples.owner or samples.mint",
  getCompressedBalance: "samples.compressed",
};

/** Of a panel, unless a flag says otherwise. */
export const usualRounds = 20;

const targetsOf = (vendors: readonly PanelVendor[]) => vendors.map(({ target }) => target);

/** What a panel may ask by itself, as far as it is known before it asks. */
const ownQuestions = (vendors: readonly PanelVendor[]): readonly PolledQuestion[] => {
  const targets = targetsOf(vendors);
  return [...sampleQuestions(targets), ...listQuestions(targets), ...walletQuestions(targets)];
};

/** Why a vendor can't be asked; null where it can. */
function lackOf({ requestSpec }: PolledQuestion, { target }: PanelVendor): string | null {
  const need = unmetNeedToObserve(requestSpec, target);
  return need === null ? null : describeReason(need);
}

/** Why one of the vendors can't be asked; null where all can. */
function lackAmong(question: PolledQuestion, vendors: readonly PanelVendor[]): string | null {
  const lacks = vendors.map((vendor) => {
    const lack = lackOf(question, vendor);
    return planRefuses(question.operation, vendor.target) ?? (lack === null ? null : `${vendor.file}: ${lack}`);
  });
  return lacks.find((lack) => lack !== null) ?? null;
}

/** Wallet reads of the samples that all vendors serve, and why others are left out. */
function paidQuestions(vendors: readonly PanelVendor[]) {
  const all = walletQuestions(targetsOf(vendors)).map((question) => ({ question, why: lackAmong(question, vendors) }));
  return {
    questions: all.flatMap(({ question, why }) => (why === null ? [question] : [])),
    left: all.flatMap(({ question: { operation }, why }) => (why === null ? [] : [{ what: operation, calls: 0, why }])),
  };
}

/**
 * The part of a workload that all vendors can be asked.
 * @throws CommandLineError where a mix has an operation that a vendor doesn't offer, or nothing is left
 */
function offeredOf(
  workload: Workload,
  vendors: readonly PanelVendor[],
  { isPaid, seed }: { readonly isPaid: boolean; readonly seed: number },
): Workload {
  const own = ownQuestions(vendors);
  const priced = withoutCalls(workload, (operation) =>
    isWalletRead(operation) && !isPaid ? "each costs 100 credits, so only with --paid" : null,
  );
  const isPicked = new Set(priced.calls.flatMap(({ operation, params }) => (params ? [] : [operation])));
  const known = withoutCalls(priced, (operation) =>
    !isPicked.has(operation) || canPick(operation, own)
      ? null
      : `no target gives ${samplesOf[operation] ?? "samples.wallets"}`,
  );
  const questions = workloadQuestions(known, own, seed);
  const offered = withoutCalls(known, (operation) => {
    for (const vendor of vendors) {
      const refused = planRefuses(operation, vendor.target);
      if (refused !== null) return refused;
      const lack = questions.filter((one) => one.operation === operation).map((one) => lackOf(one, vendor));
      const [why] = lack.filter((reason) => reason !== null);
      if (why !== undefined && workload.is === "mix") throw notOffered(workload, operation, vendor, why);
      if (why !== undefined) return `${vendor.file}: ${why}`;
    }
    return null;
  });
  if (offered.calls.length > 0) return offered;
  throw new CommandLineError(
    `Nothing of ${workload.name} can be asked: ${leftSentence(offered.left)}. Name another with --workload.`,
  );
}

const notOffered = ({ name }: Workload, operation: string, { file, target }: PanelVendor, why: string) =>
  new CommandLineError(
    `The mix ${name} has ${operation}, which can't be asked of ${file}: ${why}. It offers ` +
      `${listedTogether(target.offers)}. Take ${operation} out of the mix, or ${file} out of the panel.`,
  );

interface AskedFlags extends WorkloadFlags {
  readonly paid?: true;
  readonly seed: number;
}

/**
 * What is asked in place of the panel's own questions, and which wallet reads beside them.
 * @param named from the user's list
 * @throws CommandLineError for what can't be asked, and for wallet reads without `--paid` or without a bound
 */
export async function askedFor(
  invocation: Invocation,
  flags: AskedFlags,
  vendors: readonly PanelVendor[],
  named: readonly PolledQuestion[],
): Promise<{ readonly workload: Workload | null; readonly paid: readonly PolledQuestion[] }> {
  const isPaid = flags.paid === true;
  const read = await workloadNamed(invocation, flags, vendors);
  const workload = read && offeredOf(read, vendors, { isPaid, seed: flags.seed });
  // Of a list that a panel wrote, one question is repeated without its wallet reads.
  const wanted = wantedIds(flags);
  const wallets = named.filter(({ operation, id }) => isWalletRead(operation) && (wanted?.includes(id) ?? true));
  for (const question of wallets) {
    const lack = isPaid ? lackAmong(question, vendors) : "it costs 100 credits a call, so only with --paid";
    if (lack === null) continue;
    throw new CommandLineError(
      `${flags.questions} has ${question.operation}, which can't be asked: ${lack}. Remove it.`,
    );
  }
  if (!isPaid) return { workload, paid: [] };
  const { questions: paid, left } = paidQuestions(vendors);
  const asked = workload ? workload.calls : [...named, ...paid];
  refuseUnbounded(
    vendors,
    asked.map(({ operation }) => operation),
  );
  if (!workload && left.length > 0) invocation.warn(`Not asked: ${leftSentence(left)}.`);
  return { workload, paid };
}

/** How many rounds there may be: they begin two seconds apart. */
export const mostRounds = ({ rounds, for: time }: { readonly rounds?: string; readonly for?: string }): number =>
  time === undefined ? Number(rounds ?? usualRounds) : Math.ceil(secondsNamed("--for", time) / 2) + 1;

/** @throws CommandLineError where wallets would be read without a bound */
function refuseUnbounded(vendors: readonly PanelVendor[], operations: readonly string[]): void {
  if (!operations.some(isWalletRead)) return;
  const unbounded = vendors.find(({ target }) => target.budget.credits === undefined && !staysHere(target));
  if (!unbounded) return;
  throw new CommandLineError(
    `--paid reads wallets at 100 credits a call, and ${unbounded.file} sets no bound. Write how many credits a panel ` +
      "may spend there, as in `budget: { credits: 20000 }`.",
  );
}

/**
 * What is spent at most, in one line; none without wallets.
 * @param rounds at most
 * @param members who have answered lists already
 */
export function creditsLines(
  vendors: readonly PanelVendor[],
  questions: readonly PolledQuestion[],
  rounds: number,
  members: readonly Pick<PanelMember, "transport">[],
): readonly string[] {
  const operations = [...new Set(questions.map(({ operation }) => operation))];
  if (!operations.some(isWalletRead)) return [];
  const costs = vendors.map(({ target }, nth) => {
    const polled = operations.reduce(
      (sum, one) => sum + mostCallsIn(questions, one, rounds) * (priceOf(target, one as OperationId) ?? 0),
      0,
    );
    const cost = polled + (members[nth]?.transport.spent.credits ?? 0);
    const { credits = Number.POSITIVE_INFINITY } = target.budget;
    return [
      target.name,
      `${numberText(Math.min(cost, credits))} credits`,
      cost > credits ? " (its budget)" : "",
    ] as const;
  });
  const most = costs[0]?.[1];
  const isSame = costs.every(([, cost, bound]) => cost === most && bound === "");
  const texts = costs.map(([name, cost, bound]) => `${cost} at ${name}${bound}`);
  const where = isSame && costs.length > 1 ? `${most} at each vendor` : listedTogether(texts);
  return [`Wallets are read, which costs up to ${where}.`];
}
