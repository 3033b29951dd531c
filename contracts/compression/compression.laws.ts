// Laws of new-address proofs and of base58 keys: addresses, ranges, lengths (§2.4, §4.3)
import { broken, type Finding, held, must } from "../../harness/core/finding.ts";
import { type Json, valueAt } from "../../harness/core/json.ts";
import { type Law, law, NotThere } from "../../harness/model/law.ts";
import { bytesOf, numberOf } from "../shared/base58.ts";

type Proof = { readonly [member: string]: Json };

const isObject = (value: Json | undefined): value is Proof =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** @throws NotThere where there is no list of proofs: schemas judge that */
function proofsIn(value: Json | undefined): readonly Proof[] {
  if (!Array.isArray(value) || !value.every(isObject)) throw new NotThere("/result/value");
  return value;
}

/** One proof per address, in any order (T-18); what comes for a repeated address is unspecified (OBS-NAP-DUP). */
function oneForEach(wanted: readonly string[], proofs: readonly Proof[]): Finding | undefined {
  const got = proofs.flatMap(({ address }) => (typeof address === "string" ? [address] : []));
  if (new Set(wanted).size < wanted.length || got.length < proofs.length) return undefined;
  const isWhole = got.length === wanted.length && wanted.every((address) => got.includes(address));
  return must(isWhole, "/result/value", `one proof for each of ${wanted.join(", ")}`, got);
}

const keys = ["address", "higherRangeAddress", "lowerRangeAddress", "merkleTree", "root"];

function lengthsOf(proof: Proof, at: string): Finding | undefined {
  const places = [
    ...keys.map((name) => [`${at}/${name}`, proof[name]] as const),
    ...listOf(proof["proof"]).map((item, index) => [`${at}/proof/${index}`, item] as const),
  ];
  const known = places.flatMap(([place, text]) => {
    const bytes = typeof text === "string" ? bytesOf(text) : null;
    return bytes ? [[place, text, bytes.length] as const] : [];
  });
  const odd = known.find(([, , length]) => length !== 32);
  return odd
    ? broken(odd[0], "32 bytes in base58", `${JSON.stringify(odd[1])}: ${odd[2]} bytes`)
    : known.length
      ? held
      : undefined;
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);

function isBracketed(proof: Proof, at: string): Finding | undefined {
  const [low, address, high] = ["lowerRangeAddress", "address", "higherRangeAddress"].map((name) => {
    const text = proof[name];
    const bytes = typeof text === "string" ? bytesOf(text) : null;
    return bytes?.length === 32 ? numberOf(bytes) : null;
  });
  if (low == null || address == null || high == null) return undefined;
  return must(
    low < address && address < high,
    `${at}/address`,
    "an address between lowerRangeAddress and higherRangeAddress",
    proof["address"],
  );
}

const first = (findings: readonly (Finding | undefined)[]): Finding | undefined =>
  findings.find((one) => one?.outcome === "broken") ?? findings.find((one) => one !== undefined);

const newAddressProofs = law("getMultipleNewAddressProofs", "result", {
  "NAP-MAP-01": ({ params, any }) => {
    const wanted = listOf(params).filter((one): one is string => typeof one === "string");
    return wanted.length === 0 || wanted.length < listOf(params).length
      ? undefined
      : oneForEach(wanted, proofsIn(any("/result/value")));
  },
  "EXT-SOL-01": ({ any }) =>
    first(proofsIn(any("/result/value")).map((proof, index) => lengthsOf(proof, `/result/value/${index}`))),
  "EXT-SOL-03": ({ any }) =>
    first(proofsIn(any("/result/value")).map((proof, index) => isBracketed(proof, `/result/value/${index}`))),
});

/** 32 bytes take 32 to 44 characters. Decoding is exact, but too slow for a thousand accounts. */
const isOddLength = (text: string, exactly: boolean): boolean =>
  /^[1-9A-HJ-NP-Za-km-z]+$/.test(text) &&
  (text.length < 32 || text.length > 44 || (exactly && bytesOf(text)?.length !== 32));

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
