// Demo projects of the reference: fixed ids and figures, new keys at each start
import { randomUUID } from "node:crypto";
import Big from "big.js";
import { honestLandedBundles } from "./bundles/landed.ts";
import { cycleAt, timeOf } from "./metering/calendar.ts";
import { type ChargedProduct, noCredits, UsageLedger } from "./platform/ledger.ts";
import { healthyIndexer, type Key, type Project, type ProjectClock, type ProjectPlan } from "./platform/project.ts";
import { World } from "./world.ts";

const business: ProjectPlan = { name: "business", kind: "paid", creditsLimit: 1_000_000 };
const developer: ProjectPlan = { name: "developer", kind: "paid", creditsLimit: 500_000 };
/** Three JSON-RPC calls per second. */
const throttled: ProjectPlan = {
  name: "throttled",
  kind: "paid",
  creditsLimit: 500_000,
  general: { perSecond: 3, burst: 3 },
};
const free: ProjectPlan = { name: "free", kind: "free", creditsLimit: 100_000 };

/** Roles of the demo keys, by the environment variable that targets/reference.yaml reads them from. */
export const demoRoles = {
  paid: "ASSAY_REFERENCE_PAID",
  second: "ASSAY_REFERENCE_SECOND",
  other: "ASSAY_REFERENCE_OTHER",
  free: "ASSAY_REFERENCE_FREE",
  adminOff: "ASSAY_REFERENCE_ADMIN_OFF",
  unbilled: "ASSAY_REFERENCE_UNBILLED",
  slow: "ASSAY_REFERENCE_SLOW",
  ipBlocked: "ASSAY_REFERENCE_IP_BLOCKED",
} as const;
export type DemoRole = keyof typeof demoRoles;

export interface Demo {
  readonly world: World;
  readonly keys: { readonly [R in DemoRole]: string };
  readonly ids: { readonly [R in DemoRole]: string };
}

type Fixture = Partial<{
  readonly [P in ChargedProduct]: readonly [credits: string, requests: number, bytes?: number];
}>;

/** Every product fractional but walletApi: sums that differ from the total on purpose (register §1.6). */
const mixed: Fixture = {
  rpc: ["100000.4", 100_000],
  enhancedApi: ["20000.4", 200],
  walletApi: ["30000", 300],
  das: ["40000.4", 4_000],
  webhooks: ["5000.4", 5_000],
  streamGrpc: ["25000.4", 0, 250_004_000],
  streamWebsocket: ["12000.4", 0, 120_004_000],
  preConfirmations: ["3000.4", 30],
  archival: ["8000.4", 80],
  compression: ["15000.4", 1_500],
  other: ["1000.4", 12],
};

/** Over the limit of the free plan, all of it by plain RPC (register §1.6, second fixture). */
const overLimit: Fixture = { rpc: ["100250", 100_250] };

/** A ledger with one entry per product; the first entry uses the prepaid credits. */
function ledgerOf(fixture: Fixture, instant: string, prepaid = { bought: 0, used: 0 }): UsageLedger {
  const ledger = new UsageLedger(new Big(prepaid.bought));
  let paid = new Big(prepaid.used);
  for (const [product, [credits, requests, bytes = 0]] of Object.entries(fixture) as [
    ChargedProduct,
    [string, number, number?],
  ][]) {
    ledger.add({ at_ms: Date.parse(instant), product, credits: new Big(credits), prepaid: paid, requests, bytes });
    paid = noCredits;
  }
  return ledger;
}

/** An address for documentation (RFC 5737), which no client has. */
const unknownAddress = "192.0.2.1";

const on = (instant: string): ProjectClock => ({ standsAt_ms: Date.parse(instant) });

/** The calendars stand on days that show padding, short months, and the first and last day of a cycle. */
function projectsFor(keys: Demo["keys"]): readonly Project[] {
  const anyAddress = (role: DemoRole): Key => ({ value: keys[role], allowedAddresses: null });
  const project = (role: DemoRole, id: string, own: Partial<Project> = {}): Project => ({
    id,
    name: role,
    plan: developer,
    billingAnchor: "2024-02-08",
    clock: on("2025-04-08T00:00:30Z"),
    createdOn: "2024-01-20",
    keys: [anyAddress(role)],
    admin: "enabled",
    billingData: "present",
    invoicing: "monthly",
    indexer: healthyIndexer,
    faults: new Map(),
    ledger: new UsageLedger(),
    ...own,
  });
  return [
    project("paid", "5f0d5c1e-7f5b-4a57-9a0c-1d2e3f405162", {
      name: "main",
      plan: business,
      billingAnchor: "2023-08-30",
      clock: on("2025-03-05T12:00:00Z"),
      keys: [anyAddress("paid"), anyAddress("second"), { value: keys.ipBlocked, allowedAddresses: [unknownAddress] }],
      createdOn: "2023-08-11",
      ledger: ledgerOf(mixed, "2025-03-01T09:00:00Z", { bought: 100_000, used: 40_000 }),
    }),
    project("other", "8c1a2b3d-4e5f-4061-8273-94a5b6c7d8e9"),
    project("free", "1b2c3d4e-5f60-4718-a293-b4c5d6e7f809", {
      plan: free,
      billingAnchor: "2024-11-02",
      clock: on("2025-06-01T23:59:30Z"),
      createdOn: "2024-11-02",
      ledger: ledgerOf(overLimit, "2025-05-20T09:00:00Z"),
    }),
    project("adminOff", "2c3d4e5f-6071-4829-83a4-c5d6e7f8091a", { admin: "disabled" }),
    project("unbilled", "3d4e5f60-7182-493a-94b5-d6e7f8091a2b", { billingData: "missing" }),
    project("slow", "4e5f6071-8293-4ab4-85c6-e7f8091a2b3c", { plan: throttled }),
  ];
}

/** On the platform's own clock, with the same usage in the credit cycle of that time. */
function running(project: Project, startsAt_ms: number): Project {
  const at_ms = timeOf(cycleAt(project.billingAnchor, startsAt_ms).start);
  const entries = project.ledger.entries.map((entry) => ({ ...entry, at_ms }));
  return { ...project, clock: { offset_ms: 0 }, ledger: project.ledger.of(entries) };
}

const byRole = <V>(valueOf: (role: DemoRole) => V): { readonly [R in DemoRole]: V } =>
  Object.fromEntries(Object.keys(demoRoles).map((role) => [role, valueOf(role as DemoRole)])) as Record<DemoRole, V>;

/** @param startsAt_ms where the projects' clocks run, from then on; each stands still on a day of its own without it */
export function demo(startsAt_ms?: number): Demo {
  const keys = byRole(() => randomUUID() as string);
  const projects = projectsFor(keys);
  const world = new World(
    startsAt_ms === undefined ? projects : projects.map((project) => running(project, startsAt_ms)),
  );
  const ids = byRole((role) => world.holderOf(keys[role])?.project.id ?? "");
  for (const bundle of honestLandedBundles(ids.other)) world.book.send(bundle);
  return { world, keys, ids };
}
