// Which lies can the meters tell about requests, bytes and deliveries? (§1.5, §2.1, §6)
import { type Entry, Ledger, zero } from "./ledger.ts";
import { mutant, replaced, usageDoc } from "./mutant.ts";
import { entriesOf, usageOf } from "./rest/usage.ts";
import { honestRules } from "./rules.ts";
import type { Bend, Value } from "./wire.ts";

type Count = (honest: number, entries: readonly Entry[]) => number;

/** Every count of one group, made anew from its product's entries of the cycle. */
const counting = (group: "requests" | "dataTransfer", count: Count, isMeant: (product: string) => boolean = () => true): { readonly answer: Bend } => ({
  answer: replaced(`/${group}`, (honest, _doc, { project, now_ms }) => {
    const entries = project ? entriesOf(project, now_ms) : [];
    const counted = Object.entries(honest as { [product: string]: Value }).map(([product, value]) => {
      const own = entries.filter((entry) => entry.product === product);
      return [product, isMeant(product) ? count(Number(value), own) : value];
    });
    return Object.fromEntries(counted) as Value;
  }),
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
const uncredited = (isFree: (entry: Entry) => boolean): { readonly answer: Bend } => ({
  answer: usageDoc((doc, { project, now_ms }) => {
    if (!project) return doc;
    const ledger = new Ledger(project.ledger.purchased);
    for (const entry of project.ledger.entries) ledger.add(isFree(entry) ? { ...entry, credits: zero, prepaid: zero } : entry);
    return usageOf({ ...project, ledger }, honestRules, { now_ms, before: 0, hint_h: 0 });
  }),
});

export const mutants = [
  mutant("MET-REQ-01.dedupe", counting("requests", deduped), "CRD-SCOPE-02"),
  mutant(
    "MET-REQ-01.double",
    counting("requests", (honest) => honest * 2),
    "CRD-SCOPE-02",
    "MET-HOOK-01",
  ),
  mutant(
    "MET-REQ-01.sampled",
    counting("requests", (honest) => Math.floor(honest / 10) * 10),
    "CRD-SCOPE-02",
  ),

  mutant(
    "MET-BYTE-01.messages",
    counting("dataTransfer", (_, entries) => entries.length),
    "CRD-SCOPE-02",
  ),
  mutant(
    "MET-BYTE-01.kibibytes",
    counting("dataTransfer", (honest) => Math.floor(honest / 1024)),
    "CRD-SCOPE-02",
  ),
  // A subscriber sends next to nothing.
  mutant(
    "MET-BYTE-01.inbound-only",
    counting("dataTransfer", () => 0),
    "CRD-SCOPE-02",
    "MET-BYTE-02",
  ),
  mutant("MET-BYTE-02.handshake-as-rpc", {
    answer: replaced("/requests/rpc", (honest, _doc, { project, now_ms }) => {
      const handshakes = project ? entriesOf(project, now_ms).filter(({ product }) => product === "streamWebsocket") : [];
      return Number(honest) + handshakes.length;
    }),
  }),
  mutant(
    "MET-BYTE-02.stream-free",
    uncredited(({ product, bytes }) => product === "streamWebsocket" && bytes > 0),
  ),

  mutant(
    "MET-HOOK-01.counts-config-calls",
    counting("requests", () => 0, deliveries),
    "CRD-SCOPE-02",
  ),
  mutant(
    "MET-HOOK-01.credits-zero",
    uncredited(({ product }) => product === "webhooks"),
    "CRD-ROUND-02",
    "CRD-USE-02",
  ),
  mutant(
    "MET-HOOK-01.per-batch",
    counting("requests", (honest) => Math.ceil(honest / 10), deliveries),
    "CRD-SCOPE-02",
  ),
];
