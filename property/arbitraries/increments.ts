// Increments of use, of any fraction, some counted a thousand times (§2.1 rule 2)
import fc from "fast-check";
import { products } from "../../contracts/shared/figures.ts";
import { listArbitrary, type Of, recordArbitrary } from "./lists.ts";

/** Decimals: ten thousandths, and halves, at which rounding rules differ. */
const credits = fc.oneof(
  fc.integer({ min: 1, max: 99_999 }).map((tenThousandths) => (tenThousandths / 10_000).toFixed(4)),
  fc.nat({ max: 20 }).map((whole) => `${whole}.5`),
);

/** How often an increment is counted, each time separately. */
const times = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 1, max: 12 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 1_500 }) },
);

const anIncrement = recordArbitrary({
  product: fc.constantFrom(...products),
  credits,
  times,
  pool: fc.constantFrom("regular", "prepaid"),
});

export type Increment = Of<typeof anIncrement>;

export const someIncrements: fc.Arbitrary<readonly Increment[]> = listArbitrary(anIncrement, 1, 6);
