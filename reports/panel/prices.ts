// What the calls of a panel cost at each vendor, per million: as it is listed, and as its usage grew.
import type { PanelReport, VendorPrice } from "../../panel/panelReport.ts";
import { type Block, foreign, note, type Section, type Sentence, sectionOf } from "../document/document.ts";
import { listedTogether } from "../lists.ts";
import { numberText, toTenths } from "../numbers.ts";
import { panelAnchors } from "./anchors.ts";
import { vendorNameIn } from "./figures.ts";
import { sharesOfMix } from "./mix.ts";

/** Credits per million calls of the mix; null where they aren't known. */
export interface MixPrice {
  readonly listed: number | null;
  readonly charged: number | null;
  /** Operations without a price. */
  readonly unpriced: readonly string[];
  /** Why nothing is known of what was charged; null where it is. */
  readonly why: string | null;
}

const million = 1_000_000;

type Priced = Parameters<typeof sharesOfMix>[0] & Pick<PanelReport, "prices">;

/** Credits per call: of the mix where it has a price, as calls are never exactly in its shares; else of the served. */
const chargedIn = (charged: NonNullable<VendorPrice["charged"]>, mix: number | null): number =>
  mix !== null && charged.listed
    ? (mix * Number(charged.credits)) / charged.listed
    : Number(charged.credits) / charged.calls;

/** What the mix of a panel costs at a vendor. */
export function mixPriceOf(panel: Priced, vendor: number): MixPrice {
  const price = panel.prices?.find((one) => one.vendor === vendor);
  if (!price) return { listed: null, charged: null, unpriced: [], why: "no prices are recorded" };
  const shares = sharesOfMix(panel);
  const unpriced = shares.flatMap(([operation]) => (typeof price.listed[operation] === "number" ? [] : [operation]));
  const listed = shares.reduce((sum, [operation, share]) => sum + share * (price.listed[operation] ?? 0), 0);
  const { charged, why } = price;
  return {
    listed: unpriced.length > 0 || shares.length === 0 ? null : Math.round(listed * million),
    charged: charged && Math.round(chargedIn(charged, unpriced.length > 0 ? null : listed) * million),
    unpriced,
    why,
  };
}

const unit = "credits per million calls";

function listedCell(panel: PanelReport, vendor: number): Sentence {
  const { listed, unpriced } = mixPriceOf(panel, vendor);
  if (listed !== null) return [`${numberText(listed)} ${unit}`];
  const isAll = unpriced.length > 1 && unpriced.length === sharesOfMix(panel).length;
  const names = isAll ? "its operations" : listedTogether(unpriced);
  const file = panel.vendors[vendor]?.file ?? "the target file";
  return [foreign(`unknown: ${names} ${unpriced.length > 1 ? "have" : "has"} no price in the interface or ${file}`)];
}

/** A difference below half a per cent is none: credits are whole. */
const least = 0.005;
export const isSameCharge = (one: number, other: number): boolean => Math.abs(one - other) < least * other;

function chargedCell(panel: PanelReport, vendor: number): Sentence {
  const { listed, charged, why } = mixPriceOf(panel, vendor);
  if (charged === null) return [foreign(why === null ? "unknown" : `unknown: ${why}`)];
  const text = `charged ${numberText(charged)}`;
  if (!listed) return [text];
  const by = charged / listed - 1;
  if (isSameCharge(charged, listed)) return [`${text}, as listed`];
  return [`${text}, ${toTenths(100 * Math.abs(by))} % ${by > 0 ? "more" : "less"} than listed`];
}

/** Nothing where no price is known, and none was asked for. */
export function priceSections(panel: PanelReport): readonly Section[] {
  const { vendors, workload, prices = [] } = panel;
  const isKnown = vendors.some((_, vendor) => mixPriceOf(panel, vendor).listed !== null);
  if (prices.length === 0 || !(workload || isKnown)) return [];
  const table: Block = {
    is: "table",
    caption: "What it costs",
    kind: "few",
    heads: ["Vendor", "Listed", "Charged"],
    rows: vendors.map((_, vendor) => [
      [foreign(vendorNameIn(panel, vendor))],
      listedCell(panel, vendor),
      chargedCell(panel, vendor),
    ]),
  };
  const words =
    "Credits of different vendors may not cost the same. Charged: what usage grew by, for each call that was served.";
  return [{ ...sectionOf(["What it costs"], table, note(words)), id: panelAnchors.price }];
}
