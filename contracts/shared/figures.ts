// What a usage document has figures of, and the price that is documented.
import type { components } from "../../specs/generated/openapi.ts";
import { sites } from "../../specs/generated/operations.ts";

/** The documented products: the keys of `credits` (§2.1). */
export const products = [
  "rpc",
  "enhancedApi",
  "walletApi",
  "das",
  "webhooks",
  "streamGrpc",
  "streamWebsocket",
  "preConfirmations",
  "archival",
  "compression",
  "other",
] as const satisfies readonly (keyof components["schemas"]["ProjectUsage"]["credits"])[];
export type Product = (typeof products)[number];

/** Credits of one wallet call (§8). */
export const walletPrice = 100;

/** Every documented place of a usage document but the document itself. */
export const documentedPlaces = [...new Set((sites["getProjectUsage 200"] ?? []).map(({ at }) => at))].filter(
  (at) => at !== "",
);
