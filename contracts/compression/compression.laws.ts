// Laws of new-address proofs and of base58 keys: addresses, ranges, lengths (§2.4, §4.3)
import { broken, type Finding, held, must, onlyWarning, worstOf } from "../../harness/core/finding.ts";
import { isObject, type Json, listOf, valueAt } from "../../harness/core/json.ts";
import { type Law, law, NotThere } from "../../harness/model/law.ts";
import { base58Bytes, hasLength, numberFromBytes } from "../shared/base58.ts";

type Proof = { readonly [member: string]: Json };

/** @throws NotThere where there is no list of proofs: schemas judge that */
function proofsIn(value: Json | undefined): readonly Proof[] {
  if (!Array.isArray(value) || !value.every(isObject)) throw new NotThere("/result/value");
  return value;
}

/**
 * One proof per address, in any order (T-18). How many come for a repeated address is unspecified (OBS-NAP-DUP), and it
 * is entailed for distinct ones only (amendment 12).
 */
function oneForEach(wanted: readonly string[], proofs: readonly Proof[]): Finding | undefined {
  const got = proofs.flatMap(({ address }) => (typeof address === "string" ? [address] : []));
  if (got.length < proofs.length) return undefined;
  const areDistinct = new Set(wanted).size === wanted.length;
  const isEach = wanted.every((address) => got.includes(address));
  const isNoOther = areDistinct ? got.length === wanted.length : got.every((address) => wanted.includes(address));
  const finding = must(isEach && isNoOther, "/result/value", `one proof for each of ${wanted.join(", ")}`, got);
  if (areDistinct) return finding;
  return finding.outcome === "broken" ? onlyWarning(finding) : undefined;
}

const keys = ["address", "higherRangeAddress", "lowerRangeAddress", "merkleTree", "root"];

/** @param asked an address of another length may have been asked for, and comes back then (OBS-NAP-LEN) */
const lengthsOf = (proof: Proof, at: string, asked: readonly Json[]): Finding | undefined =>
  worstOf([
    ...keys.map((name) =>
      name === "address" && asked.includes(proof[name] ?? null)
        ? undefined
        : hasLength(32, `${at}/${name}`, proof[name]),
    ),
    ...listOf(proof["proof"]).map((item, index) => hasLength(32, `${at}/proof/${index}`, item)),
  ]);

/** The end of every tree's range: addresses are hashes of 31 bytes. */
export const highestAddress = 2n ** 248n - 1n;

/**
 * What comes for an address that no tree can hold, as those of most accounts, is unspecified; so is what comes for one
 * that exists, which may be proved by its own leaf (OBS-NAP-EXISTS).
 */
function isBracketed(proof: Proof, at: string): Finding | undefined {
  const [low, address, high] = ["lowerRangeAddress", "address", "higherRangeAddress"].map((name) => {
    const text = proof[name];
    const bytes = typeof text === "string" ? base58Bytes(text) : null;
    return bytes?.length === 32 ? numberFromBytes(bytes) : null;
  });
  if (low == null || address == null || high == null || address >= highestAddress || low === address) return undefined;
  return must(
    low < address && address < high,
    `${at}/address`,
    "an address between lowerRangeAddress and higherRangeAddress",
    proof["address"],
  );
}

const newAddressProofs = law("getMultipleNewAddressProofs", "result", {
  "NAP-MAP-01": ({ params, any }) => {
    const wanted = listOf(params).filter((one): one is string => typeof one === "string");
    return wanted.length === 0 || wanted.length < listOf(params).length
      ? undefined
      : oneForEach(wanted, proofsIn(any("/result/value")));
  },
  "EXT-SOL-01": ({ any, params }) =>
    worstOf(
      proofsIn(any("/result/value")).map((proof, index) => lengthsOf(proof, `/result/value/${index}`, listOf(params))),
    ),
  "EXT-SOL-03": ({ any }) =>
    worstOf(proofsIn(any("/result/value")).map((proof, index) => isBracketed(proof, `/result/value/${index}`))),
});

/** 32 bytes take 32 to 44 characters. Decoding is exact, but too slow for a thousand accounts. */
const isOddLength = (text: string, exactly: boolean): boolean =>
  /^[1-9A-HJ-NP-Za-km-z]+$/.test(text) &&
  (text.length < 32 || text.length > 44 || (exactly && base58Bytes(text)?.length !== 32));

/** Token accounts are keys of the same chain. */
const tokenAccountKeys = law("getTokenAccounts", "result", {
  "EXT-SOL-01": ({ any }) => {
    const accounts = listOf(any("/result/token_accounts"));
    if (accounts.length === 0) return undefined;
    for (const [index, account] of accounts.entries()) {
      for (const name of ["address", "mint", "owner"]) {
        const text = valueAt(account, `/${name}`);
        if (typeof text === "string" && isOddLength(text, index === 0))
          return broken(`/result/token_accounts/${index}/${name}`, "32 bytes in base58", text);
      }
    }
    return held;
  },
});

export const laws: readonly Law[] = [newAddressProofs, tokenAccountKeys];
