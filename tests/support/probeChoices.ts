// Tests that all probe specs share: each choice is seen, two passes agree, and no check judges a choice a breach.
import { expect, test } from "@playwright/test";
import { type ObservationId, observations } from "../../specs/generated/observations.ts";
import {
  type Choice,
  type Choices,
  type OfTarget,
  type Outcome,
  outcomeOf,
  suiteOf,
  summaryOf,
  type Trial,
} from "./probeSpecs.ts";

/** Several probes of one subject. */
export interface Subject extends Pick<Trial, "suite" | "checks" | "target" | "hasSchedules"> {
  readonly name: string;
  /** Each needs a probe and a choice that the probe sees. */
  readonly ids: readonly ObservationId[];
  /** Other subjects' observations, which have choices here too. */
  readonly shared?: readonly ObservationId[];
  readonly choices: Choices;
  /** On the honest platform they are withheld, as there is nothing to see. */
  readonly unseen?: readonly ObservationId[];
  /** How the choices are judged; not at all by default. */
  readonly judged?: {
    readonly suite?: Trial["suite"];
    readonly target?: OfTarget;
    readonly observe?: (id: ObservationId, choice: Choice) => readonly ObservationId[] | undefined;
    readonly isJudged?: (choice: Choice) => boolean;
  };
}

const rowsOf = ({ choices }: Subject) =>
  (Object.entries(choices) as [string, Choice][]).map(([sight, choice]) => {
    const [id = "", title = ""] = sight.split(/: (.*)/);
    return { id: id as ObservationId, title, choice };
  });
const questionOf = (id: ObservationId): string | undefined => observations.find((one) => one.id === id)?.question;
const withheldOrStable = (unseen: readonly ObservationId[], id: ObservationId): string =>
  unseen.includes(id) ? "withheld" : "stable";

const trialOf = ({ suite = "probes alone", checks, target, hasSchedules }: Subject): Trial => ({
  ...{ suite, checks, target, hasSchedules },
});

const honestRuns = new Map<Subject, Map<string, Promise<Outcome>>>();

/** What is observed on the honest platform together or alone, once per file. */
function honestRun(subject: Subject, observe: readonly ObservationId[]): Promise<Outcome> {
  const known = honestRuns.get(subject) ?? new Map<string, Promise<Outcome>>();
  honestRuns.set(subject, known);
  const run = known.get(observe.join()) ?? outcomeOf({ ...trialOf(subject), observe, clockFrom: "stepped" });
  known.set(observe.join(), run);
  return run;
}

const allOf = ({ ids, shared = [] }: Subject): readonly ObservationId[] => [...new Set([...ids, ...shared])];

/** Each probe sees each of its choices, and no choice is judged a breach. */
export function testChoices(subject: Subject): void {
  const { name, ids, shared = [], unseen = [], judged, suite = "probes alone" } = subject;
  const rows = rowsOf(subject);
  const { probes } = suiteOf(suite);
  const isJudged = (choice: Choice): boolean => judged !== undefined && (judged.isJudged?.(choice) ?? true);

  test(`each unspecified behaviour of ${name} has a probe and a choice that it sees`, () => {
    const probed = probes.map(({ id }) => id);
    expect(ids.filter((id) => !probed.includes(id))).toEqual([]);
    const seen = new Set(rows.map(({ id }) => id));
    expect(ids.filter((id) => !seen.has(id))).toEqual([]);
    expect([...seen].filter((id) => !ids.includes(id) && !shared.includes(id))).toEqual([]);
  });

  /** The other side of a comparison: most probes read their own answers alone, whatever else is observed. */
  const comparedWith = ({ base, target: both, beside }: Choice, trial: Trial, id: ObservationId): Promise<Outcome> => {
    if (base || both) return outcomeOf({ ...trial, choice: { rules: base, target: both } });
    const reads = probes.find((probe) => probe.id === id)?.when ?? "after";
    return honestRun(subject, beside || reads === "after" ? (trial.observe ?? []) : allOf(subject));
  };

  // The first choice of each behaviour in the gate, further ones with the slow tests.
  for (const [nth, { id, title, choice }] of rows.entries()) {
    const isFurther = rows.findIndex((one) => one.id === id) < nth;
    test(`${id} sees that ${title}: ${questionOf(id)}`, {
      tag: choice.isSlow || isFurther ? "@slow" : [],
    }, async () => {
      const trial = { ...trialOf(subject), observe: [id, ...(choice.beside ?? [])] };
      // One after the other: a choice that slows the process down would slow the other run too.
      const honest = await comparedWith(choice, trial, id);
      const other = await outcomeOf({ ...trial, choice });
      const states = [honest, other].map(({ observed }) => observed.find((one) => one.id === id)?.state);
      expect(states).toEqual([withheldOrStable(unseen, id), "stable"]);
      expect(summaryOf(other, id)).not.toBe(summaryOf(honest, id));
      const { warned = [] } = choice;
      if (isJudged(choice)) expect(other.broken.filter((broken) => !warned.includes(broken))).toEqual([]);
    });
  }

  if (!judged) return;
  for (const { id, title, choice } of rows.filter(({ choice }) => isJudged(choice)))
    test(`no requirement is broken where ${title} (${id})`, { tag: "@slow" }, async () => {
      const { broken, inconclusive, observed } = await outcomeOf({
        suite: judged.suite,
        choice,
        clockFrom: "stepped",
        observe: judged.observe ? judged.observe(id, choice) : ids,
        target: judged.target,
      });
      const { warned = [], inconclusive: unjudged = [], varies = [] } = choice;
      expect({ broken: broken.toSorted(), inconclusive }).toEqual({
        broken: warned.toSorted(),
        inconclusive: unjudged,
      });
      const unstable = observed.flatMap(({ id: one, state }) => (state === "unstable" ? [one] : []));
      expect(varies).toEqual(expect.arrayContaining(unstable));
      expect(observed.filter(({ reason }) => reason?.startsWith("the probe itself"))).toEqual([]);
    });
}

/** On the honest platform both passes agree, two runs agree, and nothing is broken. */
function testHonest(subject: Subject): void {
  const { unseen = [] } = subject;
  test("on the honest platform two passes and two runs observe the same", async () => {
    const observe = allOf(subject);
    const first = await honestRun(subject, observe);
    const second = await outcomeOf({ ...trialOf(subject), observe, clockFrom: "stepped" });
    const byId = ({ observed }: Outcome) => new Map(observed.map((one) => [one.id, one]));
    expect(first.observed.map(({ id, state }) => [id, state])).toEqual(
      first.observed.map(({ id }) => [id, withheldOrStable(unseen, id)]),
    );
    expect(first.observed).toHaveLength(observe.length);
    expect(byId(second)).toEqual(byId(first));
    expect(first.broken).toEqual([]);
  });
}

export function testProbes(subject: Subject): void {
  testChoices(subject);
  testHonest(subject);
}
