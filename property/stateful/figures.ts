// Figures of usage that the model expects, and the requirement that another figure breaks (§2.1)
import Big from "big.js";
import { type Product, products } from "../../contracts/shared/figures.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import {
  bought,
  cycleIn,
  type KeyName,
  type ModelState,
  type ModelUse,
  type ProjectName,
  projectNames,
  projectOfKey,
  type Range,
} from "./state.ts";

export interface ExpectedFigure {
  readonly at: string;
  readonly range: Range;
  /** The requirement that an amount outside the range breaks. */
  readonly breaks: (got: Big) => RequirementId;
}

/** Uses in the cycle that a project is in. */
const usesNow = (state: ModelState, name: ProjectName): readonly ModelUse[] =>
  state[name].uses.filter((use) => use.cycle === cycleIn(state, name));

/** Products that calls of an unspecified product can't count under, since these have a meaning of their own. */
const ownMeaning: readonly Product[] = [
  "walletApi",
  "compression",
  "webhooks",
  "streamGrpc",
  "streamWebsocket",
  "preConfirmations",
];

const zero = new Big(0);
const plus = (range: Range, other: Range): Range => ({
  least: range.least.plus(other.least),
  most: range.most && other.most ? range.most.plus(other.most) : null,
});
const sumOf = (ranges: readonly Range[]): Range => ranges.reduce(plus, { least: zero, most: zero });

export const isWithin = (got: Big, { least, most }: Range): boolean =>
  got.gte(least) && (most === null || got.lte(most));
export const widened = ({ least, most }: Range, by: number): Range => ({
  least: least.minus(by),
  most: most?.plus(by) ?? null,
});

type What = "requests" | "credits";

const under = (uses: readonly ModelUse[], product: Product, what: What): Range =>
  sumOf(uses.filter((use) => use.product === product).map((use) => use[what]));

/**
 * Requests and credits of calls whose product is unspecified may count under any product without a meaning of its own.
 */
function rangeOf(uses: readonly ModelUse[], product: Product, what: What): Range {
  const known = under(uses, product, what);
  if (ownMeaning.includes(product)) return known;
  const unspecified = sumOf(uses.filter((use) => use.product === "unspecified").map((use) => use[what]));
  return { ...known, most: plus(known, unspecified).most };
}

const own: { readonly [P in Product]?: { readonly [W in What]: RequirementId } } = {
  walletApi: { requests: "MET-WAL-02", credits: "MET-WAL-01" },
  compression: { requests: "MET-CMP-01", credits: "CRD-ROUND-01" },
};
const usual = { requests: "MET-REQ-01", credits: "CRD-ROUND-01" } as const;

/** The requirement whose breach would explain a wrong amount, the likeliest first. */
function explanationOf(state: ModelState, reader: KeyName, product: Product, what: What, slack: number) {
  const name = projectOfKey(reader);
  const { uses } = state[name];
  const cycle = cycleIn(state, name);
  const current = usesNow(state, name);
  const isOf = (use: ModelUse): boolean => use.product === product;
  return (got: Big): RequirementId => {
    const { most } = widened(rangeOf(current, product, what), slack);
    if (most !== null && got.gt(most)) {
      if (uses.some((use) => isOf(use) && use.cycle !== cycle))
        return what === "requests" ? "CRD-SCOPE-02" : "CRD-SCOPE-01";
      if (projectNames.some((one) => one !== name && state[one].uses.some(isOf))) return "MET-SCOPE-01";
    }
    const ofReader = current.filter(({ by }) => by === null || by === reader);
    if (
      ofReader.filter(isOf).length < current.filter(isOf).length &&
      isWithin(got, widened(rangeOf(ofReader, product, what), slack))
    )
      return "MET-SCOPE-02";
    return own[product]?.[what] ?? usual[what];
  };
}

/** The figures of a project's usage. @param rounding by how much a product's credits may differ from the exact sum */
export function expectedOf(state: ModelState, reader: KeyName, rounding: number): readonly ExpectedFigure[] {
  const name = projectOfKey(reader);
  const current = usesNow(state, name);
  const slack = { requests: 0, credits: rounding } as const;
  const figure = (what: What, product: Product): ExpectedFigure => ({
    at: `/${what}/${product}`,
    range: widened(rangeOf(current, product, what), slack[what]),
    breaks: explanationOf(state, reader, product, what, slack[what]),
  });
  return [
    ...products.filter((product) => !product.startsWith("stream")).map((product) => figure("requests", product)),
    ...products.map((product) => figure("credits", product)),
    ...totalsOf(state, name, current),
  ];
}

/** A total may be rounded up or down. */
const ofTotal = 0.999;

/** A law judges what remains of the plan, which follows from these. */
function totalsOf(state: ModelState, name: ProjectName, current: readonly ModelUse[]): readonly ExpectedFigure[] {
  const prepaid = (uses: readonly ModelUse[]): Range => ({
    least: sumOf(uses.filter(({ pool }) => pool === "prepaid").map(({ credits }) => credits)).least,
    most: sumOf(uses.filter(({ pool }) => pool !== "regular").map(({ credits }) => credits)).most,
  });
  const ofCycle = prepaid(current);
  const ofAll = prepaid(state[name].uses);
  const isFirst = current.length === state[name].uses.length;
  // Whether prepaid credits last beyond their cycle is unspecified.
  const left: Range = {
    least: isFirst && ofAll.most ? new Big(bought).minus(ofAll.most) : zero,
    most: new Big(bought).minus(ofAll.least),
  };
  const breaks = (): RequirementId => "CRD-USE-02";
  const total = (at: string, range: Range): ExpectedFigure => ({ at, range: widened(range, ofTotal), breaks });
  return [
    total("/creditsUsed", sumOf(current.map(({ credits }) => credits))),
    total("/prepaidCreditsUsed", ofCycle),
    total("/prepaidCreditsRemaining", left),
  ];
}

/** Requests that calls of an unspecified product may have added, over all products: each counts once (§1.5). */
export function unspecifiedOf(state: ModelState, name: ProjectName) {
  const current = usesNow(state, name);
  const possible = products.filter((product) => !ownMeaning.includes(product));
  const isCounted = ({ product }: ModelUse): boolean => product === "unspecified" || possible.includes(product);
  return { products: possible, range: sumOf(current.filter(isCounted).map(({ requests }) => requests)) };
}
