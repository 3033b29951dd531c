// Experiments of a run over time: which requests were served, burst by burst
import type { ExperimentRequest, ExperimentShown } from "../harness/model/probe.ts";
import type { Run } from "../harness/record/run.ts";
import { groupedBy } from "./lists.ts";

/** Requests sent at once. */
export interface Burst {
  readonly experiment: string;
  readonly from_s: number;
  readonly requests: readonly ExperimentRequest[];
}

export const experimentsIn = ({ observations }: Pick<Run, "observations">): readonly ExperimentShown[] =>
  observations.flatMap(({ values }) => values[0]?.experiments ?? []);

export const shownBursts = ({ name, requests }: ExperimentShown): readonly Burst[] =>
  [...groupedBy(requests, ({ burst }) => String(burst)).values()].map((burst) => ({
    experiment: name,
    from_s: Math.round(burst[0].sent_ms / 100) / 10,
    requests: burst,
  }));

const signs: { readonly [outcome in ExperimentRequest["outcome"]]: string } = {
  served: "●",
  refused: "○",
  undocumented: "◌",
  failed: "?",
};

/** A sign for each request in the order of sending, as `●●●●●○○○○○○○`. */
export const stripOf = ({ requests }: Pick<Burst, "requests">): string =>
  requests.map(({ outcome }) => signs[outcome]).join("");
