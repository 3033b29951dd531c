// Checks of who may read whose usage (§5, §7.1).

import { broken, held } from "../../harness/core/finding.ts";
import { canonical } from "../../harness/core/json.ts";
import { otherNeed, type UnmetNeed } from "../../harness/core/reason.ts";
import type { Asker, RequestSpec } from "../../harness/core/requestSpec.ts";
import type { Check, Shown } from "../../harness/model/check.ts";
import { keyOf, type Target } from "../../harness/targets/target.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { asUndescribed } from "../shared/describeCalls.ts";
import { documentedPlaces } from "../shared/figures.ts";
import { forFeature } from "../shared/forFeature.ts";
import { notTested } from "../shared/masked.ts";
import { answers, isNotServed, isRefused, isSparedFrom, refuses } from "../shared/oracles.ts";
import { ownersUsage, undescribed, usagePath, usageRequest } from "../shared/requestSpecs.ts";
import { valueIn } from "./usageReader.ts";

const { check, scenario } = forFeature("usage");

/** A well-formed id of no project: a random version 4 UUID. */
const unknownId = "e0a5c3d2-94b7-4f16-8d3c-7b6a5f4e3d21";
/** What can't be an id: safe in a path, and nothing that a lenient parser could take for the owner's UUID. */
const notUuids = ["abc", "12345", "not-a-project-id", "e0a5c3d2-94b7-4f16-8d3c-7b6a5f4e3dzz"];

/**
 * The nil and the max UUID (RFC 9562 §5.9, §5.10). Some validators refuse them as invalid, in unspecified words, so
 * that no law judges the answer.
 */
const unknownUuids = ["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"];

const byHeader = usageRequest({ as: "owner", keyIn: "header" });
const byPaid = usageRequest({ as: "paid" });
const byQuery = usageRequest({ as: "owner", keyIn: "query" });
const adminOff = usageRequest({ as: "adminOff" });
const shape = ["ERR-ADM-SHAPE-01", "ERR-ADM-SHAPE-02", "ERR-ADM-SHAPE-03"] as const;

/** Keys and the projects that they mustn't read. */
const foreignPairs = [
  ["owner", "other"],
  ["other", "owner"],
  ["owner", "free"],
  ["free", "owner"],
  ["second", "other"],
  // The key's own project is enabled, so a mismatch is all that can be wrong (T-03).
  ["owner", "adminOff"],
] as const;

const foreign = (as: Asker, of: Asker, keyIn: "header" | "query"): Check =>
  check("AUTH-ADM-OWN-01", usageRequest({ as, of, keyIn }), refuses(400, usageRequest({ as, keyIn })), {
    optional: true,
    unless: (target) =>
      keyOf(target, as)?.projectName === keyOf(target, of)?.projectName
        ? otherNeed(`${as} and ${of} are of one project`)
        : null,
  });

/** A gateway may block an address before the platform does, in any form, so that no law judges it (T-23). */
const blocked = (keyIn: "either" | "query"): RequestSpec => asUndescribed(usageRequest({ as: "ipBlocked", keyIn }));

/** Both carriers of every key that the target has. */
const everyKey: readonly Check[] = (["owner", "other", "free", "second"] as const).flatMap((as) => {
  const header = usageRequest({ as, keyIn: "header" });
  const query = usageRequest({ as, keyIn: "query" });
  const optional = as !== "owner";
  return [
    check("AUTH-ADM-HDR-01", header, answers(200, query), { positiveControl: query, optional }),
    check("AUTH-ADM-QRY-01", query, answers(200, header), { positiveControl: header, optional }),
  ];
});

/** Differs from the owner's key near its end only, so that a comparison of prefixes takes it for the owner's. */
const nearKey = (keyIn: "header" | "query"): RequestSpec => ({
  ...usageRequest({ as: "owner", keyIn }),
  carriers: [{ in: keyIn, key: { nearKeyOf: "owner" } }],
});
const nearId: RequestSpec = { ...ownersUsage, path: usagePath({ nearIdOf: "owner" }) };

