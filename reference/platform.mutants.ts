// Mutants of addresses, versions, framing and headers (§4, §9 and the standards behind them)
import { mutantsOf, refusalOf, rewritten, withHeaders } from "./platform/mutant.ts";
import type { PlatformAnswer, ResponseMutation } from "./platform/wire.ts";

const servedAt = (path: string) => ({ rules: { usagePaths: [path] } });
const withHeader =
  (name: string, value: string | null, where: (answer: PlatformAnswer) => boolean): ResponseMutation =>
  (answer) => {
    if (!where(answer)) return answer;
    const { [name]: _, ...rest } = answer.headers;
    return { ...answer, headers: value === null ? rest : { ...rest, [name]: value } };
  };
const status = (wanted: number) => (answer: PlatformAnswer) => answer.status === wanted;

export const mutants = mutantsOf({
  "GEN-BASE-01.admin-on-rpc-host": [servedAt("/rpc/v0/admin/projects/{id}/usage"), "USG-HTTP-", "VER-ADM-01"],
  "GEN-JSON-03.trailing-garbage": rewritten((text) => `${text}\n[info] served in 3 ms\n`),
  "GEN-JSON-03.bom": [rewritten((text) => `\uFEFF${text}`), "EXT-JSON-01"],
  "VER-ADM-01.v1-only": [servedAt("/v1/admin/projects/{id}/usage"), "USG-HTTP-", "GEN-BASE-01"],
  "VER-ADM-01.unversioned": [servedAt("/admin/projects/{id}/usage"), "USG-HTTP-", "GEN-BASE-01"],
  "VER-ADM-02.server-says-2": withHeader("api-version", "2.0.0", () => true),

  "EXT-HTTP-01.no-challenge": withHeader("www-authenticate", null, status(401)),
  "EXT-HTTP-02.no-allow": withHeader("allow", null, status(405)),
  "EXT-HTTP-03.head-body": (answer, { method }) => (method === "HEAD" ? { ...answer, body: { raw: "{}" } } : answer),
  "EXT-HTTP-04.case-sensitive": { rules: { keyHeaderCase: "exact" } },
  "EXT-HTTP-05.fractional": { rules: { retryAfter: "0.4" } },
  "EXT-HTTP-06.cached-429": refusalOf(429, (answer) => withHeaders(answer, { "cache-control": "public, max-age=60" })),
  "EXT-HTTP-07.public-cache": { rules: { cacheControl: "public, max-age=60" } },
  "EXT-RL-01.legacy-syntax": withHeader("ratelimit", "limit=5, remaining=4, reset=1", status(200)),
  "EXT-RL-02.limit-header-6": withHeader("x-ratelimit-limit", "6", status(200)),
  "EXT-JSON-01.dup-names": rewritten((text) => text.replace('"creditsUsed":', '"creditsUsed":0,"creditsUsed":')),
  "EXT-UUID-01.case-sensitive": { rules: { idCase: "exact" } },
});
