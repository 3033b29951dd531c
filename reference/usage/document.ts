// The usage document of a project (§2.1, §4.1)
import { cycleAt, dayOf, monthAt, plusDays, spanOf, timeOf, type Window, yearAt } from "../metering/calendar.ts";
import { type Figures, figuresOf, shown } from "../metering/figures.ts";
import { type Ledger, metered, perProduct, products, type Span, streams, zero } from "../platform/ledger.ts";
import type { Project } from "../platform/project.ts";
import { honestUsage, type Scope, type UsageRules } from "../platform/rules.ts";
import type { Doc } from "../platform/wire.ts";

const hour_ms = 3_600_000;

export interface Read {
  /** By the project's own calendar. */
  readonly now_ms: number;
  /** Earlier reads of this project. */
  readonly before: number;
  /** Hours from UTC that the client names. */
  readonly hint_h: number;
}

export function usageOf(project: Project, rules: UsageRules, read: Read): Doc {
  const { plan } = project;
  const ledger =
    rules.replicas === "every other one entry behind" && read.before % 2 === 1
      ? project.ledger.of(project.ledger.entries.slice(0, -1))
      : project.ledger;
  const figures = figuresOf(ledger, plan.creditsLimit, rules, (scope) => spanIn(project, scope, rules, read));
  if (rules.rounding.reading === "writes back") writeBack(project.ledger, figures, rules, read);
  const whole = (amount: Figures["used"]): number => shown(amount, rules.rounding);
  const total = (amount: Figures["used"]): number =>
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
    credits: perProduct(products, (product) => whole(figures.products[product])),
    requests: perProduct(metered, (product) => figures.requests[product]),
    dataTransfer: perProduct(streams, (stream) => figures.bytes[stream]),
  };
}

/** Unrounded figures of the current cycle. */
export function exactFigures(project: Project, now_ms: number, rules: UsageRules = honestUsage): Figures {
  return figuresOf(project.ledger, project.plan.creditsLimit, rules, (scope) =>
    spanIn(project, scope, rules, { now_ms, before: 0, hint_h: 0 }),
  );
}

const limitOf = ({ plan, invoicing }: Project, { limitShown }: UsageRules, figures: Figures): number =>
  ({
    "of the plan": plan.creditsLimit,
    "what remains": Math.round(figures.remaining.toNumber()),
    "with prepaid": plan.creditsLimit + Math.round(figures.prepaidRemaining.plus(figures.prepaidUsed).toNumber()),
    "a twelfth where invoiced yearly": invoicing === "yearly" ? Math.floor(plan.creditsLimit / 12) : plan.creditsLimit,
  })[limitShown];

/** A read that stores what it shows, as an entry of the difference. */
function writeBack(ledger: Ledger, figures: Figures, rules: UsageRules, { now_ms }: Read): void {
  for (const product of products) {
    const credits = figures.products[product].round(0).minus(figures.products[product]);
    if (!credits.eq(0) && rules.scopes.products === "cycle")
      ledger.add({ at_ms: now_ms, product, credits, prepaid: zero, requests: 0, bytes: 0 });
  }
}

function spanIn(project: Project, scope: Scope, rules: UsageRules, read: Read): Span {
  const { now_ms } = read;
  const cycle = spanOf(cycleAt(project.billingAnchor, now_ms));
  const spans: { readonly [S in Scope]: () => Span } = {
    cycle: () => cycle,
    lifetime: () => ({ from_ms: 0, until_ms: now_ms + 1 }),
    "cycle and the one before": () => ({
      from_ms: spanOf(cycleAt(project.billingAnchor, now_ms, -1)).from_ms,
      until_ms: now_ms + 1,
    }),
    "calendar month": () => spanOf(monthAt(now_ms)),
    "billing window": () => spanOf(billingCycleOf(project, rules, read)),
    day: () => ({ from_ms: timeOf(dayOf(now_ms)), until_ms: now_ms + 1 }),
    "until midnight": () => ({ ...cycle, until_ms: timeOf(dayOf(now_ms)) }),
    "until the last full hour": () => ({ ...cycle, until_ms: Math.floor(now_ms / hour_ms) * hour_ms }),
  };
  return spans[scope]();
}

function creditCycleOf({ billingAnchor, createdOn }: Project, rules: UsageRules, { now_ms, hint_h }: Read): Window {
  const offset_h = rules.dateOffset_h + (rules.dateHint === "followed" ? hint_h : 0);
  // Another zone gives wrong dates only in the hours in which its day differs from the day in UTC.
  const current = cycleAt(billingAnchor, now_ms + offset_h * hour_ms);
  const today = dayOf(now_ms);
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

function billingCycleOf(project: Project, rules: UsageRules, read: Read): Window {
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
