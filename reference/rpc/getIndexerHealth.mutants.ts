// Mutants of getIndexerHealth (§4.3)
import { envelope, mutantsOf, result } from "../platform/mutant.ts";
import type { HealthRules } from "../platform/rpcRules.ts";
import type { ResponseMutation } from "../platform/wire.ts";

const rules = (health: Partial<HealthRules>) => ({ rules: { rpc: { health } } });
const healthy = (value: Parameters<Parameters<typeof result>[1]>[0]) => result("getIndexerHealth", () => value);

/** Each project's first answer, repeated for ten minutes. */
function cached(): ResponseMutation {
  const first = new Map<string, { readonly until_ms: number; readonly body: string }>();
  return (answer, call) => {
    const { rpc, project, now_ms } = call;
    if (rpc?.method !== "getIndexerHealth" || !project || (rpc.cause !== null && rpc.cause !== "lag")) return answer;
    const known = first.get(project.id);
    if (known && known.until_ms > now_ms)
      return envelope("getIndexerHealth", (body) => ({
        ...(JSON.parse(known.body) as object),
        id: body["id"] ?? null,
      }))(answer, call);
    first.set(project.id, { until_ms: now_ms + 600_000, body: JSON.stringify(answer.body) });
    return answer;
  };
}

export const mutants = mutantsOf({
  "IH-PAR-01.params-required": rules({ params: "required" }),
  "IH-PAR-01.params-null-only": rules({ params: "null only" }),
  "IH-OK-01.upper": healthy("OK"),
  "IH-OK-01.boolean": healthy(true),
  "IH-OK-01.object": healthy({ status: "ok" }),
  "IH-LAG-01.still-ok": [rules({ judged: "never" }), "IH-LAG-03", "IH-LAG-04"],
  "IH-LAG-01.result-behind": [
    envelope("getIndexerHealth", ({ error: _, ...body }, { cause }) =>
      cause === "lag" ? { ...body, result: "behind" } : undefined,
    ),
    "IH-OK-01",
    "IH-LAG-03",
    "IH-LAG-04",
  ],
  "IH-LAG-01.http-only": [
    (answer, { rpc }) => (rpc?.cause === "lag" ? { status: 503, headers: {}, body: undefined } : answer),
    "IH-LAG-03",
    "IH-LAG-04",
  ],
  "IH-LAG-02.ge-threshold": rules({ limit: "at least" }),
  "IH-LAG-03.hard-coded": rules({ threshold: 20 }),
  "IH-LAG-04.latched": rules({ judged: "once and for all" }),
  "IH-LAG-04.cached": [cached(), "IH-LAG-03"],
});
