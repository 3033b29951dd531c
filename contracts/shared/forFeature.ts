// Checks and probes bound to the features that they belong to.
import type { Feature, RequirementId } from "../../harness/core/interface.ts";
import type { Stimulus } from "../../harness/core/stimulus.ts";
import * as checks from "../../harness/model/check.ts";
import * as probes from "../../harness/model/probe.ts";

type Ids = RequirementId | readonly RequirementId[];

/** The same function with its last parameter, the options, free of the feature. */
type Bound<Make> = Make extends (...all: [...infer Others, infer Options]) => infer Made
  ? (...all: [...Others, options?: Omit<Options, "feature">]) => Made
  : never;

type RequestProbe = Bound<typeof probes.requestProbe>;
type RequestProbeOptions = NonNullable<Parameters<RequestProbe>[2]>;

interface Probes {
  readonly requestProbe: RequestProbe;
  /** One request per case, each answer described by `summary`. */
  readonly answerProbe: (
    id: probes.Probe["id"],
    summary: NonNullable<RequestProbeOptions["summary"]>,
    cases: Parameters<RequestProbe>[1],
    options?: RequestProbeOptions,
  ) => probes.Probe;
  readonly experiment: Bound<typeof probes.experiment>;
  readonly observeEach: Bound<typeof probes.observeEach>;
  readonly observeAll: Bound<typeof probes.observeAll>;
}

/** Probes of one feature, or of several of which one is enough. */
export const probesFor = (feature: Feature | readonly Feature[]): Probes => ({
  requestProbe: (id, cases, options) => probes.requestProbe(id, cases, { ...options, feature }),
  answerProbe: (id, summary, cases, options) => probes.requestProbe(id, cases, { ...options, summary, feature }),
  experiment: (id, requests, observe, options) => probes.experiment(id, requests, observe, { ...options, feature }),
  observeEach: (id, requests, sees, options) => probes.observeEach(id, requests, sees, { ...options, feature }),
  observeAll: (id, requests, read, options) => probes.observeAll(id, requests, read, { ...options, feature }),
});

export const forFeature = (feature: Feature) => ({
  ...probesFor(feature),
  check: (
    ids: Ids,
    stimulus: Stimulus,
    oracle?: checks.Oracle,
    options?: Omit<Parameters<typeof checks.check>[3], "feature">,
  ) => checks.check(ids, stimulus, oracle, { ...options, feature }),
  onlyRequest: (stimulus: Stimulus) => checks.onlyRequest(stimulus, feature),
  onlyObserved: (ids: Ids, probe: probes.Probe["id"]) => checks.onlyObserved(ids, probe, feature),
  scenario: (ids: Ids, needs: Omit<Parameters<typeof checks.scenario>[1], "feature">, run: checks.Check["run"]) =>
    checks.scenario(ids, { ...needs, feature }, run),
  verifiedBySelfTest: (ids: Ids, test: string) => checks.verifiedBySelfTest(ids, test, feature),
});
