// Probes of which refusal wins where several apply (§7).
import { canonical } from "../../harness/core/json.ts";
import { notSeen } from "../../harness/core/outcomes.ts";
import { keyHolder, type RequestSpec } from "../../harness/core/requestSpec.ts";
import type { Template } from "../../harness/core/template.ts";
import { type AnsweredExchange, fingerprintOf } from "../../harness/model/fingerprint.ts";
import type { Observe, Probe, ProbeContext, Seen } from "../../harness/model/probe.ts";
import { onRpc } from "../jsonrpc/probeRequests.ts";
import { controlOf } from "../shared/control.ts";
import { answersSeen, asUndescribed, seenAs } from "../shared/describeCalls.ts";
import { describeEnvelope } from "../shared/describeEnvelope.ts";
import { probesFor } from "../shared/forFeature.ts";
import { balance, compressed, owner, tokenAccounts } from "../shared/jsonRpcRequests.ts";
import { unknownKeyCarrier, unknownProjectId } from "../shared/probeRequests.ts";
import { ownersUsage, usageRequest } from "../shared/requestSpecs.ts";

const { experiment, requestProbe } = probesFor("usage");

const mismatchOrSwitch = { 400: "the mismatch wins", 403: "the switched-off interface wins" };

/** A server failure combined with other causes of a refusal. */
const lostBilling: readonly (readonly [name: string, requestSpec: RequestSpec])[] = [
  ["no billing data, and a foreign id", usageRequest({ as: "unbilled", of: "owner" })],
  ["no billing data, and an id that is no uuid", usageRequest({ as: "unbilled", of: { id: "abc" } })],
  ["no billing data, and an unknown key", usageRequest({ as: "unknownKey", of: "unbilled" })],
];
const winners: { readonly [status: number]: string } = {
  400: "the mismatch wins",
  401: "the key wins",
  403: "the switched-off interface wins",
  500: "the server failure wins",
};
const winnerOf = ({ answer: { status } }: AnsweredExchange): string => winners[status] ?? `answered ${status}`;

/** Twice the limit and two more, as in the check of the 429 itself. */
const length = 12;
const burstOf = (usageOf: Parameters<typeof usageRequest>[0]): readonly RequestSpec[] =>
  Array.from({ length }, (_, again) => usageRequest({ ...usageOf, again }));

const byUnknownKeys = burstOf({ as: "unknownKey" });

/** How many passed before the limit refused, in classes, as network delays move the exact number. */
function through(answers: readonly AnsweredExchange[]): string {
  const others = answers.filter(({ answer }) => answer.status !== 429).length;
  if (others === answers.length) return "never refused for its rate";
  if (others < 3) return "refused for its rate after fewer than 3";
  return others < 8 ? "refused for its rate after 3 to 7" : "refused for its rate after 8 or more";
}

function seenOf(name: string, answers: readonly AnsweredExchange[]): readonly Seen[] {
  if (answers.length === 0) throw notSeen("no request of the burst was answered");
  const bucket = through(answers);
  const statuses = new Map(answers.map((answered) => [answered.answer.status, answered]));
  return [...statuses.values()].map((answered) => ({
    fingerprint: fingerprintOf(answered, { case: name, bucket }),
    summary: bucket,
  }));
}

/** A burst after a rest, which both repeats describe. */
const burst = (id: Probe["id"], requestSpecs: readonly RequestSpec[], observe: Observe): Probe => {
  const afterRest = async (context: ProbeContext): Promise<readonly Seen[]> => {
    await context.rest();
    return observe(context);
  };
  const observeOnce: Observe = (context) => context.once(`burst of ${id}`, () => afterRest(context));
  return experiment(id, requestSpecs, observeOnce, { when: "isolated", asksOnce: true });
};

function burstBy(id: Probe["id"], name: string, usageOf: Parameters<typeof usageRequest>[0]): Probe {
  const requestSpecs = burstOf(usageOf);
  return burst(id, requestSpecs, async ({ atOnce, fresh }) => seenOf(name, await atOnce(requestSpecs.map(fresh))));
}

/** A baseline call of each error table, and the same with bad params. */
const rpcCalls = [
  ["getTokenAccounts", tokenAccounts({ owner, limit: 2 }), tokenAccounts({ owner, limit: 2, mint: 1 })],
  ["getCompressedBalance", balance({ address: compressed(0, "address") }), balance({ address: 5 })],
] as const;
const withEnvelope = (call: RequestSpec, envelope: object = {}): RequestSpec =>
  asUndescribed({ ...call, json: { ...(call.json as { readonly [member: string]: Template }), ...envelope } });
