// Mutants that the register doesn't name
import { cycleAt, plusDays, timeOf, utcDayOf } from "./metering/calendar.ts";
import { metered, streams } from "./platform/ledger.ts";
import { bothChanges, byQuery, numberAt, refusalOf, replaced, unlistedOf } from "./platform/mutant.ts";
import type { Project } from "./platform/project.ts";
import { creditsLimitIn, creditsOf, everyCycleDate, inProducts } from "./platform/usageParts.ts";
import type { Doc, PlatformAnswer, ResponseMutation } from "./platform/wire.ts";
import { prepaidByKey, rememberedByPrefix } from "./proxy.mutants.ts";
import { exactFigures } from "./usage/document.ts";
import { consistent, honestDocument, own, rememberedDocument } from "./usage/mutations.ts";

/** A day with the year of its ISO week, which is another one around New Year. */
function weekYear(day: string): string {
  const thursday = new Date(timeOf(day));
  thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7));
  return `${thursday.getUTCFullYear()}${day.slice(4)}`;
}

/** How many entries a project had when it was first read under its present plan; 0 for its first plan. */
function entriesBefore(): (project: Project) => number {
  const seen = new WeakMap<Project, { readonly plan: Project["plan"]; readonly entries: number }>();
  return (project) => {
    const last = seen.get(project);
    if (last?.plan === project.plan) return last.entries;
    const entries = last ? project.ledger.entries.length : 0;
    seen.set(project, { plan: project.plan, entries });
    return entries;
  };
}

const sinceChange = (change: (doc: Doc, since: Doc) => Doc): ResponseMutation => {
  const before = entriesBefore();
  return own((doc, project, now_ms) => {
    const first = before(project);
    return change(
      doc,
      rememberedDocument(project, now_ms, (_, nth) => nth >= first),
    );
  });
};

function windowOfPaidTimes(): ResponseMutation {
  const paid = new WeakSet<Project>();
  return own((doc, project) => {
    if (project.plan.kind === "paid") paid.add(project);
    else if (paid.has(project))
      return {
        ...doc,
        subscriptionDetails: { ...(doc["subscriptionDetails"] as Doc), billingCycle: doc["creditCycle"] ?? null },
      };
    return doc;
  });
}

/** The anchor's day falls to the last day of a short month and stays there. */
function driftedAnchor({ billingAnchor }: Project, now_ms: number): string {
  const [year = 0, month = 1, day = 1] = billingAnchor.split("-").map(Number);
  const [untilYear = 0, untilMonth = 1] = cycleAt(billingAnchor, now_ms).start.split("-").map(Number);
  const months = (untilYear - year) * 12 + untilMonth - month;
  const lengths = Array.from({ length: Math.max(0, months) + 1 }, (_, nth) =>
    new Date(Date.UTC(year, month + nth, 0)).getUTCDate(),
  );
  return `${billingAnchor.slice(0, 8)}${String(Math.min(day, ...lengths)).padStart(2, "0")}`;
}

const idIn = (path: string): string => path.split("/").at(-2) ?? "";

/** A foreign id is served instead of refused, where a condition holds. */
const servedFor =
  (isServed: (id: string, project: Project) => boolean): ResponseMutation =>
  (answer, { operation, path, project, now_ms }): PlatformAnswer => {
    if (operation === null || answer.status !== 400 || !project || !isServed(idIn(path), project)) return answer;
    return { ...answer, status: 200, body: honestDocument(project, now_ms) };
  };

const usable = ({ admin, billingData }: Project): boolean => admin === "enabled" && billingData === "present";

