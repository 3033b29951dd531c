// Are whole numbers told digit by digit, beyond 2^53 too? Written through control, read back, compared by value. (§2.2; EXT-JSON-02)
import { createHash } from "node:crypto";
import fc from "fast-check";
import { textOf } from "../contracts/base58.ts";
import { tokenAccounts } from "../contracts/rpc/requests.ts";
import { resultOf } from "../contracts/rpcOracles.ts";
import { type Bench, type Shown, Withheld } from "../harness/check.ts";
import { broken, held } from "../harness/finding.ts";
import { exactAt, type Json, valueAt } from "../harness/json.ts";
import { isServed, outcomeOf } from "../harness/rpc.ts";

const largestU64 = 2n ** 64n - 1n;
const safest = BigInt(Number.MAX_SAFE_INTEGER);

/** Amounts that a double holds, those just beyond, and any up to the end of 64 bits; none is empty. */
export const amount: fc.Arbitrary<bigint> = fc.oneof(
  fc.bigInt({ min: 1n, max: safest }),
  fc.bigInt({ min: safest, max: safest + 1_000n }),
  fc.bigInt({ min: 1n, max: largestU64 }),
  fc.constantFrom(1n, safest, safest + 2n, largestU64),
);

/** As many accounts as amounts, of one owner and on one page. */
export const amounts: fc.Arbitrary<readonly bigint[]> = fc.array(amount, { minLength: 1, maxLength: 8 });

const address = (name: string): string => textOf(createHash("sha256").update(`whole numbers, ${name}`).digest());

/** Needs control. @throws Withheld where the page isn't served or an account is missing, which is another requirement's matter */
export async function areToldExactly(drawn: readonly bigint[], bench: Bench): Promise<Shown> {
  const project = await bench.project();
  const owner = address(`owner of ${drawn.join(" ")}`);
  const mint = address("mint");
  const written = drawn.map((units, nth) => ({ address: address(`${owner} ${nth}`), mint, owner, amount: units.toString() }));
  await project.writeTokenAccounts(written);
  const exchange = await bench.ask(tokenAccounts({ owner, limit: 10 }, { as: project.asker }));
  const { json } = exchange.answer ?? {};
  const listed = resultOf(exchange, "/token_accounts");
  if (!isServed(exchange) || !json || !Array.isArray(listed)) throw new Withheld(`hidden: it drew ${outcomeOf(exchange)}`);
  for (const { address: wanted, amount: units } of written) {
    const nth = listed.findIndex((account: Json) => valueAt(account, "/address") === wanted);
    const at = `/result/token_accounts/${nth}/amount`;
    const got = exactAt(json, at);
    if (!got) throw new Withheld("hidden: an account is missing, or its amount is no number");
    if (got.toFixed() !== units) return { exchange, finding: broken(at, `${units}, digit by digit`, got) };
  }
  return { exchange, finding: held };
}
