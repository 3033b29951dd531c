// Experiments of a run over time: which requests were served, burst by burst
import type { ExperimentRequest, ExperimentShown } from "../harness/model/probe.ts";
import type { Run } from "../harness/record/run.ts";

/** Requests sent at once. */
export interface Burst {
  readonly experiment: string;
  readonly from_s: number;
  readonly requests: readonly ExperimentRequest[];
}

export const experimentsIn = ({ observations }: Pick<Run, "observations">): readonly ExperimentShown[] =>
  observations.flatMap(({ values }) => values[0]?.experiments ?? []);

/** Within so long requests are sent at once. */
const atOnce_ms = 50;

export function burstsOf({ name, requests }: ExperimentShown): readonly Burst[] {
  const inOrder = [...requests].sort((a, b) => a.sent_ms - b.sent_ms);
  const groups: ExperimentRequest[][] = [];
  for (const one of inOrder) {
    const group = groups.at(-1);
    if (group?.[0] && one.sent_ms - group[0].sent_ms < atOnce_ms) group.push(one);
    else groups.push([one]);
  }
  return groups.map((group) => ({
    experiment: name,
    from_s: Math.round((group[0]?.sent_ms ?? 0) / 100) / 10,
    requests: group,
  }));
}

const signs: { readonly [outcome in ExperimentRequest["outcome"]]: string } = {
  served: "●",
  refused: "○",
  undocumented: "◌",
  failed: "?",
};

/** A sign for each request in the order of sending, as `●●●●●○○○○○○○`. */
export const stripOf = ({ requests }: Pick<Burst, "requests">): string =>
  requests.map(({ outcome }) => signs[outcome]).join("");
