/** @jsxImportSource hono/jsx */
// Requests over time by API, and what was rate-limited.

import { counted, numberText } from "../numbers.ts";
import { apisIn, type Call, peakOf, type Stretch, timelineOf } from "../traffic.ts";
import { Figures, figure } from "./figures.tsx";

export function Limits({ calls, svg }: { readonly calls: readonly Call[]; readonly svg: string | null }) {
  if (calls.length === 0) return null;
  const { width_s, stretches } = timelineOf(calls);
  const called = apisIn(calls);
  return (
    <section aria-labelledby="limits">
      <h2 id="limits">Requests over time</h2>
      <ul class="plain">
        {called.map((api) => {
          const all = calls.filter((call) => call.api === api);
          const of = (fate: string) => all.filter((call) => call.fate === fate);
          const peak = peakOf(of("accepted").map(({ sentAt_ms }) => sentAt_ms));
          return (
            <li>
              <b>{api}</b>: {counted(all.length, "request")}, at most {peak} accepted within one second over all
              projects, {numberText(of("refused").length)} rate-limited
              {of("unanswered").length ? `, ${numberText(of("unanswered").length)} without an answer` : ""}.
            </li>
          );
        })}
      </ul>
      <Figures
        caption={`Requests by API and stretch of ${width_s} s`}
        svg={svg}
        heads={["Seconds", "API", "Accepted", "Rate-limited", "No answer"]}
        rows={stretches.map(rowOf(width_s))}
      />
    </section>
  );
}

const rowOf =
  (width_s: number) =>
  ({ from_s, api, accepted, refused, unanswered }: Stretch): readonly string[] => [
    `${from_s} to ${from_s + width_s}`,
    api,
    figure(accepted),
    figure(refused),
    figure(unanswered),
  ];
