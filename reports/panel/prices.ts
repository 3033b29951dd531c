// What the calls of a panel's mix take, in credits.
import type { PanelReport } from "../../panel/panelReport.ts";
import { sharesOfMix } from "./mix.ts";

/** Credits for a million calls; null where nothing says. */
export interface MixPrice {
  /** Of the calls in the shares of the mix. */
  readonly listed: number | null;
  /** Of the calls that its usage tells of. */
  readonly charged: number | null;
}

const calls = 1_000_000;

/** Null where neither is known. */
export function mixPriceOf(panel: PanelReport, vendor: number): MixPrice | null {
  const price = panel.prices?.find((one) => one.vendor === vendor);
  if (!price) return null;
  const shares = sharesOfMix(panel);
  const credits = shares.map(([operation, share]) => ({ share, each: price.listed[operation] ?? null }));
  const isListed = credits.length > 0 && credits.every(({ each }) => each !== null);
  const listed = isListed ? credits.reduce((all, { share, each }) => all + share * (each ?? 0), 0) * calls : null;
  const { charged } = price;
  const paid = charged === null || charged.calls === 0 ? null : (Number(charged.credits) / charged.calls) * calls;
  return listed === null && paid === null ? null : { listed, charged: paid };
}
