// What `assay serve` says to authors of clients: roles, limits, sample data, and one curl line per feature.
import { payerNamed, transaction } from "../contracts/bundles/transactions.ts";
import { base58Bytes } from "../contracts/shared/base58.ts";
import type { DemoRole } from "../reference/demo.ts";
import { utcDayOf } from "../reference/metering/calendar.ts";
import { wellKnown } from "../reference/platform/chain.ts";
import { honestRules } from "../reference/platform/rules.ts";
import { tipAccounts } from "../reference/rpc/sendBundle.ts";
import { people } from "../reference/wallet/people.ts";
import type { Feature } from "../specs/generated/operations.ts";
import type { Embedded } from "./embedded.ts";

export type ForClients = ReturnType<typeof forClients>;

const { limits, general, rpc } = honestRules;
const [tipAccount = ""] = tipAccounts;
const tipLamports = Number(rpc.bundles.leastTip);

export const forClients = (embedded: Embedded, startsAt_ms: number) => ({
  base: embedded.base,
  environment: embedded.environment,
  date: utcDayOf(startsAt_ms),
  roles: Object.fromEntries((Object.keys(embedded.keys) as DemoRole[]).map((role) => [role, roleOf(role, embedded)])),
  limits: { usagePerSecond: limits.admin.most, sendBundlePerSecond: limits.bundles.most },
  samples: samplesOf(embedded),
  regions: rpc.bundles.regions,
  curl: curlLines(embedded),
  documents: [`${embedded.base}/openapi.json`, `${embedded.base}/openrpc.json`],
});

function roleOf(role: DemoRole, { keys, ids, world }: Embedded) {
  const project = world.project(ids[role]);
  if (!project) throw new Error(`no project has the key of ${role}`);
  const { name, kind, creditsLimit, general: own = general[kind] } = project.plan;
  const notes = [
    ...(project.admin === "disabled" ? ["admin interface off"] : []),
    ...(project.billingData === "missing" ? ["billing data missing"] : []),
    ...(role === "ipBlocked" ? ["other IP addresses only"] : []),
  ];
  return { key: keys[role], project: ids[role], plan: name, kind, creditsLimit, rpc: own, notes };
}

function samplesOf({ world }: Embedded) {
  const [wallet] = people;
  const [compressed] = world.chain.compressed;
  return {
    wallet: wallet?.address ?? "",
    domain: wallet?.domains[0] ?? "",
    owner: wellKnown.owner,
    mint: wellKnown.mint,
    compressedAddress: compressed?.address ?? "",
    compressedHash: compressed?.hash ?? "",
    tipAccount,
    tipLamports,
  };
}

function curlLines(embedded: Embedded): { readonly [F in Feature]: string } {
  const { base, keys, ids } = embedded;
  const { wallet, owner, compressedAddress: address } = samplesOf(embedded);
  const get = (path: string): string => `curl -sS -H 'X-Api-Key: ${keys.paid}' '${base}${path}'`;
  const call = (method: string, params: unknown): string =>
    `curl -sS -H 'Content-Type: application/json' '${base}/?api-key=${keys.paid}' ` +
    `-d '${JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })}'`;
  return {
    usage: get(`/v0/admin/projects/${ids.paid}/usage`),
    wallet: get(`/v1/wallet/${wallet}/balances`),
    tokenAccounts: call("getTokenAccounts", { owner, limit: 2 }),
    compression: call("getCompressedBalance", { address }),
    bundles: call("sendBundle", [[tippingTransaction()], { encoding: "base64" }]),
  };
}

/** A signed transaction that tips, in base64. */
function tippingTransaction(): string {
  const payer = payerNamed("an author of clients");
  const to = base58Bytes(tipAccount) ?? new Uint8Array();
  const { bytes } = transaction({ payer, transfers: [{ from: payer, to, lamports: BigInt(tipLamports) }], nonce: 0 });
  return Buffer.from(bytes).toString("base64");
}

/** The same as text. */
export function linesOf(forClients: ForClients) {
  const { base, environment, date, roles, limits: all, samples, regions, ...more } = forClients;
  const described = Object.entries(roles).map(([role, { key, project, plan, kind, creditsLimit, rpc: own, notes }]) => {
    const limit = `${creditsLimit} credits, ${own.perSecond} calls/s (bursts of ${own.burst})`;
    return `  ${role.padEnd(10)} ${key}  project ${project}  ${[`${plan} (${kind})`, limit, ...notes].join(", ")}`;
  });
  return [
    `The reference platform listens on ${base}, its clock runs from ${date} (Ctrl-C stops it).`,
    "",
    "Demo keys, new with each start; projects; plans with credits per cycle and JSON-RPC calls:",
    ...described,
    "",
    `Limits of each project: ${all.usagePerSecond} usage requests and ${all.sendBundlePerSecond} bundles per second.`,
    "",
    "Sample data:",
    ...Object.entries(samples).map(([name, value]) => `  ${name.padEnd(17)} ${value}`),
    `  ${"regions".padEnd(17)} ${regions.join(" ")}`,
    "",
    "Try each feature:",
    ...Object.values(more.curl).map((line) => `  ${line}`),
    "",
    `Documents of the interface: ${more.documents.join(" ")}`,
    "",
    "To judge it as a vendor from another terminal, copy targets/reference.yaml, put",
    `  bases: { admin: ${base}, api: ${base}, rpc: ${base} }`,
    "in place of its line `platform: embedded`, and set the keys:",
    ...Object.entries(environment).map(([name, value]) => `  export ${name}=${value}`),
  ];
}
