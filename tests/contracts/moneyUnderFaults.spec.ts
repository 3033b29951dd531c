// Money under faults: what goes out that costs, whatever comes back; a table of faults by kinds of calls
import { expect, test } from "@playwright/test";
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { unspecifiedBehaviour } from "../../harness/core/interface.ts";
import { Inconclusive } from "../../harness/core/outcomes.ts";
import type { WireAnswer, WireRequest } from "../../harness/transport/wire.ts";
import { WireFault } from "../../harness/transport/wireFault.ts";
import { type MoneyFault, moneyFaults } from "../support/moneyFaults.ts";
import { type Between, type OfTarget, type Outcome, outcomeOf, type Trial } from "../support/probeSpecs.ts";
import { isBundle, payingVendor } from "../support/vendorsInProcess.ts";

interface Sent {
  readonly request: WireRequest;
  /** In virtual time. */
  readonly at_ms: number;
}

/** The answer as a fault has it; what never comes is a timeout. */
const outcomeOfFault = ({ how }: MoneyFault, request: WireRequest): Promise<WireAnswer | WireFault> =>
  Promise.race([
    how(request).catch((error: unknown) => error as WireFault),
    new Promise<WireFault>((resolve) => setTimeout(resolve, 1, new WireFault("timeout", "made"))),
  ]);

/** A run in virtual time on a platform whose answers to some requests meet a fault. */
async function runUnder(
  fault: MoneyFault,
  meets: (request: WireRequest, nth: number) => boolean,
  trial: Trial,
): Promise<Outcome & { readonly sent: readonly Sent[]; readonly keys: readonly string[] }> {
  const sent: Sent[] = [];
  const keys: string[] = [];
  const between: Between = (wire, clock) => async (request, signal) => {
    sent.push({ request, at_ms: clock.now_ms() });
    if (!meets(request, sent.length)) return wire(request, signal);
    if (fault.isTaken) await wire(request, signal);
    return fault.how(request);
  };
  const generator: Trial["generator"] = (usual) => ({
    ...usual,
    fire: async (timedRequests) => {
      const answers = await usual.fire(timedRequests);
      return Promise.all(
        answers.map(async (answer, nth) => {
          const { request, at_ms } = timedRequests[nth] ?? fail();
          sent.push({ request, at_ms });
          return meets(request, sent.length) ? { ...answer, outcome: await outcomeOfFault(fault, request) } : answer;
        }),
      );
    },
  });
  const target: OfTarget = (given) => {
    keys.push(...[...given.keys.values()].map(({ secret }) => secret.open()));
    return (trial.target ?? ((same) => same))(given);
  };
  return { sent, keys, ...(await outcomeOf({ generator, ...trial, target, between, deadline_ms: 20 })) };
}

const fail = (): never => {
  throw new Error("an answer without a request");
};

const transactionsIn = (sent: readonly Sent[]): readonly string[] =>
  sent.flatMap(({ request }) =>
    isBundle(request) ? JSON.stringify((JSON.parse(String(request.body)) as { params: unknown[] }).params[0]) : [],
  );
/** How often the same call went out again. What a check repeats on purpose, and the plan counts, has its own id. */
const repeatsIn = (sent: readonly Sent[]): number => {
  const bodies = sent.flatMap(({ request }) => (isBundle(request) ? [request.body] : []));
  return bodies.length - new Set(bodies).size;
};

/** Each wallet call with a key that the platform knows costs 100 credits (§4.2). */
const creditsOf = (sent: readonly Sent[], keys: readonly string[]): number =>
  100 *
  sent.filter(({ request: { url, headers } }) => {
    const { pathname, searchParams } = new URL(url);
    const given = [
      searchParams.get("api-key"),
      ...headers.flatMap(([name, value]) => (name.toLowerCase() === "x-api-key" ? [value] : [])),
    ];
    return pathname.startsWith("/v1/wallet") && given.some((key) => key !== null && keys.includes(key));
  }).length;

const paying = payingVendor({ allow: ["sendBundle"] });

for (const [name, fault] of Object.entries(moneyFaults))
  test(`${name} of bundles: none goes out twice that the plan doesn't pay for, and all are charged`, async () => {
    const { sent, engine } = await runUnder(fault, isBundle, { target: paying, observe: [] });
    const { plan, spent } = engine;
    expect(transactionsIn(sent).length).toBeGreaterThan(0);
    expect(repeatsIn(sent)).toBeLessThanOrEqual(fault.isRefusal ? plan.resends : 0);
    expect(transactionsIn(sent).length).toBeLessThanOrEqual(plan.sends.calls + plan.resends);
    expect(spent.requests).toBe(sent.length);
    expect([...new Set(sent.map(({ request }) => new URL(request.url).origin))]).toHaveLength(1);
  });
