// What a panel's calls cost: as listed, and as each vendor's usage grew by them.
import type Big from "big.js";
import { usageRequest } from "../contracts/shared/requestSpecs.ts";
import type { Clock } from "../harness/core/clock.ts";
import type { OperationId } from "../harness/core/interface.ts";
import { exactAt } from "../harness/core/json.ts";
import { BudgetSpent, Inconclusive } from "../harness/core/outcomes.ts";
import { describeReason } from "../harness/core/reason.ts";
import { unmetNeedToObserve } from "../harness/engine/unmetNeeds.ts";
import { priceOf } from "../harness/targets/budget.ts";
import { keyOf } from "../harness/targets/target.ts";
import { classOf, describeOutcome, isServed } from "../harness/transport/answers.ts";
import type { VendorPrice } from "./panelReport.ts";
import type { PanelMember, Poll } from "./polling.ts";

/** From one read of usage to the next; ten seconds in all. What hasn't moved for three is taken to be all. */
const waits_ms = [1_000, 3_000, 3_000, 3_000];
const still_ms = 3_000;

const usage = usageRequest({ as: "owner", keyIn: "header" });

/** Credits that a project has used, or why they aren't known. */
type Used = Big | string;

async function usedBy({ target, transport }: PanelMember): Promise<Used> {
  try {
    const exchange = await transport.send(usage);
    if (!isServed(exchange)) return `its usage wasn't served: ${describeOutcome(exchange)}`;
    const json = exchange.answer?.json;
    return (json && exactAt(json, "/creditsUsed")) ?? "its usage has no number of creditsUsed";
  } catch (error) {
    if (error instanceof BudgetSpent) return "its budget leaves no request for its usage";
    if (error instanceof Inconclusive) return describeReason(error.reason);
    // A defect of ours, which loses no panel.
    return target.redact(`Assay itself failed on its usage: ${(error as Error).message}`);
  }
}

/** Why usage tells nothing of a vendor's charges; null where it does. */
function whyUnread({ target }: PanelMember): string | null {
  const need = unmetNeedToObserve(usage, target);
  if (need !== null) return describeReason(need);
  return target.quiet ? null : "others may use its project: the target doesn't say `quiet: true`";
}

/** Credits once they stand still, and, after calls, have moved. @param before the calls; null where none were sent */
async function settled(member: PanelMember, clock: Clock, before: Big | null): Promise<Used> {
  let last = await usedBy(member);
  for (const wait_ms of waits_ms) {
    if (typeof last === "string") return last;
    await clock.sleep(wait_ms);
    const next = await usedBy(member);
    if (typeof next === "string") return next;
    if (wait_ms >= still_ms && next.eq(last) && !(before && next.eq(before))) return next;
    last = next;
  }
  if (typeof last === "string") return last;
  const hasMoved = before !== null && last.eq(before) ? "hadn't moved" : "was still moving";
  return before === null
    ? "its usage moved before anything was asked"
    : `its usage ${hasMoved} 10 s after the last call: charges may show later`;
}

/** Operations with their parts of all calls. */
type Shares = { readonly [operation: string]: number };

/** Fewer change nothing that is said of charges. */
const fewUnanswered = 0.005;
const farOff = 0.05;

/** Why calls tell nothing of what the whole mix costs; null where they do. @param isListed whether all have a price */
function offShares(calls: readonly string[], shares: Shares, isListed: boolean): string | null {
  const parts = Object.entries(shares).map(([operation, share]) => {
    const served = calls.filter((call) => call === operation).length;
    return { operation, served, due: share * calls.length };
  });
  const lacking = parts.find(({ served, due }) => served === 0 && due >= 0.5);
  if (lacking) return `it served no ${lacking.operation}, a part of the mix`;
  const isOff = parts.some(({ served, due }) => Math.abs(served - due) > 1 + farOff * calls.length);
  return isOff && !isListed ? "its served calls aren't in the shares of the mix, nor all priced" : null;
}

/** The charges of a panel's calls: read before the first and after the last. */
export class PanelCharges {
  readonly #members: readonly PanelMember[];
  readonly #clock: Clock;
  /** What was served, vendor by vendor. */
  readonly #served: OperationId[][];
  /** Calls without an answer, vendor by vendor. */
  readonly #unanswered: number[];
  readonly #before: readonly Used[];
  readonly #shares: Shares;

  private constructor(members: readonly PanelMember[], clock: Clock, before: readonly Used[], shares: Shares) {
    this.#members = members;
    this.#clock = clock;
    this.#served = members.map(() => []);
    this.#unanswered = members.map(() => 0);
    this.#before = before;
    this.#shares = shares;
  }

  /** @param shares of the workload */
  static async begin(members: readonly PanelMember[], clock: Clock, shares: Shares): Promise<PanelCharges> {
    const readOf = async (member: PanelMember): Promise<Used> =>
      whyUnread(member) ?? (await settled(member, clock, null));
    return new PanelCharges(members, clock, await Promise.all(members.map(readOf)), shares);
  }

  add({ question, replies }: Poll): void {
    for (const { vendor, exchange } of replies) {
      if (classOf(exchange) === "served") this.#served[vendor]?.push(question.operation as OperationId);
      else if (exchange.answer === null) this.#unanswered[vendor] = (this.#unanswered[vendor] ?? 0) + 1;
    }
  }

  /** In the order of vendors. */
  async end(): Promise<readonly Pick<VendorPrice, "charged" | "why">[]> {
    return Promise.all(this.#members.map((member, vendor) => this.#chargedTo(member, vendor)));
  }

  async #chargedTo(member: PanelMember, vendor: number): Promise<Pick<VendorPrice, "charged" | "why">> {
    const unknown = (why: string) => ({ charged: null, why });
    const before = this.#before[vendor] ?? "its usage wasn't read";
    const calls = this.#served[vendor] ?? [];
    if (typeof before === "string") return unknown(before);
    if (calls.length === 0) return unknown("it served no call");
    const unanswered = this.#unanswered[vendor] ?? 0;
    if (unanswered > fewUnanswered * calls.length) return unknown("calls without an answer may be charged, too");
    const after = await settled(member, this.#clock, before);
    if (typeof after === "string") return unknown(after);
    if (after.lt(before)) return unknown("its usage fell: a new credit cycle began");
    const { others } = member.target;
    const name = keyOf(member.target, "owner")?.projectName ?? "";
    if (others?.projects().includes(name)) return unknown("another command of this machine used its project");
    const prices = calls.map((operation) => priceOf(member.target, operation));
    const listed = prices.reduce((sum, price) => (sum === null || price === null ? null : sum + price), 0);
    const off = offShares(calls, this.#shares, listed !== null);
    if (off !== null) return unknown(off);
    return { charged: { credits: after.minus(before).toFixed(), calls: calls.length, listed }, why: null };
  }
}

/**
 * What each vendor takes.
 * @param charges null where usage wasn't read
 * @param complete whether the panel lasted as long as it was to: else nothing is waited for
 */
export async function pricesOf(
  members: readonly PanelMember[],
  operations: readonly string[],
  charges: PanelCharges | null,
  complete: boolean,
): Promise<readonly VendorPrice[]> {
  const charged = complete ? await charges?.end() : undefined;
  const why = charges ? "the panel was cut short" : "usage is read with --workload only";
  return members.map(({ target }, vendor) => ({
    vendor,
    listed: Object.fromEntries(operations.map((operation) => [operation, priceOf(target, operation as OperationId)])),
    ...(charged?.[vendor] ?? { charged: null, why }),
  }));
}
