// The chain that the platform indexes: the same for every project, made from a seed (§2.2, §4.3)
import { createHash } from "node:crypto";
import { AddressTree } from "../compression/addressTree.ts";
import { base58 } from "./base58.ts";

export interface TokenAccount {
  readonly address: string;
  readonly mint: string;
  readonly owner: string;
  /** Base units, up to 2^64 - 1. */
  readonly amount: bigint;
  readonly delegate: string | null;
  readonly delegatedAmount: bigint;
  readonly frozen: boolean;
  /** The slot that wrote it. */
  readonly slot: number;
}

export interface CompressedAccount {
  readonly address: string;
  readonly hash: string;
  readonly lamports: bigint;
  /** Before its last change. */
  readonly formerLamports: bigint;
}

/** A slot takes 400 ms. */
const slot_ms = 400;
/** The slot at the first instant of 2025, by this chain's own count. */
const genesis = { slot: 310_000_000, at_ms: Date.parse("2025-01-01T00:00:00Z") };

export const slotAt = (now_ms: number): number => genesis.slot + Math.floor((now_ms - genesis.at_ms) / slot_ms);

/** Unix time in ms at which a slot begins. */
export const timeOfSlot = (slot: number): number => genesis.at_ms + (slot - genesis.slot) * slot_ms;

/** In the field of compression's hashes: real clients request no other values. */
const inField = (name: string): string => {
  const bytes = digest(`assay ${name}`);
  bytes[0] = (bytes[0] ?? 0) & 0x1f;
  return base58(bytes);
};

const digest = (text: string): Uint8Array => new Uint8Array(createHash("sha256").update(text).digest());

/** Owners and mints recur in thousands of accounts. */
const addresses = new Map<string, string>();

/** The address of a made-up account, always the same. */
export function chainAddressOf(name: string): string {
  const address = addresses.get(name) ?? base58(digest(`assay ${name}`));
  addresses.set(name, address);
  return address;
}

/** Owners and mints that target files name. */
export const wellKnown = {
  /** Holds 130 accounts, more than the default page. */
  owner: chainAddressOf("owner 0"),
  ownerWithEmptyAccounts: chainAddressOf("owner 1"),
  mint: chainAddressOf("mint 0"),
} as const;

/** Accounts of each owner, by number; together some thousands. */
const accountsOf = (owner: number): number => (owner === 0 ? 130 : owner === 1 ? 12 : 20 + ((owner * 37) % 90));
const owners = 50;
/** The second begins with the same letter as the first, for a mutant that compares no more. */
const mints = ["mint 0", "mint 111", ...Array.from({ length: 10 }, (_, nth) => `mint ${nth + 2}`)];

function tokenAccount(owner: number, nth: number): TokenAccount {
  const seed = digest(`account ${owner} ${nth}`);
  const byteAt = (at: number): number => seed[at] ?? 0;
  const isEmpty = owner === 1 ? nth % 3 === 0 : owner > 1 && byteAt(0) < 16;
  // One in sixteen passes 2^53, where doubles lose whole numbers.
  const amount = isEmpty
    ? 0n
    : byteAt(1) < 16
      ? 9_007_199_254_740_993n + BigInt(byteAt(2))
      : BigInt(1 + byteAt(2) * 65_536 + byteAt(3) * 256 + byteAt(4));
  const isDelegated = byteAt(5) < 32 && !isEmpty;
  return {
    // Made when it is asked for: thousands of addresses take time.
    get address() {
      return chainAddressOf(`account ${owner} ${nth}`);
    },
    mint: chainAddressOf(mints[nth % 4 === 0 ? 0 : byteAt(6) % mints.length] ?? ""),
    owner: chainAddressOf(`owner ${owner}`),
    amount,
    delegate: isDelegated ? chainAddressOf(`owner ${(owner + 1) % owners}`) : null,
    delegatedAmount: isDelegated ? amount / 2n : 0n,
    frozen: byteAt(7) < 24,
    slot: genesis.slot - 1 - byteAt(8),
  };
}

const byAddress = (a: TokenAccount, b: TokenAccount): number => (a.address < b.address ? -1 : 1);

let seeded: readonly TokenAccount[] | undefined;

/** Made when they are first asked for. */
const seededAccounts = (): readonly TokenAccount[] =>
  (seeded ??= Array.from({ length: owners }, (_, owner) =>
    Array.from({ length: accountsOf(owner) }, (__, nth) => tokenAccount(owner, nth)),
  ).flat());

const seededCompressed: readonly CompressedAccount[] = Array.from({ length: 24 }, (_, nth) => ({
  address: inField(`compressed ${nth}`),
  hash: inField(`compressed hash ${nth}`),
  lamports: nth === 1 ? 9_007_199_254_740_993n : BigInt(1_000_000 + nth * 7_919),
  formerLamports: BigInt(2_000_000 + nth * 104_729),
}));

export const treeAddress = chainAddressOf("address tree");
const treeElements = 64;

/** Token accounts by owner and mint, compressed accounts by address and hash, and the tree of addresses. */
export class Chain {
  readonly compressed: readonly CompressedAccount[] = seededCompressed;
  #addresses: AddressTree | undefined;
  #accounts: readonly TokenAccount[] | undefined;

  /** Its hashes take time, which only who asks for a proof should spend. */
  get addresses(): AddressTree {
    return (this.#addresses ??= AddressTree.seeded("assay", treeElements));
  }

  write(accounts: readonly TokenAccount[]): void {
    const written = new Set(accounts.map(({ address }) => address));
    const before = this.#accounts ?? seededAccounts();
    this.#accounts = [...before.filter(({ address }) => !written.has(address)), ...accounts];
  }

  /** Accounts for which a condition holds, by address. */
  accounts(isWanted: (account: TokenAccount) => boolean): readonly TokenAccount[] {
    return (this.#accounts ?? seededAccounts()).filter(isWanted).sort(byAddress);
  }
}
