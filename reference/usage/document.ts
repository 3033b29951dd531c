// The usage document of a project (§2.1, §4.1)
import { cycleAt, monthAt, plusDays, spanOf, timeOf, utcDayOf, type Window, yearAt } from "../metering/calendar.ts";
import { figuresOf, shownAmount, type UsageFigures } from "../metering/figures.ts";
import {
  chargedProducts,
  metered,
  noCredits,
  perProduct,
  type Span,
  streams,
  type UsageLedger,
} from "../platform/ledger.ts";
import type { Project } from "../platform/project.ts";
import { honestUsage, type KeyScope, type UsageRules } from "../platform/rules.ts";
import type { Doc } from "../platform/wire.ts";

const hour_ms = 3_600_000;

export interface UsageRead {
  /** By the project's own calendar. */
  readonly now_ms: number;
  /** Earlier reads of this project. */
  readonly before: number;
  /** Hours from UTC that the client names. */
  readonly hint_h: number;
}

export function usageOf(project: Project, rules: UsageRules, read: UsageRead): Doc {
  const { plan } = project;
  const ledger =
    rules.replicas === "every other one entry behind" && read.before % 2 === 1
      ? project.ledger.of(project.ledger.entries.slice(0, -1))
      : project.ledger;
  const figures = figuresOf(ledger, plan.creditsLimit, rules, (scope) => spanIn(project, scope, rules, read));
  if (rules.rounding.reading === "writes back") writeBack(project.ledger, figures, rules, read);
  const whole = (amount: UsageFigures["used"]): number => shownAmount(amount, rules.rounding);
  const total = (amount: UsageFigures["used"]): number =>
    rules.rounding.totals === "exact" ? amount.toNumber() : whole(amount);
  return {
    creditsRemaining: total(figures.remaining),
    creditsUsed: total(figures.used),
    prepaidCreditsRemaining: total(figures.prepaidRemaining),
    prepaidCreditsUsed: total(figures.prepaidUsed),
    creditCycle: { ...creditCycleOf(project, rules, read) },
    subscriptionDetails: {
      billingCycle: plan.kind === "free" ? null : { ...billingCycleOf(project, rules, read) },
      creditsLimit: limitOf(project, rules, figures),
      plan: plan.name,
    },
    credits: perProduct(chargedProducts, (product) => whole(figures.products[product])),
    requests: perProduct(metered, (product) => figures.requests[product]),
    dataTransfer: perProduct(streams, (stream) => figures.bytes[stream]),
  };
}

/** Unrounded figures of the current cycle. */
export function exactFigures(project: Project, now_ms: number, rules: UsageRules = honestUsage): UsageFigures {
  return figuresOf(project.ledger, project.plan.creditsLimit, rules, (scope) =>
    spanIn(project, scope, rules, { now_ms, before: 0, hint_h: 0 }),
  );
}

const limitOf = ({ plan, invoicing }: Project, { limitShown }: UsageRules, figures: UsageFigures): number =>
  ({
    "of the plan": plan.creditsLimit,
    "what remains": Math.round(figures.remaining.toNumber()),
    "with prepaid": plan.creditsLimit + Math.round(figures.prepaidRemaining.plus(figures.prepaidUsed).toNumber()),
    "a twelfth where invoiced yearly": invoicing === "yearly" ? Math.floor(plan.creditsLimit / 12) : plan.creditsLimit,
  })[limitShown];

/** A read that stores what it shows, as an entry of the difference. */
function writeBack(ledger: UsageLedger, figures: UsageFigures, rules: UsageRules, { now_ms }: UsageRead): void {
  for (const product of chargedProducts) {
    const credits = figures.products[product].round(0).minus(figures.products[product]);
    if (!credits.eq(0) && rules.scopes.products === "cycle")
      ledger.add({ at_ms: now_ms, product, credits, prepaid: noCredits, requests: 0, bytes: 0 });
  }
}

function spanIn(project: Project, scope: KeyScope, rules: UsageRules, read: UsageRead): Span {
  const { now_ms } = read;
  const cycle = spanOf(cycleAt(project.billingAnchor, now_ms));
  const spans: { readonly [S in KeyScope]: () => Span } = {
    cycle: () => cycle,
    lifetime: () => ({ from_ms: 0, until_ms: now_ms + 1 }),
    "cycle and the one before": () => ({
      from_ms: spanOf(cycleAt(project.billingAnchor, now_ms, -1)).from_ms,
      until_ms: now_ms + 1,
    }),
    "calendar month": () => spanOf(monthAt(now_ms)),
    "billing window": () => spanOf(billingCycleOf(project, rules, read)),
    day: () => ({ from_ms: timeOf(utcDayOf(now_ms)), until_ms: now_ms + 1 }),
    "until midnight": () => ({ ...cycle, until_ms: timeOf(utcDayOf(now_ms)) }),
    "until the last full hour": () => ({ ...cycle, until_ms: Math.floor(now_ms / hour_ms) * hour_ms }),
  };
  return spans[scope]();
}

function creditCycleOf(
  { billingAnchor, createdOn }: Project,
  rules: UsageRules,
  { now_ms, hint_h }: UsageRead,
): Window {
  const offset_h = rules.dateOffset_h + (rules.dateHint === "followed" ? hint_h : 0);
  // Another zone gives wrong dates only in the hours in which its day differs from the day in UTC.
  const current = cycleAt(billingAnchor, now_ms + offset_h * hour_ms);
  const today = utcDayOf(now_ms);
  const cycles: { readonly [C in UsageRules["creditCycle"]]: () => Window } = {
    current: () => current,
    previous: () => cycleAt(billingAnchor, now_ms, -1),
    "next on the last day": () => cycleAt(billingAnchor, now_ms, current.end === today ? 1 : 0),
    "of the signup": () => cycleAt(billingAnchor, timeOf(billingAnchor)),
    "calendar month": () => monthAt(now_ms),
    "rolling 30 days": () => ({ start: plusDays(today, -29), end: today }),
    "by the project's creation": () => cycleAt(createdOn, now_ms),
  };
  return cycles[rules.creditCycle]();
}

function billingCycleOf(project: Project, rules: UsageRules, read: UsageRead): Window {
  const { billingAnchor, invoicing } = project;
  const { now_ms } = read;
  const current = cycleAt(billingAnchor, now_ms);
  const cycles: { readonly [C in UsageRules["billingCycle"]]: () => Window } = {
    "as creditCycle": () =>
      invoicing === "yearly" ? yearAt(billingAnchor, now_ms) : creditCycleOf(project, rules, read),
    "shifted by a day": () => ({ start: plusDays(current.start, 1), end: plusDays(current.end, 1) }),
    annual: () => yearAt(billingAnchor, now_ms),
    previous: () => cycleAt(billingAnchor, now_ms, -1),
    next: () => cycleAt(billingAnchor, now_ms, 1),
  };
  return cycles[rules.billingCycle]();
}
