// The words of a comparison: of one platform before and now, or of vendors A and B, which have no order in time.
import type { Sentence } from "../document/document.ts";
import type { Comparison, Pair } from "./comparison.ts";

export type ChangesTitle = readonly [
  tone: "broken" | "withheld" | "narrowed" | "holds" | "noted" | "deviates" | "fixed",
  text: string,
];
type Counted = readonly [one: string, many: string];
type Names<Name extends string, Text> = { readonly [name in Name]: Text };

export interface Wording {
  readonly isOfVendors: boolean;
  readonly titles: Names<
    "broken" | "elsewhere" | "unjudged" | "narrower" | "fixed" | "known" | "verified" | "wider" | "drifts" | "shapes",
    ChangesTitle
  >;
  readonly headline: Names<"broken" | "unbroken" | "inconclusive" | "shapes", string> &
    Names<"warnings" | "fixed" | "unjudged" | "drifts" | "figures", Counted>;
  /** Of what was measured, where nothing tells both apart. */
  readonly unchanged: string;
  /** After the state or figure of the first run. */
  readonly first: string;
  /** After what is said of the second run. */
  readonly there: string;
  readonly appeared: string;
  readonly vanished: string;
  /** Two values side by side. */
  both(was: Sentence, is: Sentence): Sentence;
  /** One value that differs. */
  turned(was: Sentence, is: Sentence): Sentence;
  /** What stands before and after an arrow between two values. */
  readonly arrow: string;
  /** Heads of the two columns of a figure. */
  heads(figure: string): readonly [was: string, is: string];
}

const inTime: Wording = {
  isOfVendors: false,
  titles: {
    broken: ["broken", "Newly broken"],
    elsewhere: ["broken", "Broken at more places"],
    unjudged: ["withheld", "No longer judged"],
    narrower: ["narrowed", "Verified on less"],
    fixed: ["fixed", "Fixed"],
    known: ["deviates", "Known issues"],
    verified: ["holds", "Newly verified"],
    wider: ["holds", "Verified on more"],
    drifts: ["noted", "Changes of unspecified behaviour"],
    shapes: ["noted", "Changed response shapes"],
  },
  headline: {
    broken: "newly broken",
    unbroken: "no requirement is newly broken",
    inconclusive: "not every requirement could be judged again",
    shapes: "response shape changed",
    warnings: ["new warning", "new warnings"],
    fixed: ["is fixed", "are fixed"],
    unjudged: ["is no longer judged", "are no longer judged"],
    drifts: ["unspecified behaviour changed", "unspecified behaviours changed"],
    figures: ["other figure changed", "other figures changed"],
  },
  unchanged: "No change shown",
  first: "before",
  there: "",
  appeared: "appeared,",
  vanished: "vanished, was",
  both: (was, is) => [...was, " before, ", ...is, " now"],
  turned: (was, is) => ["was ", ...was, ", is ", ...is],
  arrow: "before → now",
  heads: (figure) => [`${figure} before`, `${figure} now`],
};

function ofVendors(a: string, b: string): Wording {
  const atB = `at ${b}, not at ${a}`;
  const atA = `at ${a}, not at ${b}`;
  const beside = (was: Sentence, is: Sentence): Sentence => [`${a} `, ...was, ` · ${b} `, ...is];
  return {
    isOfVendors: true,
    titles: {
      broken: ["broken", `Broken ${atB}`],
      elsewhere: ["broken", `Broken at more places at ${b}`],
      unjudged: ["withheld", `Judged ${atA}`],
      narrower: ["narrowed", `Verified on less at ${b}`],
      fixed: ["broken", `Broken ${atA}`],
      known: ["deviates", `Known issues at ${b}`],
      verified: ["withheld", `Verified ${atB}`],
      wider: ["narrowed", `Verified on more at ${b}`],
      drifts: ["noted", "Different unspecified behaviour"],
      shapes: ["noted", "Different response shapes"],
    },
    headline: {
      broken: `broken ${atB}`,
      unbroken: `nothing is broken at ${b} that isn't at ${a}`,
      inconclusive: "not every requirement could be judged at both",
      shapes: "response shape differs",
      warnings: [`warning ${atB}`, `warnings ${atB}`],
      fixed: [`is broken ${atA}`, `are broken ${atA}`],
      unjudged: [`is judged ${atA}`, `are judged ${atA}`],
      drifts: ["unspecified behaviour differs", "unspecified behaviours differ"],
      figures: ["other figure differs", "other figures differ"],
    },
    unchanged: "No difference shown",
    first: `at ${a}`,
    there: ` at ${b}`,
    appeared: `only at ${b},`,
    vanished: `only at ${a},`,
    both: beside,
    turned: beside,
    arrow: `${a} → ${b}`,
    heads: (figure) => [`${figure} at ${a}`, `${figure} at ${b}`],
  };
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** A vendor's letter, by the place of its run. */
export const letterOf = (index: number): string => letters[index] ?? `V${index + 1}`;

type Runs = readonly { readonly target: Pick<Comparison["runs"][number]["target"], "name"> }[];
type Sides = Pick<Pair, "base" | "head">;

const areVendors = (runs: Runs, { base, head }: Sides): boolean => runs[base]?.target.name !== runs[head]?.target.name;

/** Whether it compares vendors at all. */
export const isOfVendors = ({ runs, pairs }: { readonly runs: Runs; readonly pairs: readonly Sides[] }): boolean =>
  pairs.some((pair) => areVendors(runs, pair));

export const wordingOf = (runs: Runs, pair: Sides): Wording =>
  areVendors(runs, pair) ? ofVendors(letterOf(pair.base), letterOf(pair.head)) : inTime;
