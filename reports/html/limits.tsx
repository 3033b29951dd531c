/** @jsxImportSource hono/jsx */
// Requests over time at each limit, and what was rate-limited.
import type { Interface } from "../../harness/core/interface.ts";
import type { ExperimentShown } from "../../harness/model/probe.ts";
import { Figures, figure } from "../document/elements.tsx";
import { burstsOf, stripOf } from "../experiments.ts";
import { groupedBy } from "../lists.ts";
import { counted, numberText } from "../numbers.ts";
import { type Call, type Fate, limitOf, peakOf, type Timeline } from "../traffic.ts";

interface LimitsProps {
  readonly calls: readonly Call[];
  readonly tables: Pick<Interface, "limits">;
  readonly timeline: Timeline;
  readonly svg: string | null;
  readonly experiments: readonly ExperimentShown[];
  readonly experimentsSvg: string | null;
}

export function Limits({
  calls,
  tables,
  timeline: { width_s, stretches },
  svg,
  experiments,
  experimentsSvg,
}: LimitsProps) {
  const byLimit = [...groupedBy(calls, (call) => limitOf(call, tables))].sort(([a], [b]) => (a < b ? -1 : 1));
  return (
    <>
      <ul class="plain">
        {byLimit.map(([name, all]) => {
          const of = (wanted: Fate) => all.filter(({ fate }) => fate === wanted);
          const peak = peakOf(of("accepted").map(({ sentAt_ms }) => sentAt_ms));
          return (
            <li>
              <b>{name}</b>: {counted(all.length, "request")}, at most {peak} accepted within one second over all
              projects, {numberText(of("refused").length)} rate-limited
              {of("unanswered").length ? `, ${numberText(of("unanswered").length)} without an answer` : ""}.
            </li>
          );
        })}
      </ul>
      <Figures
        caption={`Requests by limit and stretch of ${width_s} s`}
        svg={svg}
        heads={["Seconds", "Limit", "Accepted", "Rate-limited", "No answer"]}
        rows={stretches.map(({ from_s, name, accepted, refused, unanswered }) => [
          `${from_s} to ${from_s + width_s}`,
          name,
          ...[accepted, refused, unanswered].map(figure),
        ])}
      />
      {experiments.length > 0 ? (
        <Figures
          caption="Experiments on limits, in which ● was served and ○ refused"
          svg={experimentsSvg}
          heads={["Experiment", "Seconds", "Served", "Requests"]}
          rows={experiments
            .flatMap(burstsOf)
            .map(({ experiment, from_s, requests }) => [
              experiment,
              String(from_s),
              `${requests.filter(({ outcome }) => outcome === "served").length} of ${requests.length}`,
              stripOf({ requests }),
            ])}
        />
      ) : null}
    </>
  );
}
