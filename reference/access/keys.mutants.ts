// Mutants of keys and of whose usage they open (§5)
import { mutant, without } from "../platform/mutant.ts";
import type { Cause, Refusal } from "../platform/rules.ts";
import type { ResponseMutation, WireAnswer } from "../platform/wire.ts";

const names: { readonly [status: number]: string } = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  422: "Unprocessable Entity",
  500: "Internal Server Error",
};
const texts: { readonly [status: number]: string } = {
  400: "Invalid project id",
  401: "Missing or invalid API key",
  403: "Admin API not enabled for this project",
  404: "Project not found",
  422: "Validation failed (uuid is expected)",
  500: "Internal server error",
};

/** Another status for one cause, in that status's own words. */
const refusedWith = (
  cause: Cause,
  status: number,
): { readonly rules: { readonly refusals: Partial<Record<Cause, Refusal>> } } => ({
  rules: { refusals: { [cause]: { status, message: texts[status] ?? "", error: names[status] ?? "" } } },
});
const serves = (cause: Cause, whose: "the project named" | "the key's own" = "the project named") => ({
  rules: { refusals: { [cause]: null }, foreignServes: whose },
});

/** Reads with the key in the query repeat the first such answer. */
function staleByQuery(): ResponseMutation {
  let cached: WireAnswer | undefined;
  return (answer, { operation, carrier }) => {
    if (operation !== "getProjectUsage" || answer.status !== 200 || carrier !== "query") return answer;
    cached ??= structuredClone(answer);
    return { ...answer, body: structuredClone(cached.body) };
  };
}

const anonymous = (cause: Cause) => serves(cause, "the key's own");

export const mutants = [
  mutant("AUTH-ADM-HDR-01.header-ignored", { rules: { keyHeader: null } }),
  mutant("AUTH-ADM-QRY-01.query-ignored", { rules: { keyQuery: null } }),
  mutant("AUTH-ADM-QRY-01.underscore-name", { rules: { keyQuery: "api_key" } }),
  mutant(
    "AUTH-ADM-EQ-01.query-redacted",
    { answer: (answer, call) => (call.carrier === "query" ? without("/subscriptionDetails")(answer, call) : answer) },
    "USG-FLD-08",
  ),
  mutant("AUTH-ADM-EQ-01.query-stale", { answer: staleByQuery() }, "USG-PLAN-01", "CYC-", "CRD-LIM-01"),
  mutant("AUTH-ADM-MISS-01.missing-403", refusedWith("noKey", 403), "AUTH-ADM-PREC-01"),
  mutant("AUTH-ADM-MISS-01.missing-400", refusedWith("noKey", 400), "AUTH-ADM-PREC-01"),
  mutant("AUTH-ADM-MISS-01.missing-200", anonymous("noKey"), "AUTH-ALL-01", "AUTH-ADM-PREC-01"),
  mutant(
    "AUTH-ADM-MALF-01.malformed-400",
    { rules: { refusals: { malformedKey: { status: 400, message: "Malformed API key", error: "Bad Request" } } } },
    "AUTH-ADM-PREC-01",
  ),
  mutant("AUTH-ADM-MALF-01.malformed-500", refusedWith("malformedKey", 500), "AUTH-ADM-PREC-01"),
  mutant("AUTH-ADM-MALF-01.blank-accepted", { rules: { blankKey: "let through" } }),
  mutant("AUTH-ADM-UNKN-01.unknown-404", refusedWith("unknownKey", 404), "AUTH-ADM-PREC-01", "USG-HTTP-03"),
  mutant("AUTH-ADM-UNKN-01.unknown-403", refusedWith("unknownKey", 403), "AUTH-ADM-PREC-01"),
  mutant("AUTH-ADM-UNKN-01.unknown-400", refusedWith("unknownKey", 400), "AUTH-ADM-PREC-01"),

  mutant("AUTH-ADM-OWN-01.mismatch-404", refusedWith("foreignProject", 404), "USG-HTTP-03"),
  mutant("AUTH-ADM-OWN-01.mismatch-403", refusedWith("foreignProject", 403)),
  mutant("AUTH-ADM-OWN-01.mismatch-serves", serves("foreignProject")),
  mutant("AUTH-ADM-OWN-01.mismatch-serves-own", serves("foreignProject", "the key's own")),
  mutant("AUTH-ADM-OWN-02.nonexistent-404", refusedWith("unknownProject", 404), "USG-HTTP-03"),
  mutant("AUTH-ADM-OWN-02.nonexistent-500", refusedWith("unknownProject", 500)),
  mutant("AUTH-ADM-OWN-03.nonuuid-404", refusedWith("notUuid", 404), "USG-HTTP-03"),
  mutant("AUTH-ADM-OWN-03.nonuuid-422", refusedWith("notUuid", 422), "USG-HTTP-03"),
  mutant("AUTH-ADM-OWN-03.nonuuid-500", refusedWith("notUuid", 500)),
  mutant("AUTH-ADM-OWN-04.owner-key-only", { rules: { firstKeyOnly: true } }),
  mutant("AUTH-ADM-OWN-05.id-optional", {
    rules: { usagePaths: ["/v0/admin/projects/usage", "/v0/admin/projects/{id}/usage"] },
  }),
  mutant("AUTH-ADM-ON-01.disabled-200", serves("adminOff")),
  mutant("AUTH-ADM-ON-01.disabled-404", refusedWith("adminOff", 404), "USG-HTTP-03"),
  mutant("AUTH-ADM-ON-01.disabled-401", refusedWith("adminOff", 401)),
  mutant("AUTH-ADM-ON-02.switch-global", { rules: { adminSwitch: "global" } }, "USG-HTTP-01"),
  mutant("AUTH-ADM-PREC-01.uuid-first", {
    rules: { order: ["uuidBeforeKey", "key", "address", "limit", "project", "admin", "billing"] },
  }),
  mutant(
    "AUTH-ADM-PREC-01.existence-first",
    { rules: { order: ["projectBeforeKey", "key", "address", "limit", "project", "admin", "billing"] } },
    "AUTH-ADM-OWN-01",
  ),

  mutant("AUTH-IP-01.ip-ignored", serves("blockedAddress")),
  mutant("AUTH-IP-01.ip-500", refusedWith("blockedAddress", 500)),
  mutant(
    "AUTH-IP-02.ip-per-project",
    { rules: { addressScope: "project" } },
    "USG-HTTP-01",
    "AUTH-RPC-QRY-01",
    "WAL-PAID-01",
  ),
];
