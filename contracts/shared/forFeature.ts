// Checks and probes bound to the features that they belong to.
import type { Feature, RequirementId } from "../../harness/core/interface.ts";
import type { Stimulus } from "../../harness/core/stimulus.ts";
import {
  type Check,
  check,
  type Oracle,
  onlyObserved,
  onlyRequest,
  scenario,
  verifiedBySelfTest,
} from "../../harness/model/check.ts";
import {
  experiment,
  observeAll,
  observeEach,
  type Probe,
  type ProbeContext,
  type Reading,
  requestProbe,
  type Sight,
} from "../../harness/model/probe.ts";

type Ids = RequirementId | readonly RequirementId[];
type Bound<Options> = Omit<NonNullable<Options>, "feature">;
type CheckOptions = Bound<Parameters<typeof check>[3]>;
type ScenarioNeeds = Bound<Parameters<typeof scenario>[1]>;
type RequestProbeOptions = Bound<Parameters<typeof requestProbe>[2]>;
type ProbeOptions = Bound<Parameters<typeof experiment>[3]>;

/** Probes of one feature, or of several of which one is enough. */
export const probesFor = (feature: Feature | readonly Feature[]) => ({
  requestProbe: (
    id: Probe["id"],
    cases: Parameters<typeof requestProbe>[1],
    options: RequestProbeOptions = {},
  ): Probe => requestProbe(id, cases, { ...options, feature }),
  experiment: (
    id: Probe["id"],
    requests: readonly Stimulus[],
    observe: Probe["observe"],
    options: ProbeOptions = {},
  ): Probe => experiment(id, requests, observe, { ...options, feature }),
  observeEach: (id: Probe["id"], requests: readonly Stimulus[], sees: Sight, options: ProbeOptions = {}): Probe =>
    observeEach(id, requests, sees, { ...options, feature }),
  observeAll: (
    id: Probe["id"],
    requests: readonly Stimulus[],
    read: (context: ProbeContext) => Reading,
    options: ProbeOptions = {},
  ): Probe => observeAll(id, requests, read, { ...options, feature }),
});

/** Checks and probes of one feature. */
export const forFeature = (feature: Feature) => ({
  ...probesFor(feature),
  check: (ids: Ids, stimulus: Stimulus, oracle?: Oracle, options: CheckOptions = {}): Check =>
    check(ids, stimulus, oracle, { ...options, feature }),
  onlyRequest: (stimulus: Stimulus): Check => onlyRequest(stimulus, feature),
  onlyObserved: (ids: Ids, probe: Probe["id"]): Check => onlyObserved(ids, probe, feature),
  scenario: (ids: Ids, needs: ScenarioNeeds, run: Parameters<typeof scenario>[2]): Check =>
    scenario(ids, { ...needs, feature }, run),
  verifiedBySelfTest: (ids: Ids, test: string): Check => verifiedBySelfTest(ids, test, feature),
});
