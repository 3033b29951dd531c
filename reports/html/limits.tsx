/** @jsxImportSource hono/jsx */
// At what rate was each surface asked, and when did it refuse?
import { apisIn, type Call, peakOf, type Stretch, timelineOf } from "../traffic.ts";
import { counted } from "../words.ts";
import { Figures, figure } from "./figures.tsx";

export function Limits({ calls, svg }: { readonly calls: readonly Call[]; readonly svg: string | null }) {
  if (calls.length === 0) return null;
  const { width_s, stretches } = timelineOf(calls);
  const spoken = apisIn(calls);
  return (
    <section aria-labelledby="limits">
      <h2 id="limits">Requests over time, and what was refused</h2>
      <ul class="plain">
        {spoken.map((api) => {
          const all = calls.filter((call) => call.api === api);
          const of = (fate: string) => all.filter((call) => call.fate === fate);
          return (
            <li>
              <b>{api}</b>: {counted(all.length, "request")}, at most {peakOf(of("accepted"))} accepted within one
              second over all projects;{" "}
              {of("refused").length ? counted(of("refused").length, "was", "were") : "none was"} refused for the rate
              {of("unanswered").length ? `, ${of("unanswered").length.toLocaleString("en-GB")} had no answer` : ""}.
            </li>
          );
        })}
      </ul>
      <Figures
        caption={`Requests by surface and stretch of ${width_s} s`}
        svg={svg}
        heads={["Seconds", "Surface", "Accepted", "Refused", "No answer"]}
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