const everything = ["usage", "wallet", "bundles", "compression", "tokenAccounts"] as const;
const meetings = { "all requests": () => true, "every third request": (_: WireRequest, nth: number) => nth % 3 === 0 };
const budget = { credits: 2_000, requests: 300 };
/** Probes that must not run, unless checks pay for what they see. */
const withoutConsent = ({ engine: { plan } }: Outcome): ReadonlySet<string> =>
  new Set(
    plan.probes.flatMap(({ probe: { id, isPaidFor } }) => {
      const { safety } = unspecifiedBehaviour(dataPlatform, id);
      return safety === "safe" || safety === "white" || (safety === "paid" && isPaidFor) ? [] : [id];
    }),
  );
/** Paced requests to three APIs; a burst is of twelve. */
const mostAtOnce = 8;

for (const [name, fault] of Object.entries(moneyFaults))
  for (const [which, meets] of Object.entries(meetings)) {
    test(`${name} of ${which}: without consent nothing goes out that needs it`, { tag: "@slow" }, async () => {
      const target = payingVendor({ allow: [], offers: everything, perSecond: 5, budget });
      const result = await runUnder(fault, meets, { target, suite: "everything", hasSchedules: true });
      const { sent, observed } = result;
      isCharged(result);
      expect(transactionsIn(sent)).toEqual([]);
      const forbidden = withoutConsent(result);
      expect(observed.flatMap(({ id, state }) => (forbidden.has(id) && state !== "withheld" ? [id] : []))).toEqual([]);
      const most = sent.map(({ at_ms }) => sent.filter((one) => one.at_ms === at_ms).length);
      expect(Math.max(...most)).toBeLessThanOrEqual(mostAtOnce);
    });
    test(`${name} of ${which}: with every consent no more is spent than the budget, and all is counted`, {
      tag: "@slow",
    }, async () => {
      const target = payingVendor({ allow: ["sendBundle", "throttle", "paidProbes"], offers: everything, budget });
      const result = await runUnder(fault, meets, { target, suite: "everything", hasSchedules: true });
      isCharged(result);
      const { plan } = result.engine;
      expect(transactionsIn(result.sent).length).toBeLessThanOrEqual(plan.sends.calls + plan.resends);
    });
  }

function isCharged({ sent, keys, engine: { spent }, verdicts }: Awaited<ReturnType<typeof runUnder>>): void {
  expect(spent.requests).toBe(sent.length);
  expect(spent.requests).toBeLessThanOrEqual(budget.requests);
  expect(spent.credits).toBeGreaterThanOrEqual(creditsOf(sent, keys));
  expect(spent.credits).toBeLessThanOrEqual(budget.credits);
  const isSpent = spent.requests === budget.requests || spent.credits === budget.credits;
  // What was refused for its rate to the end says so, too, where the budget only keeps it from being asked again.
  const explanation = /the budget of|still rate-limited .* after \d+ waits/;
  if (isSpent) expect(verdicts.some(({ reason }) => explanation.test(reason ?? ""))).toBe(true);
}

test("bundles of a schedule that may have gone out aren't sent again for another check", async () => {
  const target = payingVendor({ allow: ["sendBundle", "throttle"], quiet: true });
  const fired: string[] = [];
  const { engine } = await outcomeOf({
    target,
    suite: "contracts and limits",
    hasSchedules: true,
    only: ["RATE-SB-01", "RATE-SB-02", "RATE-SB-03", "RATE-SB-04", "RATE-SB-05"],
    observe: [],
    generator: (usual) => ({
      ...usual,
      fire: async (timedRequests) => {
        fired.push(...timedRequests.flatMap(({ request }) => (isBundle(request) ? (request.body ?? "") : [])));
        await usual.fire(timedRequests);
        throw new Inconclusive("the generator was saturated");
      },
    }),
  });
  // The plan pays twice for each, as a breach must show a second time.
  expect(fired.length).toBeGreaterThan(50);
  expect(fired.length).toBeLessThanOrEqual(engine.plan.sends.calls / 2);
});
