// Whose key opens whose usage? (§5, §7.1)
import { type Check, check, type Shown, scenario, Withheld } from "../../harness/check.ts";
import type { Exchange } from "../../harness/exchange.ts";
import { broken, held } from "../../harness/finding.ts";
import { canonical, type Json } from "../../harness/json.ts";
import { answers, isRefused, isSparedFrom, refuses } from "../oracles.ts";
import { undescribed, usage } from "../stimuli.ts";

/** A well-formed id of no project: a version 4 uuid made once, by chance. */
const unknownId = "e0a5c3d2-94b7-4f16-8d3c-7b6a5f4e3d21";
/** What can't be an id: path-safe, and nothing that a lenient reader could take for the owner's uuid. */
const notUuids = ["abc", "12345", "not-a-project-id", "e0a5c3d2-94b7-4f16-8d3c-7b6a5f4e3dzz"];

const byHeader = usage({ as: "owner", keyIn: "header" });
const byQuery = usage({ as: "owner", keyIn: "query" });
const words401 = ["ERR-ADM-401-01", "ERR-ADM-SHAPE-01", "ERR-ADM-SHAPE-02", "ERR-ADM-SHAPE-03"] as const;
const words400 = ["ERR-ADM-400-01", "ERR-ADM-SHAPE-01", "ERR-ADM-SHAPE-02", "ERR-ADM-SHAPE-03"] as const;

export const checks: readonly Check[] = [
  check("AUTH-ADM-HDR-01", byHeader, answers(200, byQuery), { twin: byQuery }),
  check("AUTH-ADM-QRY-01", byQuery, answers(200, byHeader), { twin: byHeader }),

  check("AUTH-ALL-01", usage({ as: "nobody" }), isRefused()),
  check("AUTH-ADM-MISS-01", usage({ as: "nobody" }), refuses(401), { shows: words401 }),
  check("AUTH-ADM-UNKN-01", usage({ as: "stranger" }), refuses(401), { shows: ["ERR-ADM-401-01"] }),
  check("AUTH-ADM-UNKN-01", usage({ as: "stranger", keyIn: "query" }), refuses(401, byQuery)),
  check("AUTH-ADM-MALF-01", usage({ as: { key: "" }, keyIn: "header" }), refuses(401, byHeader)),
  check("AUTH-ADM-MALF-01", usage({ as: { key: "" }, keyIn: "query" }), refuses(401, byQuery)),
  check("AUTH-ADM-MALF-01", usage({ as: { key: "   " }, keyIn: "query" }), refuses(401, byQuery)),
  check("AUTH-ADM-MALF-01", usage({ as: { key: "not a key" }, keyIn: "header" }), refuses(401, byHeader)),
  check("AUTH-ADM-MALF-01", usage({ as: { key: "ключ-密钥" }, keyIn: "query" }), refuses(401, byQuery)),
  check("AUTH-ADM-MALF-01", usage({ as: { key: "k".repeat(300) }, keyIn: "header" }), refuses(401, byHeader)),

  check("AUTH-ADM-OWN-01", usage({ as: "owner", of: "other" }), refuses(400), { shows: ["ERR-ADM-400-01"], unless: ownerIsOther }),
  check("AUTH-ADM-OWN-02", usage({ as: "owner", of: { id: unknownId } }), refuses(400), { shows: words400 }),
  ...notUuids.map((id) => check("AUTH-ADM-OWN-03", usage({ as: "owner", of: { id } }), refuses(400))),
  check("AUTH-ADM-OWN-04", usage({ as: "second" }), answers(200, usage({ as: "paid" })), { twin: usage({ as: "paid" }) }),
  check("AUTH-ADM-OWN-05", undescribed("GET", ["/v0/admin/projects/usage"], "owner"), isRefused()),

  check("AUTH-ADM-ON-01", usage({ as: "adminOff" }), refuses(403), { shows: ["ERR-ADM-403-01"] }),
  check("AUTH-ADM-ON-02", usage({ as: "owner" }), isSparedFrom(usage({ as: "adminOff" })), { twin: usage({ as: "adminOff" }) }),

  ...([undefined, { id: unknownId }, { id: "abc" }, "other", "adminOff"] as const).flatMap((of) =>
    (["nobody", "stranger"] as const).map((as) => check("AUTH-ADM-PREC-01", usage({ as, ...(of ? { of } : {}) }), refuses(401))),
  ),

  check("AUTH-IP-01", usage({ as: "ipBlocked" }), isRefused(usage({ as: "paid" })), { twin: usage({ as: "paid" }) }),
  check("AUTH-IP-02", usage({ as: "paid" }), isSparedFrom(usage({ as: "ipBlocked" })), { twin: usage({ as: "ipBlocked" }) }),

  scenario("AUTH-ADM-EQ-01", { asks: [byHeader, byQuery] }, async ({ ask, target }): Promise<readonly Shown[]> => {
    // Somebody else reads as well, so that a cache that forgets whose document it holds shows itself.
    const askers = target.keys.has("other") ? (["owner", "other"] as const) : (["owner"] as const);
    return Promise.all(askers.map(async (as) => sameDocument(await ask(usage({ as, keyIn: "header" })), await ask(usage({ as, keyIn: "query" })))));
  }),
];

function sameDocument(header: Exchange, query: Exchange): Shown {
  const statuses = [header.answer?.status, query.answer?.status];
  if (statuses.some((status) => status !== 200)) throw new Withheld(`hidden: header and query were answered ${statuses.join(" and ")}`);
  const [one, two] = [shapeOf(header.answer?.json?.value), shapeOf(query.answer?.json?.value)];
  return { exchange: query, finding: one === two ? held : broken("", `as by header: ${one.slice(0, 300)}`, two.slice(0, 300)) };
}

function ownerIsOther({ keys }: { readonly keys: ReadonlyMap<string, unknown> }): string | null {
  return keys.has("paid") ? null : "the target has no key of another project than `other`";
}

const counters = new Set(["creditsRemaining", "creditsUsed", "prepaidCreditsRemaining", "prepaidCreditsUsed", "credits", "requests", "dataTransfer"]);

/** A document without the figures that a read between may move: their names and types stay. */
function shapeOf(document: Json | undefined): string {
  const masked = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(masked);
    if (typeof value === "object" && value !== null) return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, masked(member)]));
    return typeof value === "number" ? "<number>" : value;
  };
  if (typeof document !== "object" || document === null || Array.isArray(document)) return canonical(document ?? "nothing");
  return canonical(Object.fromEntries(Object.entries(document).map(([name, member]) => [name, counters.has(name) ? masked(member) : member])));
}
