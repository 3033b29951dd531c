// The cost of a plan: the requests and credits that its checks and probes send at most.
import type { Scale } from "../core/generation.ts";
import { type Feature, operationOf } from "../core/interface.ts";
import {
  asAsker,
  asSecondRepeat,
  calledBy,
  type Made,
  type RequestSpec,
  type Role,
  requestKey,
} from "../core/requestSpec.ts";
import type { Check, CheckContext, Needs, PlannedSchedule, Sends } from "../model/check.ts";
import type { Probe } from "../model/probe.ts";
import type { SampleFinder } from "../model/sampleFinder.ts";
import type { AuthSanityCheck, Suite } from "../model/suite.ts";
import { costOf, priceOf, type Spent } from "../targets/budget.ts";
import { projectNameOf, type Target } from "../targets/target.ts";
import { sanityChecksFor, unmetNeedToObserve } from "./unmetNeeds.ts";

const times = <Item>(count: number, items: readonly Item[]): readonly Item[] =>
  Array.from({ length: count }, () => items).flat();

/** What the cases of a property send at most if all hold; shrinking a failing case takes more, within the budget. */
export const generatedBy = ({ generates }: Check["needs"], scale: Scale): readonly RequestSpec[] =>
  generates ? times(generates.cases[scale], generates.each) : [];

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

/** Whether a request reads the meter. */
export const readsMeter =
  ({ interface: { meter, ...given } }: Target) =>
  (requestSpec: RequestSpec): boolean =>
    operationOf(given, calledBy(requestSpec, given))?.feature === meter;

const distinct = (requestSpecs: readonly RequestSpec[]): readonly RequestSpec[] => [
  ...new Map(requestSpecs.map((one) => [requestKey(one), one])).values(),
];

/** Reads until a charge shows that takes 10 s, beside those where it shows at once: the pauses double. */
const readsOfLateCharges = 6;
/** Calls are measured together, and once more where the first time leaves a doubt. */
const measurements = 2;

/** What is sent while charges are measured: all of one window together, between reads of the meter. */
function measuredBy(all: readonly Needs[], isRead: (requestSpec: RequestSpec) => boolean): readonly RequestSpec[] {
  const windows = [...new Set(all.map(({ settles }) => settles?.window))];
  return windows.flatMap((window) => {
    const some = all.filter(({ settles }) => settles?.window === window);
    const requests = distinct(some.flatMap((one) => one.requests));
    const rounds = some.map(({ settles: { rounds: usual = 0, mostRounds = 0 } = {} }) =>
      Math.max(usual + readsOfLateCharges, windows.length > 1 ? 0 : mostRounds),
    );
    return [
      ...times(Math.max(...rounds), requests.filter(isRead)),
      ...times(
        measurements,
        requests.filter((one) => !isRead(one)),
      ),
    ];
  });
}

/** Who a plan is about, and what tells whether its callers are distinguished. */
interface Callers extends Pick<Suite, "authSanityChecks"> {
  readonly features: readonly Feature[];
  /** Whose keys are used. */
  readonly roles: ReadonlySet<Role | Made>;
}

/** What a run asks beside its checks: of each base and key before anything else, and the meter for the charge audit. */
function askedBeside(target: Target, { features, roles, ...suite }: Callers) {
  const possible = sanityChecksFor(suite, target.offers, target);
  const asked = possible.filter((one) => one.features.some((feature) => features.includes(feature)));
  const priceOfOwner = ({ owner }: AuthSanityCheck): number => costOf(target, owner) ?? 0;
  const cheapest = [...asked].sort((a, b) => priceOfOwner(a) - priceOfOwner(b)).slice(0, 1);
  const held = target.interface.roles.flatMap(({ name }) => (target.keys.has(name) ? [name] : []));
  const readers = [...new Map(held.map((role) => [projectNameOf(target, role), role])).values()];
  const [read] = possible.map(({ owner }) => owner).filter(readsMeter(target));
  const bases = [...new Map(asked.map(({ api, unauthorized }) => [api, unauthorized])).values()];
  return {
    distinguishing: asked.flatMap(({ owner, unauthorized }) => [owner, unauthorized]),
    // The reference is always there and knows its keys.
    preflight: target.isReference
      ? []
      : [...bases, ...[...roles].flatMap((role) => cheapest.map(({ owner }) => asAsker(owner, role)))],
    audit: read ? readers.map((role) => asAsker(read, role)) : [],
    // Where charges aren't complete at the end, one more call shows how late they are.
    markers: read ? asked.flatMap(({ owner }) => (owner === read ? [] : [owner])) : [],
  };
}

