// Increments of use, of any fraction, some counted a thousand times (§2.1 rule 2)
import fc from "fast-check";
import { type Product, products } from "../../contracts/shared/figures.ts";
import { listOf } from "./lists.ts";

export interface Increment {
  readonly product: Product;
  /** A decimal. */
  readonly credits: string;
  /** How often it is counted, each time separately. */
  readonly times: number;
  readonly pool: "regular" | "prepaid";
}

/** Ten thousandths, and halves, at which rounding rules differ. */
const credits: fc.Arbitrary<string> = fc.oneof(
  fc.integer({ min: 1, max: 99_999 }).map((tenThousandths) => (tenThousandths / 10_000).toFixed(4)),
  fc.nat({ max: 20 }).map((whole) => `${whole}.5`),
);

const times: fc.Arbitrary<number> = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 1, max: 12 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 1_500 }) },
);

const anIncrement: fc.Arbitrary<Increment> = fc.record(
  {
    product: fc.constantFrom(...products),
    credits,
    times,
    pool: fc.constantFrom("regular" as const, "prepaid" as const),
  },
  { noNullPrototype: true },
);

export const someIncrements: fc.Arbitrary<readonly Increment[]> = listOf(anIncrement, 1, 6);
