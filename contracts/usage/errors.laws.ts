// Laws of the usage endpoint's refusals: their shape and their words (§7.1).
import { equals, type Finding } from "../../harness/core/finding.ts";
import { type Law, type LawReading, law, sum } from "../../harness/model/law.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { components } from "../../specs/generated/openapi.ts";
import { adminErrors } from "../../specs/generated/operations.ts";
import { usageMembers } from "./document.laws.ts";

type AdminError = components["schemas"]["AdminError"];

const rowOf = (status: number) => adminErrors.find((row) => row.status === status);

const adminErrorShape = law<AdminError>("getProjectUsage", "any", {
  "ERR-ADM-SHAPE-02": ({ answer, any, number, text }) => {
    // A success with a member of this name isn't a refusal.
    if (answer.status < 400 && (usageMembers.some((member) => any(`/${member}`) !== undefined) || !text("/message")))
      return undefined;
    return equals("/statusCode", Number(sum([number("/statusCode")]).toFixed()), answer.status);
  },
});

const adminErrorNames = law<AdminError>("getProjectUsage", "failure", {
  "ERR-ADM-SHAPE-03": ({ answer, text }) => {
    const row = rowOf(answer.status);
    return row && equals("/error", text("/error"), row.error);
  },
});

/** The documented words of one status; the schema judges bodies that lack them. */
const words = (status: number) => {
  const row = rowOf(status);
  if (!row) throw new Error(`no error row for ${status}`);
  return ({ text }: LawReading<AdminError>): Finding => {
    const message = equals("/message", text("/message"), row.message);
    return message.outcome === "broken" ? message : equals("/error", text("/error"), row.error);
  };
};

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A 400 to a known key; the message for an id that is no UUID is unspecified (OBS-USG-NONUUID). */
const isMismatch = ({ asker, requestSpec }: Exchange): boolean =>
  asker !== null && requestSpec.path.every((part) => typeof part === "string" || !("id" in part) || uuid.test(part.id));

/** A 403 that only the switched-off interface can cause; addresses and plans may cause one as well (T-23). */
const isAdminOff = ({ asker }: Exchange): boolean => asker?.project.admin === "disabled" && asker.role !== "ipBlocked";

export const laws: readonly Law[] = [
  adminErrorShape,
  adminErrorNames,
  law<AdminError>("getProjectUsage", 400, { "ERR-ADM-400-01": words(400) }, isMismatch),
  law<AdminError>("getProjectUsage", 401, { "ERR-ADM-401-01": words(401) }),
  law<AdminError>("getProjectUsage", 403, { "ERR-ADM-403-01": words(403) }, isAdminOff),
  law<AdminError>("getProjectUsage", 429, { "ERR-ADM-429-01": words(429) }),
  law<AdminError>("getProjectUsage", 500, { "ERR-ADM-500-01": words(500) }),
];
