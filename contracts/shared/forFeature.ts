// Checks and probes bound to the features that they belong to.
import type { Feature } from "../../harness/core/interface.ts";
import * as checks from "../../harness/model/check.ts";
import * as probes from "../../harness/model/probe.ts";

type RequestProbe = Parameters<typeof probes.requestProbe>;

/** Probes of one feature, or of several of which one is enough. */
export const probesFor = (feature: Feature | readonly Feature[]) => ({
  requestProbe: probes.requestProbe.bind(null, feature),
  /** One request per case, each answer described by `summary`. */
  answerProbe: (
    id: probes.Probe["id"],
    summary: probes.AnswerSummary,
    cases: RequestProbe[2],
    options?: RequestProbe[3],
  ) => probes.requestProbe(feature, id, cases, { ...options, summary }),
  experiment: probes.experiment.bind(null, feature),
  observeEach: probes.observeEach.bind(null, feature),
  observeAll: probes.observeAll.bind(null, feature),
});

export const forFeature = (feature: Feature) => ({
  ...probesFor(feature),
  check: checks.check.bind(null, feature),
  onlyRequest: checks.onlyRequest.bind(null, feature),
  onlyObserved: checks.onlyObserved.bind(null, feature),
  scenario: (
    ids: checks.Ids,
    needs: Omit<Parameters<typeof checks.scenario>[1], "feature">,
    run: checks.Check["run"],
  ) => checks.scenario(ids, { ...needs, feature }, run),
  verifiedBySelfTest: checks.verifiedBySelfTest.bind(null, feature),
});
