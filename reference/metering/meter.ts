// One increment of a ledger: what it costs, and which pool pays (§2.1)
import Big from "big.js";
import { type ChargedProduct, type LedgerEntry, noCredits, type Stream } from "../platform/ledger.ts";
import type { PoolOrder } from "../platform/meteringRules.ts";
import type { Project } from "../platform/project.ts";
import type { Rules } from "../platform/rules.ts";
import { cycleAt, spanOf } from "./calendar.ts";

const gibibyte = 1024 ** 3;

export interface MeteredUse {
  readonly product: ChargedProduct;
  readonly credits: Big;
  readonly requests?: number;
  readonly bytes?: number;
  /** The pool that pays; left out: both, in their order, while they last, then overage. */
  readonly pool?: "regular" | "prepaid";
}

/** What was used in the current cycle. */
export const entriesOf = ({ ledger, billingAnchor }: Project, now_ms: number): readonly LedgerEntry[] =>
  ledger.within(spanOf(cycleAt(billingAnchor, now_ms)));

/** Writes one increment into a project's ledger, at an instant of its own calendar. */
export function use(
  project: Project,
  now_ms: number,
  meteredUse: MeteredUse,
  order: PoolOrder = "the plan's first",
): LedgerEntry {
  const { product, credits, requests = 0, bytes = 0, pool } = meteredUse;
  const prepaid =
    pool === "prepaid" ? credits : pool === "regular" ? noCredits : prepaidPart(project, now_ms, credits, order);
  const entry = { at_ms: now_ms, product, credits, prepaid, requests, bytes };
  project.ledger.add(entry);
  return entry;
}

function prepaidPart({ billingAnchor, plan, ledger }: Project, now_ms: number, credits: Big, order: PoolOrder): Big {
  if (order === "prepaid ones first") return credits.lt(ledger.prepaidLeft) ? credits : ledger.prepaidLeft;
  const left = new Big(plan.creditsLimit).minus(
    ledger.regularWithin({ ...spanOf(cycleAt(billingAnchor, now_ms)), until_ms: now_ms + 1 }),
  );
  const beyond = credits.minus(left.gt(0) ? left : noCredits);
  if (beyond.lte(0)) return noCredits;
  return beyond.lt(ledger.prepaidLeft) ? beyond : ledger.prepaidLeft;
}

export const stream = (project: Project, now_ms: number, name: Stream, bytes: number, { prices }: Rules): LedgerEntry =>
  use(project, now_ms, { product: name, credits: new Big(prices.gibibyte).times(bytes).div(gibibyte), bytes });

export function deliverWebhooks(
  project: Project,
  now_ms: number,
  count: number,
  attempts: number,
  { prices, metering }: Rules,
): LedgerEntry {
  const counted = metering.deliveries === "events" ? count : count * attempts;
  return use(project, now_ms, {
    product: "webhooks",
    credits: new Big(prices.delivery).times(counted),
    requests: counted,
  });
}
