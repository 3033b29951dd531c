// Mutants of requests, bytes and deliveries in usage documents (§1.5, §2.1, §6)
import { entriesOf } from "../metering/meter.ts";
import { type LedgerEntry, noCredits } from "../platform/ledger.ts";
import type { MeteringChange } from "../platform/meteringRules.ts";
import { mutantsOf, numberAt, replaced } from "../platform/mutant.ts";
import type { Doc, ResponseMutation, Value } from "../platform/wire.ts";
import { own, usageDocumentOf } from "./mutations.ts";

type Count = (honest: number, entries: readonly LedgerEntry[]) => number;

/** Recounts one group from its products' entries of the cycle. */
const counting = (
  group: "requests" | "dataTransfer",
  count: Count,
  applies: (product: string) => boolean = () => true,
): ResponseMutation =>
  replaced(`/${group}`, (honest, _doc, { project, now_ms }) => {
    const entries = project ? entriesOf(project, now_ms) : [];
    const counted = Object.entries(honest as Doc).map(([product, value]) => {
      const own = entries.filter((entry) => entry.product === product);
      return [product, applies(product) ? count(Number(value), own) : value];
    });
    return Object.fromEntries(counted) as Value;
  });

const deliveries = (product: string): boolean => product === "webhooks";

/** What happens within one second counts once. */
const deduped: Count = (_, entries) => {
  const bySecond = new Map<number, number>();
  for (const { at_ms, requests } of entries) {
    const second = Math.floor(at_ms / 1000);
    bySecond.set(second, Math.max(requests, bySecond.get(second) ?? 0));
  }
  return [...bySecond.values()].reduce((total, requests) => total + requests, 0);
};

/** Some entries are counted and cost nothing. */
const uncredited = (isFree: (entry: LedgerEntry) => boolean): ResponseMutation =>
  own((_, project, now_ms) => {
    const charged = (entry: LedgerEntry) =>
      isFree(entry) ? { ...entry, credits: noCredits, prepaid: noCredits } : entry;
    return usageDocumentOf(project, project.ledger.entries.map(charged), now_ms);
  });

/** Credits of wallet calls of the cycle that the plan paid. */
const walletRegular = (entries: readonly LedgerEntry[]): number =>
  entries
    .filter(({ product }) => product === "walletApi")
    .reduce((total, { credits, prepaid }) => total + credits.minus(prepaid).toNumber(), 0);

/** A project's document, changed by what its wallet calls took from the plan's own credits. */
const afterWallets = (change: (doc: Doc, taken: number) => Doc): ResponseMutation =>
  own((doc, project, now_ms) => change(doc, walletRegular(entriesOf(project, now_ms))));

/** Requirements that count calls one by one. */
const countedCalls = ["MET-CMP-01", "MET-WAL-02", "AUTH-ALL-02", "MET-SCOPE-02"] as const;

/** Broken where projects see each other's figures. */
const mixed = ["AUTH-ALL-02", "CRD-", "MET-"] as const;

const rules = (metering: MeteringChange) => ({ rules: { metering } });

