// The cost of a plan: the requests and credits that its checks and probes send at most.
import type { Scale } from "../core/generation.ts";
import type { Feature } from "../core/interface.ts";
import { asSecondRepeat, type RequestSpec, requestKey } from "../core/requestSpec.ts";
import type { Check, CheckContext, Needs, PlannedSchedule, Sends } from "../model/check.ts";
import type { Probe } from "../model/probe.ts";
import type { SampleFinder } from "../model/sampleFinder.ts";
import { costOf, priceOf, type Spent } from "../targets/budget.ts";
import type { Target } from "../targets/target.ts";
import { unmetNeedToObserve } from "./unmetNeeds.ts";

/** What the cases of a property send at most if all hold; shrinking a failing case takes more, within the budget. */
export const generatedBy = ({ generates }: Check["needs"], scale: Scale): readonly RequestSpec[] =>
  generates ? Array.from({ length: generates.cases[scale] }, () => generates.each).flat() : [];

export const observedBy = ({ needs, asksOnce }: Probe, target: Target): readonly RequestSpec[] =>
  needs.requests.flatMap((requestSpec) =>
    unmetNeedToObserve(requestSpec, target) === null
      ? [requestSpec, asksOnce ? requestSpec : asSecondRepeat(requestSpec)]
      : [],
  );

interface Sending extends Sends {
  readonly feature: Feature;
}

/** A probe observes twice. */
const timesTwo = ({ calls, payments, signatures = 0, ...rest }: Sends): Sends => ({
  ...rest,
  calls: 2 * calls,
  payments: 2 * payments,
  signatures: 2 * signatures,
});

function sentOnce(all: readonly Sending[]): readonly Sending[] {
  const shared = new Map(
    all.flatMap(({ shared: some = [], feature }) => some.map((one) => [one.name, { ...one, feature }] as const)),
  );
  return [...all, ...shared.values()];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

function priceToSend(target: Target, feature: Feature): number | null {
  const operation = target.interface.operations.find((one) => one.feature === feature && one.irreversible);
  return operation ? priceOf(target, operation.id) : null;
}

interface Senders {
  readonly tried: readonly Check[];
  readonly searching: readonly SampleFinder[];
  readonly observed: readonly Probe[];
}

interface CostOptions {
  readonly target: Target;
  /** The same with samples that are looked for, as if they were found. */
  readonly found: Target;
  readonly scale: Scale;
}

export interface PlanCost extends Spent {
  /** Calls that can't be undone, and what they pay if all are accepted. */
  readonly sends: CheckContext["mostSends"];
}

/** What checks, finders and probes send together. */
export function costOfPlanned({ tried, searching, observed }: Senders, options: CostOptions): PlanCost {
  const { target, found, scale } = options;
  const senders = [...tried, ...searching];
  const requestSpecs = [
    ...senders.flatMap(({ needs }) => needs.requests),
    ...observed.flatMap((probe) => observedBy(probe, found)),
  ];
  const needs: readonly Needs[] = [...tried, ...observed].map((one) => one.needs);
  const schedules = new Map(
    needs.flatMap((one) => one.schedules ?? []).map((one): readonly [string, PlannedSchedule] => [one.name, one]),
  );
  const sends = sentOnce([
    ...senders.flatMap(({ needs: { sends: one }, feature }) => (one ? [{ ...one, feature }] : [])),
    ...observed.flatMap(({ needs: { sends: one }, features: [feature] }) =>
      one && feature ? [{ ...timesTwo(one), feature }] : [],
    ),
  ]);
  const prices = [
    ...[...new Map(requestSpecs.map((one) => [requestKey(one), one])).values()].map((one) => costOf(target, one)),
    ...tried.flatMap((one) => generatedBy(one.needs, scale)).map((one) => costOf(target, one)),
    ...[...schedules.values()].flatMap(({ calls }) => calls.map((operation) => priceOf(target, operation))),
    ...sends.flatMap(({ feature, calls }) => Array.from({ length: calls }, () => priceToSend(target, feature))),
  ];
  const reads = sum(tried.map((one) => one.needs.control?.reads ?? 0));
  return {
    requests: prices.length + reads,
    credits: sum(prices.map((price) => price ?? 0)),
    unpriced: prices.filter((price) => price === null).length + reads,
    sends: {
      calls: sum(sends.map(({ calls }) => calls)),
      payments: sum(sends.map(({ payments }) => payments)),
      signatures: sum(sends.map(({ signatures = 0 }) => signatures)),
      deposits: sum(sends.map(({ deposits = 0 }) => deposits)),
    },
  };
}
