// Which figures must a usage document show after all that happened, and which promise is broken where it doesn't? (§2.1; register §1)
import Big from "big.js";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import {
  bought,
  cycleIn,
  type KeyName,
  type Product,
  type ProjectName,
  products,
  projectNames,
  projectOf,
  type Range,
  type State,
  type Use,
} from "./state.ts";

/** One figure, and whose promise it is. */
export interface Expected {
  readonly at: string;
  readonly range: Range;
  /** What an amount beside the range breaks. */
  readonly breaks: (got: Big) => RequirementId;
}

/** What calls of unshown products can't count under: wallets, compression, deliveries, streams and pre-confirmations are something else. */
const named: readonly Product[] = [
  "walletApi",
  "compression",
  "webhooks",
  "streamGrpc",
  "streamWebsocket",
  "preConfirmations",
];

const zero = new Big(0);
const plus = (one: Range, other: Range): Range => ({
  least: one.least.plus(other.least),
  most: one.most && other.most ? one.most.plus(other.most) : null,
});
const sumOf = (ranges: readonly Range[]): Range => ranges.reduce(plus, { least: zero, most: zero });

export const isWithin = (got: Big, { least, most }: Range): boolean =>
  got.gte(least) && (most === null || got.lte(most));
export const widened = ({ least, most }: Range, by: number): Range => ({
  least: least.minus(by),
  most: most?.plus(by) ?? null,
});

type What = "requests" | "credits";

const under = (uses: readonly Use[], product: Product, what: What): Range =>
  sumOf(uses.filter((use) => use.product === product).map((use) => use[what]));

/** Requests for calls whose product isn't shown may stand under any product that isn't named; so may their credits. */
function rangeOf(uses: readonly Use[], product: Product, what: What): Range {
  const known = under(uses, product, what);
  if (named.includes(product)) return known;
  return {
    ...known,
    most: plus(known, sumOf(uses.filter((use) => use.product === "not shown").map((use) => use[what]))).most,
  };
}

const own: { readonly [P in Product]?: { readonly [W in What]: RequirementId } } = {
  walletApi: { requests: "MET-WAL-02", credits: "MET-WAL-01" },
  compression: { requests: "MET-CMP-01", credits: "CRD-ROUND-01" },
};
const usual = { requests: "MET-REQ-01", credits: "CRD-ROUND-01" } as const;

/** What would explain it, the likeliest first. */
function blamed(state: State, reader: KeyName, product: Product, what: What, slack: number) {
  const name = projectOf(reader);
  const { uses } = state[name];
  const cycle = cycleIn(state, name);
  const current = uses.filter((use) => use.cycle === cycle);
  const isOf = (use: Use): boolean => use.product === product;
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

/**
 * The figures of a project's document.
 * @param reader one of its keys
 * @param rounding by how much a product's credits may differ from the exact sum
 */
export function expectedOf(state: State, reader: KeyName, rounding: number): readonly Expected[] {
  const name = projectOf(reader);
  const cycle = cycleIn(state, name);
  const current = state[name].uses.filter((use) => use.cycle === cycle);
  const slack = { requests: 0, credits: rounding } as const;
  const figure = (what: What, product: Product): Expected => ({
    at: `/${what}/${product}`,
    range: widened(rangeOf(current, product, what), slack[what]),
    breaks: blamed(state, reader, product, what, slack[what]),
  });
  return [
    ...products.filter((product) => !product.startsWith("stream")).map((product) => figure("requests", product)),
    ...products.map((product) => figure("credits", product)),
    ...totalsOf(state, name, current),
  ];
}

/** A total may be rounded any way. */
const ofTotal = 0.999;

/** What remains of the plan follows from these, and a law has the word on it. */
function totalsOf(state: State, name: ProjectName, current: readonly Use[]): readonly Expected[] {
  const prepaid = (uses: readonly Use[]): Range => ({
    least: sumOf(uses.filter(({ pool }) => pool === "prepaid").map(({ credits }) => credits)).least,
    most: sumOf(uses.filter(({ pool }) => pool !== "regular").map(({ credits }) => credits)).most,
  });
  const [ofCycle, ofAll] = [prepaid(current), prepaid(state[name].uses)];
  const isFirst = current.length === state[name].uses.length;
  // Whether what was bought lasts beyond its cycle isn't shown.
  const left: Range = {
    least: isFirst && ofAll.most ? new Big(bought).minus(ofAll.most) : zero,
    most: new Big(bought).minus(ofAll.least),
  };
  const total = (at: string, range: Range): Expected => ({
    at,
    range: widened(range, ofTotal),
    breaks: () => "CRD-USE-02",
  });
  return [
    total("/creditsUsed", sumOf(current.map(({ credits }) => credits))),
    total("/prepaidCreditsUsed", ofCycle),
    total("/prepaidCreditsRemaining", left),
  ];
}

/** Requests that calls of unshown products may have added, all products together: each counts once (§1.5). */
export function unshownOf(
  state: State,
  name: ProjectName,
): { readonly products: readonly Product[]; readonly range: Range } {
  const cycle = cycleIn(state, name);
  const current = state[name].uses.filter((use) => use.cycle === cycle);
  const open = products.filter((product) => !named.includes(product));
  const isMeant = ({ product }: Use): boolean => product === "not shown" || open.includes(product);
  return { products: open, range: sumOf(current.filter(isMeant).map(({ requests }) => requests)) };
}
