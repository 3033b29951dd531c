// Mutants of keys and of whose usage they open (§5)
import { byQuery, mutantsOf, refusedWith, without } from "../platform/mutant.ts";
import type { RefusalCause } from "../platform/rules.ts";
import type { PlatformAnswer, ResponseMutation } from "../platform/wire.ts";

const texts: { readonly [status: number]: string } = {
  400: "Invalid project id",
  401: "Missing or invalid API key",
  403: "Admin API not enabled for this project",
  404: "Project not found",
  422: "Validation failed (uuid is expected)",
  500: "Internal server error",
};

/** Another status for one cause, in that status's own words. */
const refused = (cause: RefusalCause, status: number) => refusedWith(cause, status, texts[status] ?? "");
const serves = (cause: RefusalCause, whose: "the project named" | "the key's own" = "the project named") => ({
  rules: { refusals: { [cause]: null }, foreignServes: whose },
});

/** Reads with the key in the query repeat the first such answer. */
function staleByQuery(): ResponseMutation {
  let cached: PlatformAnswer | undefined;
  return (answer, { operation, carrier }) => {
    if (operation !== "getProjectUsage" || answer.status !== 200 || carrier !== "query") return answer;
    cached ??= structuredClone(answer);
    return { ...answer, body: structuredClone(cached.body) };
  };
}

const anonymous = (cause: RefusalCause) => serves(cause, "the key's own");

export const mutants = mutantsOf({
  "AUTH-ADM-HDR-01.header-ignored": { rules: { keyHeader: null } },
  "AUTH-ADM-QRY-01.query-ignored": { rules: { keyQuery: null } },
  "AUTH-ADM-QRY-01.underscore-name": { rules: { keyQuery: "api_key" } },
  "AUTH-ADM-EQ-01.query-redacted": [byQuery(without("/subscriptionDetails")), "USG-FLD-08"],
  "AUTH-ADM-EQ-01.query-stale": [staleByQuery(), "USG-PLAN-01", "CYC-", "CRD-LIM-01"],
  "AUTH-ADM-MISS-01.missing-403": [refused("noKey", 403), "AUTH-ADM-PREC-01"],
  "AUTH-ADM-MISS-01.missing-400": [refused("noKey", 400), "AUTH-ADM-PREC-01"],
  "AUTH-ADM-MISS-01.missing-200": [anonymous("noKey"), "AUTH-ALL-01", "AUTH-ADM-PREC-01"],
  "AUTH-ADM-MALF-01.malformed-400": [refusedWith("malformedKey", 400, "Malformed API key"), "AUTH-ADM-PREC-01"],
  "AUTH-ADM-MALF-01.malformed-500": [refused("malformedKey", 500), "AUTH-ADM-PREC-01"],
  "AUTH-ADM-MALF-01.blank-accepted": { rules: { blankKey: "let through" } },
  "AUTH-ADM-UNKN-01.unknown-404": [refused("unknownKey", 404), "AUTH-ADM-PREC-01", "USG-HTTP-03"],
  "AUTH-ADM-UNKN-01.unknown-403": [refused("unknownKey", 403), "AUTH-ADM-PREC-01"],
  "AUTH-ADM-UNKN-01.unknown-400": [refused("unknownKey", 400), "AUTH-ADM-PREC-01"],

  "AUTH-ADM-OWN-01.mismatch-404": [refused("foreignProject", 404), "USG-HTTP-03"],
  "AUTH-ADM-OWN-01.mismatch-403": refused("foreignProject", 403),
  "AUTH-ADM-OWN-01.mismatch-serves": serves("foreignProject"),
  "AUTH-ADM-OWN-01.mismatch-serves-own": serves("foreignProject", "the key's own"),
  "AUTH-ADM-OWN-02.nonexistent-404": [refused("unknownProject", 404), "USG-HTTP-03"],
  "AUTH-ADM-OWN-02.nonexistent-500": refused("unknownProject", 500),
  "AUTH-ADM-OWN-03.nonuuid-404": [refused("notUuid", 404), "USG-HTTP-03"],
  "AUTH-ADM-OWN-03.nonuuid-422": [refused("notUuid", 422), "USG-HTTP-03"],
  "AUTH-ADM-OWN-03.nonuuid-500": refused("notUuid", 500),
  "AUTH-ADM-OWN-04.owner-key-only": { rules: { firstKeyOnly: true } },
  "AUTH-ADM-OWN-05.id-optional": {
    rules: { usagePaths: ["/v0/admin/projects/usage", "/v0/admin/projects/{id}/usage"] },
  },
  "AUTH-ADM-ON-01.disabled-200": serves("adminOff"),
  "AUTH-ADM-ON-01.disabled-404": [refused("adminOff", 404), "USG-HTTP-03"],
  "AUTH-ADM-ON-01.disabled-401": refused("adminOff", 401),
  "AUTH-ADM-ON-02.switch-global": [{ rules: { adminSwitch: "global" } }, "USG-HTTP-01"],
  "AUTH-ADM-PREC-01.uuid-first": {
    rules: { order: ["uuidBeforeKey", "key", "address", "limit", "project", "admin", "billing"] },
  },
  "AUTH-ADM-PREC-01.existence-first": [
    { rules: { order: ["projectBeforeKey", "key", "address", "limit", "project", "admin", "billing"] } },
    "AUTH-ADM-OWN-01",
  ],

  "AUTH-IP-01.ip-ignored": serves("blockedAddress"),
  "AUTH-IP-01.ip-500": refused("blockedAddress", 500),
  "AUTH-IP-02.ip-per-project": [
    { rules: { addressScope: "project" } },
    "USG-HTTP-01",
    "AUTH-RPC-QRY-01",
    "WAL-PAID-01",
  ],
});
