// Token accounts of one owner: a few, of a few mints, some frozen (§2.2)
import { createHash } from "node:crypto";
import fc from "fast-check";
import { base58Text } from "../../contracts/shared/base58.ts";
import type { WrittenAccount } from "../../contracts/shared/control.ts";
import { listArbitrary, type Of, recordArbitrary } from "./lists.ts";

const aHolding = recordArbitrary({
  /** Index of one of the case's mints. */
  mint: fc.nat({ max: 2 }),
  /** Base units, a decimal. */
  amount: fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }).map(String),
  frozen: fc.boolean(),
});

type Holding = Of<typeof aHolding>;

export const holdings = (most: number): fc.Arbitrary<readonly Holding[]> => listArbitrary(aHolding, 1, most);

/** An unused address, the same for the same name. */
export const addressNamed = (name: string): string =>
  base58Text(createHash("sha256").update(`generated ${name}`).digest());

/** Accounts that only this case uses. */
export const writtenFor = (whose: string, held: readonly Holding[]): readonly WrittenAccount[] =>
  held.map(({ mint, amount, frozen }, nth) => ({
    address: addressNamed(`${whose} account ${nth}`),
    mint: addressNamed(`${whose} mint ${mint}`),
    owner: addressNamed(`${whose} owner`),
    amount,
    frozen,
  }));
