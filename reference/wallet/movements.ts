// Transactions of wallets, made from a seed; every balance is the sum of them (§4.2)
import { createHash } from "node:crypto";
import { base58 } from "../platform/base58.ts";
import { slotAt } from "../platform/chain.ts";
import { exchange, people } from "./people.ts";
import { nfts, tokens } from "./tokens.ts";

/** Null stands for the chain's own coin. */
export type Asset = string | null;

export interface WalletTransfer {
  readonly asset: Asset;
  /** Null where it was newly issued. */
  readonly from: string | null;
  readonly to: string;
  /** Base units, above 0. */
  readonly amount: bigint;
}

/** One transaction. */
export interface Movement {
  readonly signature: string;
  readonly slot: number;
  /** Unix time in ms, on a whole second. */
  readonly at_ms: number;
  readonly payer: string;
  readonly transfers: readonly WalletTransfer[];
}

/** Lamports that the payer of a transaction pays for it. */
export const fee = 5_000n;

/** How one transaction changed what an address holds. */
export interface BalanceChange {
  readonly asset: Asset;
  readonly by: bigint;
}

const first_ms = Date.parse("2023-06-01T08:00:00Z");
const hour_ms = 3_600_000;

const bytesOf = (name: string): ((at: number) => number) => {
  const bytes = createHash("sha512").update(`assay ${name}`).digest();
  return (at) => bytes[at] ?? 0;
};

const movements: Movement[] = [];
const byParty = new Map<string, Movement[]>();

function move(hours: number, payer: string, ...transfers: readonly WalletTransfer[]): void {
  const at_ms = first_ms + hours * hour_ms;
  const name = `assay movement ${movements.length}`;
  const signature = base58(new Uint8Array(createHash("sha512").update(name).digest()));
  const movement = { signature, slot: slotAt(at_ms), at_ms, payer, transfers };
  movements.push(movement);
  for (const party of partiesOf(movement)) byParty.set(party, [...movementsOf(party), movement]);
}

const partiesOf = ({ payer, transfers }: Movement): ReadonlySet<string> =>
  new Set([payer, ...transfers.flatMap(({ from, to }) => (from === null ? [to] : [from, to]))]);

/** What a transaction changed for an address, the fee included; assets that it left as they were aren't named. */
export function changesOf({ payer, transfers }: Movement, address: string): readonly BalanceChange[] {
  const changes = new Map<Asset, bigint>(payer === address ? [[null, -fee]] : []);
  for (const { asset, from, to, amount } of transfers) {
    const by = (to === address ? amount : 0n) - (from === address ? amount : 0n);
    changes.set(asset, (changes.get(asset) ?? 0n) + by);
  }
  return [...changes].flatMap(([asset, by]) => (by === 0n ? [] : [{ asset, by }]));
}

const addresses = people.map(({ address }) => address);
const treasury = addresses.at(-1) ?? "";

function issue(): void {
  move(0, exchange.address, { asset: null, from: null, to: exchange.address, amount: 4_000_000_000_000_000n });
  for (const [nth, to] of addresses.entries())
    move(2 + nth * 5, exchange.address, {
      asset: null,
      from: exchange.address,
      to,
      amount: 20_000_000_000n + BigInt(nth) * 1_300_000_007n,
    });
  for (const [nth, { mint }] of tokens.entries()) {
    for (const [place, to] of addresses.entries()) {
      // One holding passes 2^53, where doubles lose whole numbers.
      const amount =
        nth === 2 && place === 1 ? 9_007_199_254_740_993n : BigInt(50_000_000 + place * 1_234_567 + nth * 7_919);
      if ((place + nth) % 3 !== 2) move(80 + nth * 24 + place, treasury, { asset: mint, from: null, to, amount });
    }
  }
  for (const [nth, { mint }] of nfts.entries())
    move(240 + nth, treasury, {
      asset: mint,
      from: null,
      to: addresses[nth % (addresses.length - 1)] ?? treasury,
      amount: 1n,
    });
}

/** One asset of an address and how much of it is sent; some coins remain for fees. */
function spendable(
  address: string,
  byteAt: (at: number) => number,
  at: number,
): Pick<WalletTransfer, "asset" | "amount"> | null {
  const held = [...heldAfter(address, () => true)].filter(
    ([asset, amount]) => amount > (asset === null ? 1_000_000_000n : 0n),
  );
  const [asset, amount] = held[byteAt(at) % Math.max(1, held.length)] ?? [null, 0n];
  const part = amount / BigInt(4 + (byteAt(at + 1) % 12));
  const sent = amount === 1n ? 1n : part;
  return sent > 0n ? { asset, amount: sent } : null;
}

const transactions = 420;

function trade(): void {
  for (let nth = 0; nth < transactions; nth += 1) {
    const byteAt = bytesOf(`transaction ${nth}`);
    const from = addresses[byteAt(0) % addresses.length] ?? treasury;
    const other = [exchange.address, ...addresses][byteAt(1) % (addresses.length + 1)] ?? treasury;
    const given = spendable(from, byteAt, 2);
    if (!given || from === other) continue;
    // One in seven is an exchange of one asset for another.
    const taken = nth % 7 === 0 && other !== exchange.address ? spendable(other, byteAt, 4) : null;
    const back = taken && taken.asset !== given.asset ? [{ ...taken, from: other, to: from }] : [];
    move(300 + nth * 40, from, { ...given, from, to: other }, ...back);
  }
}

let isMade = false;

/** Every transaction that an address took part in, the oldest first. All are made when one is first asked for. */
export function movementsOf(address: string): readonly Movement[] {
  if (!isMade) {
    isMade = true;
    issue();
    trade();
  }
  return byParty.get(address) ?? [];
}

/** What an address held after the transactions for which a condition holds; without assets of 0. */
export function heldAfter(address: string, isDone: (movement: Movement) => boolean): ReadonlyMap<Asset, bigint> {
  const held = new Map<Asset, bigint>();
  for (const movement of movementsOf(address).filter(isDone))
    for (const { asset, by } of changesOf(movement, address)) held.set(asset, (held.get(asset) ?? 0n) + by);
  return new Map([...held].filter(([, amount]) => amount !== 0n));
}
