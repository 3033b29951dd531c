// Owners and a mint, found in lists of token accounts: by mint, by owner, with the flag for empty ones (§4.3)
import { type Json, valueAt } from "../../harness/core/json.ts";
import { notSeen } from "../../harness/core/outcomes.ts";
import { givenAt, namePointer, pointerOf } from "../../harness/core/template.ts";
import type { CheckContext } from "../../harness/model/check.ts";
import type { SampleFinder, SampleNote } from "../../harness/model/sampleFinder.ts";
import type { Target } from "../../harness/targets/target.ts";
import { base58Bytes } from "../shared/base58.ts";
import { mint, owner, ownerWithEmptyAccounts, tokenAccounts } from "../shared/jsonRpcRequests.ts";
import { onlyServed } from "../shared/masked.ts";
import { accountsIn, emptyAccountsFlag, type Walk, walk } from "./walks.ts";

const most = 6;
const ofMint = pointerOf(mint);
const ofOwner = pointerOf(owner);
const ofEmpty = pointerOf(ownerWithEmptyAccounts);
const flagged = { options: { [emptyAccountsFlag]: true } };

/** Owners that the target gives; wallets in use may own accounts. */
const known = ({ assumptions = [], ...target }: Target): readonly string[] =>
  [ofOwner, "/samples/wallets/0", "/samples/wallets/1"]
    .filter((at) => !assumptions.some((assumed) => assumed.at === at && assumed.isMade))
    .map((at) => givenAt(target, at))
    .filter((text) => typeof text === "string");

/** The addresses at a member of accounts, the most frequent first. */
function addressesAt(at: string, accounts: readonly Json[]): readonly string[] {
  const all = accounts.map((account) => valueAt(account, at)).filter((text) => typeof text === "string");
  const count = (one: string): number => all.filter((other) => other === one).length;
  return [...new Set(all)].filter((one) => base58Bytes(one)?.length === 32).sort((a, b) => count(b) - count(a));
}

const accountsOn = ({ pages }: Walk): readonly Json[] => pages.flatMap(({ exchange }) => accountsIn(exchange));

async function find(context: CheckContext, wanted: readonly string[]): Promise<readonly SampleNote[]> {
  const isGiven = givenAt(context.target, ofMint) !== undefined;
  const listed = isGiven
    ? accountsIn(onlyServed(await context.ask(tokenAccounts({ mint, limit: 50 })), "the mint"))
    : [];
  const owners = [...new Set([...addressesAt("/owner", listed), ...known(context.target)])].slice(0, most);
  /** The longest of these lists: the first with two pages. */
  const longest = async (): Promise<readonly [whose: string, accounts: readonly Json[]]> => {
    let best: readonly [string, readonly Json[]] = ["", []];
    for (const whose of owners) {
      const walked = await walk(context, { by: "cursor", owner: whose, pages: 2 });
      if (accountsOn(walked).length > best[1].length) best = [whose, accountsOn(walked)];
      if (walked.pages[1]?.addresses.length) break;
    }
    if (best[1].length === 0)
      throw notSeen(`no owner has token accounts: ${owners.length} were tried; give \`samples.owner\``);
    return best;
  };
  const withEmpty = async (): Promise<string | undefined> => {
    for (const whose of owners) {
      const accounts = accountsOn(await walk(context, { by: "cursor", owner: whose, pages: 2, ...flagged }));
      if (accounts.some((account) => valueAt(account, "/amount") === 0)) return whose;
    }
    return undefined;
  };
  const note = (at: string, value: string | undefined, how: string): SampleNote =>
    value === undefined ? { at, by: "missing", value: null, how } : { at, by: "found", value, how };
  const notes: SampleNote[] = [];
  if (wanted.includes(ofOwner) || wanted.includes(ofMint)) {
    const [whose, accounts] = await longest();
    const how = `${accounts.length} accounts on at most two pages, the most of ${owners.length} owners`;
    if (wanted.includes(ofOwner)) notes.push(note(ofOwner, whose, how));
    if (wanted.includes(ofMint))
      notes.push(note(ofMint, addressesAt("/mint", accounts)[0], `from accounts of ${whose}`));
  }
  if (wanted.includes(ofEmpty))
    notes.push(note(ofEmpty, await withEmpty(), `by the flag for empty accounts, among ${owners.length} owners`));
  return notes;
}

export const ownersAndMint: SampleFinder = {
  feature: "tokenAccounts",
  // Two pages of each owner, with the flag and without; the list by mint is a check's, too.
  needs: { requests: Array.from({ length: 4 * most }, (_, again) => tokenAccounts({ limit: 50 }, { again })) },
  discoverable: (target) => {
    if (known(target).length === 0 && givenAt(target, ofMint) === undefined) return {};
    const canFlag = givenAt(target, namePointer(emptyAccountsFlag)) !== undefined;
    return Object.fromEntries([ofMint, ofOwner, ...(canFlag ? [ofEmpty] : [])].map((at) => [at, "1".repeat(32)]));
  },
  find,
};
