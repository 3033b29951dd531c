// Known wallets and their names (§4.2)
import { chainAddressOf } from "../platform/chain.ts";

export interface Person {
  readonly address: string;
  /** Null where the wallet is known by its domain alone. */
  readonly name: string | null;
  readonly category: "person" | "exchange" | "treasury";
  /** The first is the one that the wallet goes by. */
  readonly domains: readonly string[];
}

/** Every wallet got its first coins there. */
export const exchange: Person = {
  address: chainAddressOf("exchange 0"),
  name: "Harbour Exchange",
  category: "exchange",
  domains: ["harbour.sol"],
};

const names: readonly (readonly [name: string | null, ...domains: string[]])[] = [
  ["Ada Marsh", "ada.sol", "marsh.ada.sol"],
  ["Ben Ortolan", "ortolan.sol"],
  [null, "quiet-river.sol"],
  ["Cleo Vane", "cleo.sol"],
  ["Dov Peralta"],
  ["Esme Hull", "esme.sol"],
  [null, "tide7.sol"],
  ["Finn Aster", "finn-aster.sol"],
  ["Gita Noor"],
  ["Hale Brook", "hale.sol"],
  ["Ines Corr", "ines.sol"],
];

export const people: readonly Person[] = [
  ...names.map(
    ([name, ...domains], nth): Person => ({
      address: chainAddressOf(`wallet ${nth}`),
      name,
      category: "person",
      domains,
    }),
  ),
  { address: chainAddressOf("wallet 11"), name: "Mole Treasury", category: "treasury", domains: ["mole.sol"] },
];

const known: readonly Person[] = [exchange, ...people];
const byAddress: ReadonlyMap<string, Person> = new Map(known.map((one) => [one.address, one]));
const byDomain: ReadonlyMap<string, Person> = new Map(
  known.flatMap((one) => one.domains.map((domain) => [domain, one] as const)),
);

export const personAt = (address: string): Person | undefined => byAddress.get(address);

/** @param domain in lower case */
export const personNamed = (domain: string): Person | undefined => byDomain.get(domain);
