// Bundles on a chain that really runs them: recent blockhashes, fees, rent and balances count, and auctions are lost.
import { expect, test } from "@playwright/test";
import { payerAddress } from "../support/bundles.ts";
import { type Habit, judgedOnChain, node } from "../support/chain.ts";
import { type OfTarget, outcomeOf } from "../support/probeSpecs.ts";
import { answered, answering, enveloped, payer, payingVendor } from "../support/vendorsInProcess.ts";
import { idsIn, mutantsLike, requirementOf, variantNamed } from "../support/wallets.ts";

const paying =
  (money: object): OfTarget =>
  (target) => {
    const { bundles, ...vendor } = payingVendor({ allow: ["sendBundle"] })(target);
    return { ...vendor, ...(bundles && { bundles: { ...bundles, ...money } }) };
  };

const commas = (lamports: number | bigint | undefined): string => Number(lamports).toLocaleString("en-US");

const habits: readonly Habit[] = ["refuse", "drop", "one of 3"];

/** Only control shows them. */
const byControl = idsIn(`
  SIM-SAFE-01 BST-NULL-02 BST-ELT-07 BST-CTX-01 BND-MEV-02 BND-MEV-03 BND-MEV-04 BND-REG-03
  BND-REG-04
`);

for (const habit of habits)
  test(`${habit}: all that can be seen from outside holds, for no more than the plan says`, async () => {
    const { verdicts, engine, exchanges, spent } = await judgedOnChain({ habit });
    expect(verdicts.filter(({ verdict }) => verdict !== "holds").map(({ id }) => id)).toEqual(byControl);
    const { calls, payments, signatures, deposits } = engine.plan.sends;
    expect(exchanges.filter(({ requestSpec }) => requestSpec.operation === "sendBundle").length).toBeLessThanOrEqual(
      calls,
    );
    expect(Number(spent[payer])).toBeGreaterThan(0);
    expect(Number(spent[payer])).toBeLessThanOrEqual(payments * 1_000 + signatures * 5_000 + deposits);
  });

test("a bundle that did not land is sent again with another blockhash, and a remark says how many landed", async () => {
  const outcome = await judgedOnChain({ habit: "one of 3", only: ["BST-SIG-01"] });
  expect(outcome.held).toEqual(["BST-SIG-01"]);
  expect(outcome.remarks).toEqual([
    "Bundles: 6 sent of at most 10, 6 accepted; 2 of the 6 that were waited for landed; " +
      `${commas(outcome.spent[payer])} lamports spent, of 120,000 lamports at most; ` +
      "blockhashes of the platform's getLatestBlockhash",
  ]);
  expect(outcome.calls.filter(({ method }) => method === "getLatestBlockhash").length).toBeGreaterThan(1);
});

test("where no bundle lands, the reason counts those that were sent", async () => {
  const { verdicts } = await judgedOnChain({ habit: "drop", serves: [], only: ["BST-SIG-01"] });
  expect(verdicts.map(({ reason }) => reason)).toEqual(["0 of our 5 bundles landed within 90 s"]);
});

test("blockhashes come from another address where the target names one, which gets no key", async () => {
  const target = paying({ blockhashFrom: node });
  const { held, calls } = await judgedOnChain({ serves: [], target, only: ["BND-LIM-01"] });
  expect(held).toEqual(["BND-LIM-01"]);
  expect(new Set(calls.map(({ url }) => url))).toEqual(new Set([node]));
});

const reasonsOf = ({ verdicts }: Awaited<ReturnType<typeof judgedOnChain>>) => [
  ...new Set(verdicts.map(({ reason }) => reason)),
];

test("a payer that can't pay for the plan is named before anything is sent, with what is lacking", async () => {
  const outcome = await judgedOnChain({ funds: { [payer]: 900_000n }, only: ["BND-LIM-01", "BND-TIP-02"] });
  const { payments, signatures } = outcome.engine.plan.sends;
  const most = payments * 1_000 + signatures * 5_000 + 890_880;
  expect(reasonsOf(outcome)).toEqual([
    `the payer ${payer} holds 900,000 lamports, and the plan may need ${commas(most)} lamports (tips, fees, ` +
      `and what an account must keep): fund it with ${commas(most - 900_000)} lamports more, ` +
      "or select less with --only",
  ]);
  expect(outcome.exchanges.filter(({ requestSpec }) => requestSpec.operation === "sendBundle")).toEqual([]);
});

/** What platforms without the method answer. */
const lacking: { readonly [how: string]: Parameters<typeof answering>[0] } = {
  "a failure": () => ({ status: 500, headers: [["content-type", "text/html"]], body: Buffer.from("<h1>Oops</h1>") }),
  "a refusal outside an envelope": () => answered(403, { message: "not on your plan" }),
  "a result without a blockhash": (request) => enveloped(request, { result: { context: { slot: 1 }, value: null } }),
  "a rate that is always exceeded": (request) =>
    enveloped(request, { error: { code: -32005, message: "Too many requests" } }),
};

for (const [how, answer] of Object.entries(lacking))
  test(`where getLatestBlockhash gets ${how}, bundles are judged as by a platform that looks at none`, async () => {
    const outcome = await outcomeOf({
      observe: [],
      only: ["BND-LIM-01"],
      target: paying({}),
      between: answering((request) =>
        /getLatestBlockhash|getBalance/.test(request.body ?? "") ? answer(request) : null,
      ),
    });
    expect(outcome.held).toEqual(["BND-LIM-01"]);
    expect(outcome.remarks[0]).toContain("; blockhashes made up, as the platform serves no getLatestBlockhash");
  });

test("a tip account that doesn't live is named before anything is sent", async () => {
  const dead = payerAddress("nobody");
  const outcome = await judgedOnChain({ target: paying({ tipAccount: dead }), only: ["BND-LIM-01"] });
  expect(reasonsOf(outcome)).toEqual([expect.stringMatching(`^the tip account ${dead} holds 0 lamports`)]);
});

for (const id of idsIn("BND-ATOM-01.partial BND-ATOM-01.skip-failing BND-SEQ-01.reversed"))
  test(`${id} is found on a vendor, by balances on its chain`, async () => {
    const outcome = await judgedOnChain({ only: ["BND-ATOM-01", "BND-SEQ-01"], choice: variantNamed(id) });
    expect(outcome.broken).toContain(requirementOf(id));
  });

const controlled: OfTarget = (target) => ({
  ...target,
  offers: ["bundles"],
  ...(target.bundles && { bundles: { ...target.bundles, blockhashFrom: node } }),
});

const planted = mutantsLike(/^(?:BND|BST|SIM|EXT-SOL-02|AUTH-RPC-BUNDLE-01)\b/);

// One of eight on a push.
for (const [nth, id] of planted.entries())
  test(`${id} is found where bundles really run`, { tag: nth % 8 === 0 ? [] : "@slow" }, async () => {
    const named = requirementOf(id);
    const target = controlled;
    const { broken } = await judgedOnChain({ target, only: [named, "BST-SLOT-02"], choice: variantNamed(id) });
    expect(broken).toContain(named);
  });