export const mutants = mutantsOf({
  "MET-WAL-01.balances-10": [
    rules({ walletPrice: "10 for balances" }),
    "MET-WAL-03",
    "MET-WAL-04",
    "MET-WAL-06",
    "AUTH-ALL-02",
    "MET-SCOPE-02",
    "MET-CONC-01",
  ],
  "MET-WAL-01.batch-per-item": [rules({ walletPrice: "100 per entry of a batch" }), "MET-WAL-03", "MET-WAL-04"],
  "MET-WAL-01.under-rpc": [
    rules({ walletProduct: "rpc" }),
    "MET-WAL-02",
    "MET-WAL-05",
    "MET-WAL-06",
    "AUTH-ALL-02",
    "MET-SCOPE-02",
    "MET-CONC-01",
  ],
  "MET-WAL-01.first-free": rules({ walletPrice: "the first of the day free" }),
  "MET-WAL-01.post-free": [rules({ walletPrice: "POST free" }), "MET-WAL-03", "MET-WAL-04", "MET-CRED-01"],
  "MET-WAL-02.batch-n": rules({ walletCount: "one per entry of a batch" }),
  "MET-WAL-02.under-rpc": [
    rules({ walletCount: "under rpc" }),
    "MET-WAL-05",
    "AUTH-ALL-02",
    "MET-SCOPE-02",
    "MET-CONC-01",
  ],
  "MET-WAL-02.not-counted": [rules({ walletCount: "none" }), "AUTH-ALL-02", "MET-SCOPE-02", "MET-CONC-01"],
  "MET-WAL-03.total-lags": [
    replaced("/creditsUsed", (used, doc) => Number(used) - numberAt(doc, "/credits/walletApi")),
    "CRD-",
    "MET-CRED-01",
  ],
  "MET-WAL-03.total-rounded-up": [
    replaced("/creditsUsed", (used) => Math.ceil(Number(used) / 1000) * 1000),
    "CRD-",
    "MET-CRED-01",
  ],
  "MET-WAL-04.both-pools": [
    afterWallets((doc, taken) => ({
      ...doc,
      prepaidCreditsUsed: numberAt(doc, "/prepaidCreditsUsed") + taken,
      prepaidCreditsRemaining: numberAt(doc, "/prepaidCreditsRemaining") - taken,
    })),
    "CRD-",
    "USG-NNEG-01",
  ],
  "MET-WAL-04.no-pool": [
    afterWallets((doc, taken) => ({ ...doc, creditsRemaining: numberAt(doc, "/creditsRemaining") + taken })),
    "CRD-",
  ],
  "MET-WAL-05.also-enhanced": rules({ walletAlso: "enhancedApi" }),
  "MET-WAL-05.also-rpc": [rules({ walletAlso: "rpc" }), "MET-WAL-03", "MET-WAL-04"],
  "MET-WAL-06.discounted": rules({ walletPrice: "90 after the first thousand" }),
  "MET-WAL-06.time-based": [
    rules({ walletPrice: "150 where it takes long" }),
    "MET-WAL-01",
    "MET-WAL-03",
    "MET-WAL-04",
  ],
  "MET-CMP-01.under-rpc": rules({ products: { compression: "rpc" } }),
  "MET-CMP-01.per-address": rules({ compressionCount: "one per address" }),
  "MET-CMP-01.health-uncounted": rules({ compressionCount: "none for health" }),
  "MET-CONC-01.lost-update": [rules({ atOnce: "the last write counts" }), "MET-WAL-01", "MET-WAL-02"],
  "MET-CONC-01.coalesced": [rules({ atOnce: "alike ones charged once" }), "MET-WAL-01", "MET-WAL-02"],
  "MET-CRED-01.frozen": [{ rules: { scopes: { used: "until midnight" } } }, "CRD-", "MET-WAL-03"],
  "MET-SCOPE-01.global-counter": [rules({ shows: "all projects'" }), ...mixed],
  "MET-SCOPE-01.keyed-by-ip": [rules({ shows: "those of the client's address" }), ...mixed],
  "MET-SCOPE-02.per-key": [rules({ shows: "those of the reader's key" }), "MET-WAL-01", "MET-WAL-02"],
  "AUTH-ALL-02.query-unattributed": [
    rules({ chargedTo: "free for keys in the query" }),
    "MET-CMP-01",
    "MET-REQ-01",
    "MET-WAL-",
    "MET-CRED-01",
  ],
  "AUTH-ALL-02.last-project-cached": [rules({ chargedTo: "the first caller on the connection" }), "MET-"],

  "MET-REQ-01.dedupe": [counting("requests", deduped), "CRD-SCOPE-02", ...countedCalls, "MET-CONC-01"],
  "MET-REQ-01.double": [
    counting("requests", (honest) => honest * 2),
    "CRD-SCOPE-02",
    ...countedCalls,
    "MET-CONC-01",
    "MET-HOOK-01",
  ],
  "MET-REQ-01.sampled": [
    counting("requests", (honest) => Math.floor(honest / 10) * 10),
    "CRD-SCOPE-02",
    ...countedCalls,
  ],

  "MET-BYTE-01.messages": [counting("dataTransfer", (_, entries) => entries.length), "CRD-SCOPE-02"],
  "MET-BYTE-01.kibibytes": [counting("dataTransfer", (honest) => Math.floor(honest / 1024)), "CRD-SCOPE-02"],
  // A subscriber sends next to nothing.
  "MET-BYTE-01.inbound-only": [counting("dataTransfer", () => 0), "CRD-SCOPE-02", "MET-BYTE-02"],
  "MET-BYTE-02.handshake-as-rpc": replaced("/requests/rpc", (honest, _doc, { project, now_ms }) => {
    const handshakes = project ? entriesOf(project, now_ms).filter(({ product }) => product === "streamWebsocket") : [];
    return Number(honest) + handshakes.length;
  }),
  "MET-BYTE-02.stream-free": uncredited(({ product, bytes }) => product === "streamWebsocket" && bytes > 0),

  "MET-HOOK-01.counts-config-calls": [counting("requests", () => 0, deliveries), "CRD-SCOPE-02"],
  "MET-HOOK-01.credits-zero": [uncredited(({ product }) => product === "webhooks"), "CRD-ROUND-02", "CRD-USE-02"],
  "MET-HOOK-01.per-batch": [counting("requests", (honest) => Math.ceil(honest / 10), deliveries), "CRD-SCOPE-02"],
});
