// Tests of chain profiles: what they fill in, and that a fact that is false there is a question, never a breach.
import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { wholeSuite } from "../../cli/suite.ts";
import { chainFacts, factsFor } from "../../contracts/chainProfile.ts";
import { base58Bytes } from "../../contracts/shared/base58.ts";
import { targetForm } from "../../contracts/targets.ts";
import type { RequirementId } from "../../harness/core/interface.ts";
import { type Json, valueAt } from "../../harness/core/json.ts";
import { givenAt, supplemented } from "../../harness/core/template.ts";
import type { Assumption, Target } from "../../harness/targets/target.ts";
import { readTarget } from "../../harness/targets/targetFile.ts";
import { mutants } from "../../reference/generated/mutants.ts";
import { rpcErrors } from "../../specs/generated/operations.ts";
import { outcomeOf, type Trial } from "../support/probeSpecs.ts";
import { smallEnvironment, smallTarget, targetFile } from "../support/vendor.ts";
import { answered, answering, enveloped, payingVendor } from "../support/vendorsInProcess.ts";

const rows = Object.values(chainFacts()).flat();
const mainnet = factsFor({ document: { chain: "solana-mainnet" } });

const read = (yaml: string): Target =>
  readTarget(targetForm, targetFile(`${smallTarget("https://vendor.example")}\n${yaml}`), smallEnvironment);

test("each fact says what it is for and where it is published, and each chain can be named", () => {
  for (const row of rows) {
    expect([row.for.length > 10, row.published.length > 5, row.values.length > 0]).toEqual([true, true, true]);
    const addresses = row.fills === "/samples/domains/*" ? [] : row.values;
    expect(addresses.filter((address) => base58Bytes(address)?.length !== 32)).toEqual([]);
  }
  const schema = JSON.parse(readFileSync("targets/target.schema.json", "utf8")) as Json;
  expect(valueAt(schema, "/properties/chain/enum")).toEqual([...Object.keys(chainFacts()), "none"]);
});

test("a chain fills in what the target file leaves out, and what is given stays", () => {
  const wallet = "5esGTe7gDxMcXo97WWuPRha9NDjvoVvf3bXkZeLRyUzv";
  const { samples, bundles, assumptions = [] } = read(`chain: solana-mainnet\nsamples: { wallets: [${wallet}] }`);
  expect(samples).toMatchObject({ wallets: [wallet], domains: ["toly.sol", "miester.bonk"], mint: mainnet[0]?.value });
  expect(bundles?.tipAccount).toBe("96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5");
  expect(assumptions.filter(({ at }) => at.startsWith("/samples/wallets"))).toEqual([]);
});

test("without a chain, and with `none`, nothing is filled in", () => {
  for (const yaml of ["", "chain: none"]) expect(read(yaml)).toMatchObject({ samples: {}, assumptions: [] });
});

/** A vendor that may be sent bundles, with these facts instead of samples. */
const withFacts =
  (facts: readonly Assumption[]) =>
  (target: Target): Target => {
    const vendor = payingVendor({ offers: target.offers, allow: ["sendBundle", "paidProbes"] })(target);
    const tip = facts.find(({ at }) => at === "/bundles/tipAccount");
    const filling = facts.filter((fact) => fact !== tip);
    return {
      ...vendor,
      assumptions: facts,
      samples: filling.reduce<Target["samples"]>((samples, { at, value }) => supplemented(samples, at, value), {}),
      ...(tip && vendor.bundles ? { bundles: { ...vendor.bundles, tipAccount: tip.value } } : {}),
    };
  };

async function judged(trial: Trial) {
  const { verdicts } = await outcomeOf({ suite: wholeSuite, observe: [], ...trial });
  const wrong = verdicts.filter(({ verdict }) => verdict === "broken" || verdict === "inconclusive");
  const questioned = verdicts.filter(({ reason }) => reason?.includes("may not exist on this platform"));
  return { wrong: wrong.map(({ id }) => id), questioned: questioned.map(({ id }) => id) };
}

const words = new Map(rpcErrors.tokenAccounts.map(({ code, message }) => [code, message]));

/** Requests that show one of these facts are refused in that way. */
const refusing = (facts: readonly Assumption[], status: number, code: number) =>
  answering((request) => {
    const isShown = ({ value }: Assumption): boolean => `${request.url} ${request.body ?? ""}`.includes(value);
    if (!facts.some(isShown)) return null;
    if (request.url.includes("/v1/wallet/")) return answered(status, { message: "Not Found" });
    return enveloped(request, { error: { code, message: words.get(code) } });
  });

const ofPlace = (part: string): readonly Assumption[] => mainnet.filter(({ at }) => at.includes(part));
const vendor = withFacts(mainnet);
const ofWallets = (target: Target): Target => vendor({ ...target, offers: ["usage", "wallet"] });

for (const [what, facts, status, code, asked, target] of [
  ["whose wallets are not found on a vendor of wallets", ofPlace("wallets"), 404, -32004, "WAL-BAL-01", ofWallets],
  ["whose wallets are not found", ofPlace("wallets"), 404, -32004, "WAL-BAL-01", vendor],
  ["whose wallets are refused", ofPlace("wallets"), 403, -32003, "WAL-FREE-04", vendor],
  ["whose domains are malformed there", ofPlace("domains"), 400, -32602, "WAL-ID-02", vendor],
  ["whose mint is not found", ofPlace("mint"), 404, -32004, null, vendor],
  ["that are all false", mainnet, 422, -32602, null, vendor],
] as const)
  test(`facts ${what} accuse nobody`, { tag: target === ofWallets ? [] : "@slow" }, async () => {
    const { wrong, questioned } = await judged({ target, between: refusing(facts, status, code) });
    expect(wrong).toEqual([]);
    if (asked !== null) expect(questioned).toContain(asked);
  });

test("facts that the platform confirms count like samples: what is broken there is found", async () => {
  const own = (target: Target): Target => {
    const facts = [
      "/samples/wallets/0",
      "/samples/wallets/1",
      "/samples/domains/0",
      "/samples/domains/1",
      "/samples/mint",
    ];
    return withFacts(
      facts.map(
        (at): Assumption => ({ at, value: givenAt(target, at) as string, source: "a profile of the reference" }),
      ),
    )(target);
  };
  const killed: readonly RequirementId[] = ["WAL-BATCH-02", "WAL-BATCH-03", "WAL-BALAT-01", "WAL-FREE-03", "TA-FLT-01"];
  for (const id of killed) {
    const choice = mutants.find((mutant) => mutant.id.startsWith(`${id}.`));
    const { wrong } = await judged({ target: own, only: [id], ...(choice ? { choice } : {}) });
    expect(wrong).toContain(id);
  }
});
