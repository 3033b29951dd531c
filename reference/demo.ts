// Which projects does the reference show to whoever has none? Fixed ids and figures, keys made anew by each start.
import { randomUUID } from "node:crypto";
import Big from "big.js";
import { metered, perProduct, products, type Usage } from "./ledger.ts";
import { type Key, type Plan, type Project, type ProjectClock, World } from "./world.ts";

const business: Plan = { name: "business", kind: "paid", creditsLimit: 1_000_000 };
const developer: Plan = { name: "developer", kind: "paid", creditsLimit: 500_000 };
const free: Plan = { name: "free", kind: "free", creditsLimit: 100_000 };

/** Roles of the demo keys, by the environment variable that targets/reference.yaml reads them from. */
export const demoRoles = {
  paid: "ASSAY_REFERENCE_PAID",
  second: "ASSAY_REFERENCE_SECOND",
  other: "ASSAY_REFERENCE_OTHER",
  free: "ASSAY_REFERENCE_FREE",
  adminOff: "ASSAY_REFERENCE_ADMIN_OFF",
  unbilled: "ASSAY_REFERENCE_UNBILLED",
  ipBlocked: "ASSAY_REFERENCE_IP_BLOCKED",
} as const;
export type DemoRole = keyof typeof demoRoles;

export interface Demo {
  readonly world: World;
  readonly keys: { readonly [R in DemoRole]: string };
  readonly ids: { readonly [R in DemoRole]: string };
}

/** Every product fractional but walletApi: sums that differ from the total on purpose (register §1.6). */
const mixedUsage: Usage = {
  credits: {
    rpc: new Big("100000.4"),
    enhancedApi: new Big("20000.4"),
    walletApi: new Big("30000"),
    das: new Big("40000.4"),
    webhooks: new Big("5000.4"),
    streamGrpc: new Big("25000.4"),
    streamWebsocket: new Big("12000.4"),
    preConfirmations: new Big("3000.4"),
    archival: new Big("8000.4"),
    compression: new Big("15000.4"),
    other: new Big("1000.4"),
  },
  requests: { rpc: 100_000, enhancedApi: 200, walletApi: 300, das: 4_000, webhooks: 5_000, preConfirmations: 30, archival: 80, compression: 1_500, other: 12 },
  bytes: { streamGrpc: 250_004_000, streamWebsocket: 120_004_000 },
  prepaidUsed: new Big(40_000),
  prepaidRemaining: new Big(60_000),
};

const idle: Usage = {
  credits: perProduct(products, () => new Big(0)),
  requests: perProduct(metered, () => 0),
  bytes: { streamGrpc: 0, streamWebsocket: 0 },
  prepaidUsed: new Big(0),
  prepaidRemaining: new Big(0),
};

/** Over the limit of the free plan, all of it by plain RPC (register §1.6, second fixture). */
const overLimit: Usage = { ...idle, credits: { ...idle.credits, rpc: new Big(100_250) }, requests: { ...idle.requests, rpc: 100_250 } };

/** Addresses for documentation (RFC 5737): no client has one. */
const nobodysAddress = "192.0.2.1";

const on = (instant: string): ProjectClock => ({ standsAt_ms: Date.parse(instant) });

/** The calendars stand on days that show padding, short months, and the first and last day of a cycle. */
export function demo(): Demo {
  const keys = Object.fromEntries(Object.keys(demoRoles).map((role) => [role, randomUUID()])) as Record<DemoRole, string>;
  const anyAddress = (role: DemoRole): Key => ({ value: keys[role], allowedAddresses: null });
  const common = { admin: "enabled", billingData: "present", usage: idle } as const;
  const main: Project = {
    ...common,
    id: "5f0d5c1e-7f5b-4a57-9a0c-1d2e3f405162",
    name: "main",
    plan: business,
    billingAnchor: "2023-08-30",
    clock: on("2025-03-05T12:00:00Z"),
    keys: [anyAddress("paid"), anyAddress("second"), { value: keys.ipBlocked, allowedAddresses: [nobodysAddress] }],
    usage: mixedUsage,
  };
  const other: Project = {
    ...common,
    id: "8c1a2b3d-4e5f-4061-8273-94a5b6c7d8e9",
    name: "other",
    plan: developer,
    billingAnchor: "2024-02-08",
    clock: on("2025-04-08T00:00:30Z"),
    keys: [anyAddress("other")],
  };
  const freeProject: Project = {
    ...common,
    id: "1b2c3d4e-5f60-4718-a293-b4c5d6e7f809",
    name: "free",
    plan: free,
    billingAnchor: "2024-11-02",
    clock: on("2025-06-01T23:59:30Z"),
    keys: [anyAddress("free")],
    usage: overLimit,
  };
  const adminOff: Project = { ...other, id: "2c3d4e5f-6071-4829-83a4-c5d6e7f8091a", name: "adminOff", admin: "disabled", keys: [anyAddress("adminOff")] };
  const unbilled: Project = { ...other, id: "3d4e5f60-7182-493a-94b5-d6e7f8091a2b", name: "unbilled", billingData: "missing", keys: [anyAddress("unbilled")] };
  const ids = { paid: main.id, second: main.id, ipBlocked: main.id, other: other.id, free: freeProject.id, adminOff: adminOff.id, unbilled: unbilled.id };
  return { world: new World([main, other, freeProject, adminOff, unbilled]), keys, ids };
}