export const checks: readonly Check[] = [
  ...everyKey,

  check("AUTH-ALL-01", usageRequest({ as: "anonymous" }), isRefused()),
  check("AUTH-ADM-MISS-01", usageRequest({ as: "anonymous" }), refuses(401), { shows: ["ERR-ADM-401-01", ...shape] }),
  check("AUTH-ADM-UNKN-01", usageRequest({ as: "unknownKey" }), refuses(401), { shows: ["ERR-ADM-401-01"] }),
  check("AUTH-ADM-UNKN-01", usageRequest({ as: "unknownKey", keyIn: "query" }), refuses(401, byQuery)),
  check("AUTH-ADM-UNKN-01", nearKey("header"), refuses(401, byHeader), { positiveControl: byHeader }),
  check("AUTH-ADM-UNKN-01", nearKey("query"), refuses(401, byQuery), { positiveControl: byQuery }),
  check("AUTH-ADM-MALF-01", usageRequest({ as: { key: "" }, keyIn: "header" }), refuses(401, byHeader)),
  check("AUTH-ADM-MALF-01", usageRequest({ as: { key: "" }, keyIn: "query" }), refuses(401, byQuery)),
  check("AUTH-ADM-MALF-01", usageRequest({ as: { key: "   " }, keyIn: "query" }), refuses(401, byQuery)),
  check("AUTH-ADM-MALF-01", usageRequest({ as: { key: "not a key" }, keyIn: "header" }), refuses(401, byHeader)),
  check("AUTH-ADM-MALF-01", usageRequest({ as: { key: "ключ-密钥" }, keyIn: "query" }), refuses(401, byQuery)),
  check("AUTH-ADM-MALF-01", usageRequest({ as: { key: "k".repeat(300) }, keyIn: "header" }), refuses(401, byHeader)),

  check("AUTH-ADM-OWN-01", usageRequest({ as: "owner", of: "other" }), refuses(400), {
    shows: ["ERR-ADM-400-01"],
    unless: ownerIsOther,
  }),
  // Each pair of key and project, by each carrier, could be a leak of its own.
  ...foreignPairs.flatMap(([as, of]) => (["header", "query"] as const).map((keyIn) => foreign(as, of, keyIn))),
  check("AUTH-ADM-OWN-02", usageRequest({ as: "owner", of: { id: unknownId } }), refuses(400), {
    shows: ["ERR-ADM-400-01", ...shape],
  }),
  check("AUTH-ADM-OWN-02", nearId, refuses(400), { positiveControl: ownersUsage }),
  ...unknownUuids.map((id) =>
    check("AUTH-ADM-OWN-02", asUndescribed(usageRequest({ as: "owner", of: { id } })), refuses(400)),
  ),
  ...notUuids.map((id) => check("AUTH-ADM-OWN-03", usageRequest({ as: "owner", of: { id } }), refuses(400))),
  check("AUTH-ADM-OWN-04", usageRequest({ as: "second" }), answers(200, byPaid), { positiveControl: byPaid }),
  ...["/v0/admin/projects/usage", "/v0/admin/projects//usage"].map((path) =>
    check("AUTH-ADM-OWN-05", undescribed("GET", [path], "owner"), isNotServed()),
  ),

  check("AUTH-ADM-ON-01", adminOff, refuses(403), { shows: ["ERR-ADM-403-01"] }),
  check("AUTH-ADM-ON-01", usageRequest({ as: "adminOff", keyIn: "query" }), refuses(403, byQuery), { optional: true }),
  check("AUTH-ADM-ON-01", usageRequest({ as: "adminOff", of: "owner" }), isRefused(), { optional: true }),
  check("AUTH-ADM-ON-02", ownersUsage, isSparedFrom(adminOff), { positiveControl: adminOff }),

  ...([undefined, { id: unknownId }, { id: "abc" }, "other", "adminOff"] as const).flatMap((of) =>
    (["anonymous", "unknownKey", { key: "not a key" }] as const).map((as) =>
      check("AUTH-ADM-PREC-01", usageRequest({ as, ...(of ? { of } : {}) }), refuses(401), {
        optional: typeof of === "string",
      }),
    ),
  ),

  ...(["either", "query"] as const).map((keyIn) => {
    const positiveControl = usageRequest({ as: "paid", keyIn });
    return check("AUTH-IP-01", blocked(keyIn), isRefused(positiveControl), { positiveControl });
  }),
  check("AUTH-IP-02", byPaid, isSparedFrom(blocked("either")), { positiveControl: blocked("either") }),

  scenario("AUTH-ADM-EQ-01", { requests: [byHeader, byQuery] }, async ({ ask, target }): Promise<readonly Shown[]> => {
    // A second project reads as well, which exposes a cache that isn't keyed by project.
    const askers = (["owner", "other"] as const).filter((as) => as === "owner" || target.keys.has(as));
    return Promise.all(
      askers.map(async (as) =>
        sameDocument(await ask(usageRequest({ as, keyIn: "header" })), await ask(usageRequest({ as, keyIn: "query" }))),
      ),
    );
  }),
];

/** Equal at every documented place; further members are unspecified. */
function sameDocument(header: Exchange, query: Exchange): Shown {
  const statuses = [header.answer?.status, query.answer?.status];
  if (statuses.some((status) => status !== 200))
    throw notTested(`the requests by header and query got ${statuses.join(" and ")}`);
  const at = documentedPlaces.find((one) => comparedAt(header, one) !== comparedAt(query, one));
  if (at === undefined) return { exchange: query, finding: held };
  return { exchange: query, finding: broken(at, `${comparedAt(header, at)}, as by header`, valueIn(query, at)) };
}

/** What is compared: of figures the type, as they may move between reads; of objects too, as members come alone. */
function comparedAt(exchange: Exchange, at: string): string {
  const value = valueIn(exchange, at);
  if (value === null || typeof value === "string" || at === "/subscriptionDetails/creditsLimit")
    return canonical(value);
  return typeof value;
}

function ownerIsOther({ keys }: Pick<Target, "keys">): UnmetNeed | null {
  return keys.has("paid") ? null : otherNeed("the target has no key of another project than `other`");
}
