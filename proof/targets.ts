// What a target gives of the reference as if it were a vendor's: everything but control, or one key
import bs58 from "bs58";
import { Secret } from "../harness/core/secret.ts";
import type { Target } from "../harness/targets/target.ts";
import { honestLandedBundles } from "../reference/bundles/landed.ts";
import { type BundleChange, honestBundles } from "../reference/platform/bundleRules.ts";
import { changed } from "../reference/platform/change.ts";

const secure = "https://reference.assay.example";
const payer = new Secret("payer", bs58.encode(new Uint8Array(32).fill(1)));

/** A target with everything but control, consents included, of a vendor whose bundles have ids by these rules. */
export function withoutControl({ control: _, bundles, ...target }: Target, change?: BundleChange): Target {
  const landed = honestLandedBundles("", changed(honestBundles, change)).map(({ id }) => id);
  return {
    ...target,
    bases: { admin: secure, api: secure, rpc: secure },
    samples: { ...target.samples, landedBundles: landed },
    isReference: false,
    perSecond: 1_000,
    quiet: true,
    ...(bundles && { bundles: { ...bundles, payer } }),
  };
}

/** One paid key and its project's id, of such a target. */
export function oneKey({ bundles: _, ...target }: Target): Target {
  const keys = new Map([...target.keys].filter(([role]) => role === "paid"));
  return { ...target, keys, samples: {}, names: {}, allow: [], quiet: false };
}
