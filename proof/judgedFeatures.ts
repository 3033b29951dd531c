// The features that a mutant is about and is judged on; `npm run test:slow` judges it on all
import { suite } from "../contracts/suite.ts";
import { citedBy } from "../harness/model/check.ts";
import type { Feature } from "../specs/generated/operations.ts";

const usage: readonly Feature[] = ["usage"];
const methods: readonly Feature[] = ["tokenAccounts", "compression"];
const tokenAccounts: readonly Feature[] = ["tokenAccounts"];
const compression: readonly Feature[] = ["compression"];
const wallet: readonly Feature[] = ["wallet"];
/** Wallet calls, and the usage that shows their charges. */
const charges: readonly Feature[] = ["usage", "wallet"];
const bundles: readonly Feature[] = ["bundles"];

/** Features by the beginning of an id (the first match counts), for areas whose checks are about several features. */
const aboutOneApi: readonly (readonly [prefix: string, features: readonly Feature[]])[] = [
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

/** Features of all checks of an area such as `CYC`. */
function featuresOf(area: string): readonly Feature[] {
  const checks = suite.checks.filter((check) => citedBy(check).some((id) => id.startsWith(`${area}-`)));
  return [...new Set(checks.map(({ feature }) => feature))];
}

const areas = new Map<string, readonly Feature[]>();

/** Null: all that the target offers. Mutants of an area whose checks share one feature are judged on that alone. */
export function judgedFeatures(id: string): readonly Feature[] | null {
  const row = aboutOneApi.find(([prefix]) => id.startsWith(prefix));
  if (row) return row[1];
  const area = id.slice(0, id.indexOf("-"));
  const features = areas.get(area) ?? featuresOf(area);
  areas.set(area, features);
  return features.length === 1 ? features : null;
}