const tenthOf = (count: number): number => Math.ceil(count / 10);

/** Of what is planned, a tenth more may be sent: answers that leave a doubt and breaches are asked for again. */
const reserved = (count: number): number => count + tenthOf(count);

interface Senders {
  readonly tried: readonly Check[];
  readonly searching: readonly SampleFinder[];
  readonly observed: readonly Probe[];
}

interface CostOptions extends Callers {
  readonly target: Target;
  /** The same with samples that are looked for, as if they were found. */
  readonly found: Target;
  readonly scale: Scale;
}

export interface PlanCost extends Spent {
  /** Calls that can't be undone, and what they pay if all are accepted. */
  readonly sends: CheckContext["mostSends"];
  /**
   * How often calls that may have an effect are sent again at most, the same bytes, where they are refused for their
   * rate: what a refusal took after all is charged again, but lands once.
   */
  readonly resends: number;
}

/** What it sends again. */
const again = ({ repeats = 0, requests }: Needs): readonly RequestSpec[] => times(repeats, requests.slice(0, 1));

/** What checks, finders and probes send together, at most, on a platform whose charges show within 10 s. */
export function costOfPlanned({ tried, searching, observed }: Senders, options: CostOptions): PlanCost {
  const { target, found, scale } = options;
  const senders = [...tried, ...searching];
  const checked = senders.map((one) => one.needs);
  const measured = checked.filter(({ settles }) => settles);
  const { distinguishing, preflight, audit, markers } = askedBeside(target, options);
  const requestSpecs = [
    ...distinct([
      ...distinguishing,
      ...checked.filter(({ settles }) => !settles).flatMap((one) => one.requests),
      ...observed.flatMap((probe) => observedBy(probe, found)),
    ]),
    ...preflight,
    ...measuredBy(measured, readsMeter(target)),
    // Before, after, and where nothing else has shown how late charges are, until they show.
    ...times(measured.length > 0 || target.isReference ? 3 : 3 + readsOfLateCharges, audit),
    ...markers,
    ...[...checked, ...times(2, observed).map(({ needs }) => needs)].flatMap(again),
    ...tried.flatMap((one) => generatedBy(one.needs, scale)),
  ];
  const needs: readonly Needs[] = [...checked, ...observed.map((one) => one.needs)];
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
    ...requestSpecs.map((one) => costOf(target, one)),
    ...[...schedules.values()].flatMap(({ calls }) => calls.map((operation) => priceOf(target, operation))),
    ...sends.flatMap(({ feature, calls }) => Array.from({ length: calls }, () => priceToSend(target, feature))),
  ];
  const reads = sum(checked.map(({ control }) => control?.reads ?? 0));
  const calls = sum(sends.map((one) => one.calls));
  const once = requestSpecs.filter(({ operation }) => operationOf(target.interface, operation)?.isOnce);
  return {
    requests: reserved(prices.length + reads),
    credits: reserved(sum(prices.map((price) => price ?? 0))),
    unpriced: reserved(prices.filter((price) => price === null).length + reads),
    sends: {
      calls,
      payments: sum(sends.map(({ payments }) => payments)),
      signatures: sum(sends.map(({ signatures = 0 }) => signatures)),
      deposits: sum(sends.map(({ deposits = 0 }) => deposits)),
    },
    resends: target.isReference ? 0 : tenthOf(calls + once.length),
  };
}