const byUnknownKey = (call: RequestSpec): RequestSpec => ({ ...call, carriers: [unknownKeyCarrier("query")] });
const wrongVersion = { jsonrpc: "1.0" };
const pairs: readonly (readonly [name: string, requestSpec: RequestSpec])[] = rpcCalls.flatMap(
  ([name, baseline, bad]) => [
    [`${name}: an unknown key, and bad params`, byUnknownKey(withEnvelope(bad))] as const,
    [`${name}: an unknown key, and jsonrpc "1.0"`, byUnknownKey(withEnvelope(baseline, wrongVersion))] as const,
    [`${name}: jsonrpc "1.0", and bad params`, withEnvelope(bad, wrongVersion)] as const,
  ],
);

/** Refusals for the rate without a burst: of a project without quota, which only control can make. */
async function overQuota({ project, atOnce, canAsk }: ProbeContext): Promise<readonly Seen[]> {
  const made = await project({ plan: { general: { perSecond: 50, burst: 50, quota: 0 } } });
  const faults = [["bad params", {}] as const, ['jsonrpc "1.0"', wrongVersion] as const];
  const carriers = [{ in: "query", key: { keyOf: made.asker } } as const];
  const named = rpcCalls.flatMap(([method, , bad]) =>
    (canAsk(bad) ? faults : []).map(([fault, envelope]) => {
      const call = { ...withEnvelope(bad, envelope), carriers };
      return { name: `${method}: no calls left, and ${fault}`, call };
    }),
  );
  const answers = await atOnce(named.map(({ call }) => call));
  return answers.flatMap((answered) => {
    const found = named.find(({ call }) => canonical(call.json) === canonical(answered.requestSpec.json));
    return found ? [seenAs(found.name, answered, describeEnvelope(answered))] : [];
  });
}

export const probes: readonly Probe[] = [
  requestProbe("OBS-PREC-400-403", {
    "key of a project with the interface off, the owner's id": {
      ask: usageRequest({ as: "adminOff", of: "owner" }),
      wins: mismatchOrSwitch,
    },
    "the owner's key, id of that project": {
      ask: usageRequest({ as: "owner", of: "adminOff" }),
      wins: mismatchOrSwitch,
    },
  }),
  requestProbe("OBS-PREC-UUID", {
    "key of a project with the interface off, an id that is no uuid": {
      ask: usageRequest({ as: "adminOff", of: { id: "abc" } }),
      wins: mismatchOrSwitch,
    },
  }),
  experiment(
    "OBS-PREC-500",
    lostBilling.map(([, requestSpec]) => requestSpec),
    async (context) => {
      const { project, ask, atOnce } = context;
      const seen = await Promise.all(
        lostBilling.map(async ([name, requestSpec]) => [name, await ask(requestSpec)] as const),
      );
      const off = await project({ admin: "disabled" });
      await off.setBillingData(false);
      seen.push(["no billing data, and the interface off", await ask(asUndescribed(usageRequest({ as: off.asker })))]);
      const throttled = await project();
      await throttled.setBillingData(false);
      await context.rest();
      const tooMany = await atOnce(
        Array.from({ length }, () => context.fresh(asUndescribed(usageRequest({ as: throttled.asker })))),
      );
      const single = seen.map(([name, answered]) => seenAs(name, answered, winnerOf(answered)));
      return [...single, ...seenOf("no billing data, and 12 at once", tooMany)];
    },
    { control: { reads: 2 * (length + 1), of: controlOf.billing }, when: "isolated" },
  ),
  burst("OBS-PREC-401-429", [...byUnknownKeys, ownersUsage], async ({ atOnce, fresh }) => {
    // The owner's comes last; after a burst, any other would have to rest.
    const answers = await atOnce([...byUnknownKeys, ownersUsage].map(fresh));
    const isUnknown = ({ requestSpec }: AnsweredExchange): boolean => keyHolder(requestSpec) === null;
    const refused = answers.filter(isUnknown);
    const owner = answers.find((one) => !isUnknown(one));
    if (!owner) throw notSeen("the owner's request got no answer after the burst");
    const spent = owner.answer.status === 429 ? "refused: the burst used up the owner's budget" : owner.answer.status;
    return [...seenOf("12 with an unknown key", refused), seenAs("the owner right after", owner, spent)];
  }),
  probesFor(onRpc).experiment(
    "OBS-PREC-RPC",
    pairs.map(([, requestSpec]) => requestSpec),
    async (context) => {
      const possible = Object.fromEntries(pairs.filter(([, requestSpec]) => context.canAsk(requestSpec)));
      const seen = await answersSeen(context, possible, describeEnvelope);
      return [...seen, ...(context.target.control ? await overQuota(context) : [])];
    },
    { suffices: "any" },
  ),
  burstBy("OBS-PREC-400-429", "12 of a project that isn't the key's", { as: "owner", of: { id: unknownProjectId } }),
  burstBy("OBS-PREC-403-429", "12 with the interface off", { as: "adminOff" }),
];
