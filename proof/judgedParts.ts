// On which parts of the interface is a lie judged? On those that it lies about; `npm run test:slow` judges each on all.
import { suite } from "../contracts/suite.ts";
import { citedBy } from "../harness/model/check.ts";
import type { Part } from "../specs/generated/operations.ts";

const usage: readonly Part[] = ["usage"];
const methods: readonly Part[] = ["tokenAccounts", "compression"];
const tokenAccounts: readonly Part[] = ["tokenAccounts"];
const compression: readonly Part[] = ["compression"];
const wallet: readonly Part[] = ["wallet"];
/** Wallet calls, and the usage where they show. */
const charges: readonly Part[] = ["usage", "wallet"];
const bundles: readonly Part[] = ["bundles"];

/** By the beginning of an id, the first that fits, of areas that speak of several parts; lies about all surfaces aren't named here. */
const aboutOneSurface: readonly (readonly [prefix: string, parts: readonly Part[]])[] = [
  ["ERR-ADM-", usage],
  ["AUTH-ADM-ON-02.switch-blocks-rpc", methods],
  ["AUTH-ADM-", usage],
  ["VER-ADM-", usage],
  ["EXT-RL-", usage],
  ["EXT-UUID-", usage],
  ["AUTH-WAL-", wallet],
  ["VER-WAL-", wallet],
  ["MET-WAL-", charges],
  ["MET-CONC-", charges],
  ["MET-CRED-", charges],
  ["AUTH-RPC-BUNDLE-", bundles],
  ["AUTH-RPC-QRY-01.bundle", bundles],
  ["EXT-SOL-02", bundles],
  ["RATE-ADM-", usage],
  ["RATE-SB-", bundles],
  ["RATE-GEN-", bundles],
  ["RPC-", methods],
  ["ERR-TA-", tokenAccounts],
  ["ERR-CMP-", compression],
  ["ERR-X-", methods],
  ["AUTH-RPC-", methods],
  ["EXT-JR-", methods],
  ["EXT-SOL-", methods],
];

/** Parts of all checks of an area, e.g. `CYC`. */
function partsOf(area: string): readonly Part[] {
  const checks = suite.checks.filter((check) => citedBy(check).some((id) => id.startsWith(`${area}-`)));
  return [...new Set(checks.map(({ part }) => part))];
}

const areas = new Map<string, readonly Part[]>();

/** Null: all that are offered. Where an area's checks are all of one part, lies about it are too. */
export function judgedParts(id: string): readonly Part[] | null {
  const row = aboutOneSurface.find(([prefix]) => id.startsWith(prefix));
  if (row) return row[1];
  const area = id.slice(0, id.indexOf("-"));
  const parts = areas.get(area) ?? partsOf(area);
  areas.set(area, parts);
  return parts.length === 1 ? parts : null;
}
