// On which parts of the interface is a lie judged? On those that it lies about; `npm run test:slow` judges each on all.
import type { Part } from "../specs/generated/operations.ts";

const usage: readonly Part[] = ["usage"];
const methods: readonly Part[] = ["tokenAccounts", "compression"];
const tokenAccounts: readonly Part[] = ["tokenAccounts"];
const compression: readonly Part[] = ["compression"];
const wallet: readonly Part[] = ["wallet"];
/** Wallet calls, and the usage where they show. */
const charges: readonly Part[] = ["usage", "wallet"];
const bundles: readonly Part[] = ["bundles"];

/** By the beginning of an id, the first that fits; lies about all surfaces aren't named here. */
const aboutOneSurface: readonly (readonly [prefix: string, parts: readonly Part[]])[] = [
  ["USG-", usage],
  ["CRD-", usage],
  ["CYC-", usage],
  ["ERR-ADM-", usage],
  ["AUTH-ADM-ON-02.switch-blocks-rpc", methods],
  ["AUTH-ADM-", usage],
  ["VER-ADM-", usage],
  ["EXT-RL-", usage],
  ["EXT-UUID-", usage],
  ["WAL-", wallet],
  ["AUTH-WAL-", wallet],
  ["VER-WAL-", wallet],
  ["MET-WAL-", charges],
  ["MET-CONC-", charges],
  ["MET-CRED-", charges],
  ["BND-", bundles],
  ["BST-", bundles],
  ["SIM-", bundles],
  ["AUTH-RPC-BUNDLE-", bundles],
  ["AUTH-RPC-QRY-01.bundle", bundles],
  ["EXT-SOL-02", bundles],
  ["RPC-", methods],
  ["TA-", tokenAccounts],
  ["NAP-", compression],
  ["CB-", compression],
  ["IH-", compression],
  ["ERR-TA-", tokenAccounts],
  ["ERR-CMP-", compression],
  ["ERR-X-", methods],
  ["AUTH-RPC-", methods],
  ["EXT-JR-", methods],
  ["EXT-SOL-", methods],
];

/** Null: all that are offered. */
export const judgedParts = (id: string): readonly Part[] | null => aboutOneSurface.find(([prefix]) => id.startsWith(prefix))?.[1] ?? null;