export const unlistedMutants = unlistedOf({
  "forged signatures are taken, and land": [
    "BND-SIGN-01",
    { rules: { rpc: { bundles: { signatures: "not verified" } } } },
  ],
  "overage shown as prepaid use": [
    "CRD-PRE-01",
    own((doc) => ({
      ...doc,
      prepaidCreditsUsed:
        numberAt(doc, "/prepaidCreditsUsed") +
        Math.max(0, numberAt(doc, "/creditsUsed") - numberAt(doc, "/prepaidCreditsUsed") - creditsLimitIn(doc)),
    })),
    "MET-WAL-04",
  ],
  "the total as the sum of rounded products": [
    "CRD-USE-02",
    own((doc) => consistent({ ...doc, creditsUsed: inProducts(doc) })),
  ],
  "`other` takes up what rounding leaves": [
    "CRD-ROUND-02",
    own((doc) =>
      creditsOf(doc, (product, amount) =>
        product === "other" ? Math.max(0, amount + numberAt(doc, "/creditsUsed") - inProducts(doc)) : amount,
      ),
    ),
  ],
  "rounded to hundredths, then tenths, then wholes": [
    "CRD-ROUND-02",
    own((doc, project, now_ms) => {
      const exact = exactFigures(project, now_ms).products;
      return creditsOf(doc, (product) => exact[product].round(2).round(1).round(0).toNumber());
    }),
  ],
  "a product that was used shows 1 at least": [
    "CRD-ROUND-02",
    own((doc, project, now_ms) => {
      const exact = exactFigures(project, now_ms).products;
      return creditsOf(doc, (product, amount) => (exact[product].gt(0) ? Math.max(1, amount) : amount));
    }),
  ],
  "what is used on 29 February is lost": [
    "CRD-USE-02",
    own((_, project, now_ms) => rememberedDocument(project, now_ms, ({ at_ms }) => !utcDayOf(at_ms).endsWith("02-29"))),
    "CRD-ROUND-02",
  ],
  "products lag five minutes behind the total": [
    "CRD-SUM-01",
    own((doc, project, now_ms) => ({
      ...doc,
      credits: rememberedDocument(project, now_ms, ({ at_ms }) => at_ms <= now_ms - 300_000)["credits"] ?? null,
    })),
    "CRD-ROUND-02",
    "CRD-ROUND-03",
    "CRD-SCOPE-03",
    "MET-BYTE-02",
    "MET-HOOK-01",
  ],
  "a change of plan zeroes what was used": [
    "CRD-MONO-01",
    sinceChange((doc, since) => ({ ...since, prepaidCreditsRemaining: doc["prepaidCreditsRemaining"] ?? null })),
  ],
  "what remains is counted from the change of plan on": [
    "CRD-REM-01",
    sinceChange((doc, since) => ({ ...doc, creditsRemaining: since["creditsRemaining"] ?? null })),
  ],
  "a downgraded project keeps its invoicing window": ["CYC-BILL-01", windowOfPaidTimes()],
  "dates with the year of their week": [
    "CYC-ANCH-01",
    everyCycleDate(weekYear),
    "CYC-ORD-01",
    "CYC-NOW-01",
    "CYC-BILL-05",
  ],
  "cycles end one day into the next one": [
    "CYC-ANCH-01",
    everyCycleDate((day, edge) => (edge === "end" ? plusDays(day, 2) : day)),
  ],
  "the anchor's day is worn down by short months": [
    "CYC-ANCH-01",
    own((_, project, now_ms) => honestDocument({ ...project, billingAnchor: driftedAnchor(project, now_ms) }, now_ms)),
  ],
  "bytes wrap at 32 bits": [
    "MET-BYTE-01",
    streams
      .map((stream) => replaced(`/dataTransfer/${stream}`, (bytes) => Number(bytes) % 2 ** 32))
      .reduce(bothChanges),
  ],
  "the streams' bytes are swapped": [
    "MET-BYTE-01",
    replaced("/dataTransfer", (bytes) => ({
      streamGrpc: (bytes as Doc)["streamWebsocket"] ?? null,
      streamWebsocket: (bytes as Doc)["streamGrpc"] ?? null,
    })),
    "CRD-SCOPE-02",
  ],
  "requests to three digits": [
    "MET-REQ-01",
    metered
      .map((product) =>
        replaced(`/requests/${product}`, (count) => {
          const unit = 10 ** Math.max(0, String(Number(count)).length - 3);
          return Math.floor(Number(count) / unit) * unit;
        }),
      )
      .reduce(bothChanges),
  ],
  "deliveries are credited to enhancedApi": [
    "MET-HOOK-01",
    own((doc) =>
      creditsOf(doc, (product, amount) =>
        product === "webhooks" ? 0 : product === "enhancedApi" ? amount + numberAt(doc, "/credits/webhooks") : amount,
      ),
    ),
    "CRD-ROUND-02",
  ],
  "each key is told prepaid use of its own": ["MET-SCOPE-02", { proxy: prepaidByKey }],
  "asked by query, half of the entries count": [
    "AUTH-ADM-EQ-01",
    byQuery(own((_, project, now_ms) => rememberedDocument(project, now_ms, (_entry, nth) => nth % 2 === 0))),
  ],
  "the last eight characters of a key don't count": ["AUTH-ADM-UNKN-01", { proxy: rememberedByPrefix }],
  "ids are compared by their first eight digits": [
    "AUTH-ADM-OWN-02",
    servedFor((id, project) => usable(project) && id.slice(0, 8) === project.id.slice(0, 8)),
  ],
  "the nil uuid stands for the own project": [
    "AUTH-ADM-OWN-02",
    servedFor((id, project) => usable(project) && /^[0-]{36}$/.test(id)),
  ],
  "a key whose admin interface is off reads by foreign ids": [
    "AUTH-ADM-ON-01",
    servedFor((_, { admin }) => admin === "disabled"),
  ],
  "the refusal of a key by query ends in a period": [
    "ERR-ADM-401-01",
    byQuery(
      refusalOf(401, (refused, body) => ({ ...refused, body: { ...body, message: `${String(body["message"])}.` } })),
    ),
  ],
});
