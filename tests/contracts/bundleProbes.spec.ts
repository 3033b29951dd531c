// Does each probe of bundles see the choice that it looks for, and does no check take the choice for a breach?

import { expect, test } from "@playwright/test";
import { textOf } from "../../contracts/shared/base58.ts";
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { suite } from "../../contracts/suite.ts";
import { unspecifiedBehaviour } from "../../harness/core/interface.ts";
import { canonical } from "../../harness/core/json.ts";
import { Secret } from "../../harness/core/secret.ts";
import { Engine, type EngineOptions } from "../../harness/engine/engine.ts";
import type { Observed } from "../../harness/model/probe.ts";
import type { Suite } from "../../harness/model/suite.ts";
import type { Target } from "../../harness/target/target.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { landedBundles } from "../../reference/bundles/landed.ts";
import { honestBundles } from "../../reference/bundles/rules.ts";
import type { BundleChange, BundleChoice } from "../../reference/platform/bundleRules.ts";
import { changed } from "../../reference/platform/change.ts";
import type { RpcChange } from "../../reference/platform/rpcRules.ts";
import type { ResponseMutation, WireAnswer } from "../../reference/platform/wire.ts";
import { type ObservationId, observations } from "../../specs/generated/observations.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";

interface Choice {
  readonly sees: ObservationId;
  readonly title: string;
  readonly rpc?: RpcChange;
  readonly answer?: ResponseMutation;
  /** Rules on both sides of the comparison. */
  readonly always?: RpcChange;
  /** What only the changed side's target says. */
  readonly target?: (target: Target) => Target;
  /** Advisory standards that the choice does go against. */
  readonly warned?: readonly RequirementId[];
}

const rules = (bundles: BundleChange): Pick<Choice, "rpc"> => ({ rpc: { bundles } });
const sends = (choices: NonNullable<BundleChoice["sends"]>): Pick<Choice, "rpc"> =>
  rules({ choices: { sends: choices } });
const statuses = (choices: NonNullable<BundleChoice["statuses"]>): Pick<Choice, "rpc"> =>
  rules({ choices: { statuses: choices } });
const simulation = (choices: NonNullable<BundleChoice["simulation"]>): Pick<Choice, "rpc"> =>
  rules({ choices: { simulation: choices } });
const refusal = (cause: "params" | "key" | "rate" | "server", code: number, message: string): RpcChange => ({
  refusals: { bundles: { [cause]: { code, message } } },
});
/** Ids are made otherwise, those of the target's samples too. */
const ids = (change: BundleChange): Pick<Choice, "rpc" | "target"> => ({
  ...rules(change),
  target: (target) => ({
    ...target,
    samples: {
      ...target.samples,
      landedBundles: landedBundles("", changed(honestBundles, change)).map(({ id }) => id),
    },
  }),
});
/** Envelopes of calls of sendBundle whose id is a text. */
const ofTextIds = (change: (body: object, id: string) => object): ResponseMutation => {
  const changed = (answer: WireAnswer, id: string): WireAnswer => ({
    ...answer,
    body: change(answer.body as object, id) as WireAnswer["body"] & object,
  });
  return (answer, { rpc }) =>
    rpc?.method === "sendBundle" && typeof rpc.id === "string" && !rpc.keyCause ? changed(answer, rpc.id) : answer;
};
const minute_ms = 60_000;

/** None of them breaks a sentence of the interface. */
const choices: readonly Choice[] = [
  {
    sees: "OBS-BND-CODES",
    title: "params are refused in other words",
    rpc: refusal("params", -32602, "failed to deserialize the bundle"),
  },
  {
    sees: "OBS-BND-CODES",
    title: "params are refused as no request",
    rpc: refusal("params", -32600, "Invalid Request"),
  },
  {
    sees: "OBS-BND-CODES",
    title: "params are refused with the code of server errors",
    rpc: refusal("params", -32000, "bundle rejected"),
  },
  {
    sees: "OBS-BND-CODES",
    title: "params are refused with the code of internal errors",
    rpc: refusal("params", -32603, "Internal error"),
  },
  {
    sees: "OBS-BND-CODES",
    title: "params are refused with a code of the platform's own",
    rpc: refusal("params", -32087, "bundle rejected"),
  },
  {
    sees: "OBS-BND-CODES",
    title: "params are refused with a positive code",
    rpc: refusal("params", 4001, "bundle rejected"),
  },
  { sees: "OBS-BND-CODES", title: "errors come with HTTP statuses of their own", rpc: { errorStatus: "by cause" } },
  { sees: "OBS-BND-CODES", title: "what is no transaction is no request", ...sends({ undecodable: "invalid" }) },
  { sees: "OBS-BND-CODES", title: "what is no transaction is an internal error", ...sends({ undecodable: "server" }) },
  {
    sees: "OBS-BND-CODES",
    title: "what is no transaction is a server error",
    rpc: { ...sends({ undecodable: "server" }).rpc, ...refusal("server", -32000, "transaction 0 can't be decoded") },
  },
  { sees: "OBS-BND-CODES", title: "a bad key is told in other words", rpc: refusal("key", -32001, "Invalid API key") },
  {
    sees: "OBS-BND-B64DEFAULT",
    title: "base64 is read where no encoding is named",
    ...sends({ unnamedBase64: "read" }),
  },
  {
    sees: "OBS-BND-B64DEFAULT",
    title: "what isn't base58 is told apart from what is no transaction",
    ...sends({ misspelled: "invalid" }),
  },
  { sees: "OBS-BND-ENCCASE", title: "encodings are known in any case", ...sends({ encodingNames: "in any case" }) },
  { sees: "OBS-BND-ENCCASE", title: "an empty encoding is none", ...sends({ emptyEncoding: "as absent" }) },
  {
    sees: "OBS-BND-ENCCASE",
    title: "null is refused for the encoding and for options",
    ...sends({ nulls: "refused" }),
  },
  { sees: "OBS-BND-ENCCASE", title: "unknown options are refused", ...sends({ unknownOptions: "refused" }) },
  { sees: "OBS-BND-ENCCASE", title: "encodings are looked at before texts", ...sends({ undecodable: "invalid" }) },
  { sees: "OBS-BND-B64URL", title: "url-safe base64 is read", ...sends({ base64: "url-safe too" }) },
  { sees: "OBS-BND-B64URL", title: "unpadded base64 is read", ...sends({ base64: "unpadded too" }) },
  {
    sees: "OBS-BND-B64URL",
    title: "white space in base64 is passed over",
    ...sends({ base64: "with white space too" }),
  },
  { sees: "OBS-BND-STRID", title: "texts for ids are refused", ...sends({ stringIds: "refused" }) },
  {
    sees: "OBS-BND-STRID",
    title: "texts for ids are refused, without an echo",
    ...sends({ stringIds: "refused" }),
    answer: ofTextIds((body) => ({ ...body, id: null })),
  },
  {
    sees: "OBS-BND-STRID",
    title: "digits for ids are echoed as numbers",
    answer: ofTextIds((body, id) => ({ ...body, id: /^\d+$/.test(id) ? Number(id) : id })),
  },
  { sees: "OBS-BND-MEVVAL", title: "1, yes and TRUE are true", ...sends({ mevTexts: "true" }) },
  { sees: "OBS-BND-MEVVAL", title: "1, yes and TRUE are refused", ...sends({ mevTexts: "refused" }) },
  { sees: "OBS-BND-MEVVAL", title: "mev-protect without a text is true", ...sends({ emptyMev: "true" }) },
  { sees: "OBS-BND-MEVVAL", title: "mev-protect without a text is refused", ...sends({ emptyMev: "refused" }) },
  {
    sees: "OBS-BND-MEVVAL",
    title: "flags are looked at before texts",
    ...sends({ mevTexts: "refused", routed: "before them", undecodable: "invalid" }),
    always: { bundles: { choices: { sends: { mevTexts: "refused", undecodable: "invalid" } } } },
  },
  { sees: "OBS-BND-REGION", title: "unknown regions are ignored", ...sends({ unknownRegions: "ignored" }) },
  { sees: "OBS-BND-REGION", title: "regions are known in any case", ...sends({ regionCase: "any" }) },
  { sees: "OBS-BND-REGION", title: "an empty region is none", ...sends({ emptyRegion: "as absent" }) },
  {
    sees: "OBS-BND-REGION",
    title: "the first of several regions counts",
    ...sends({ regionLists: "the first counts" }),
  },
  {
    sees: "OBS-BND-REGION",
    title: "regions are looked at before texts",
    ...sends({ routed: "before them", undecodable: "invalid" }),
    always: { bundles: { choices: { sends: { undecodable: "invalid" } } } },
  },
  { sees: "OBS-BND-REGOTHER", title: "flag and region are refused elsewhere", ...statuses({ others: "refused" }) },
  {
    sees: "OBS-BND-REGOTHER",
    title: "unknown flags and regions are refused elsewhere",
    ...statuses({ others: "unknown values refused" }),
  },
  { sees: "OBS-BND-RESEND", title: "a bundle is taken once", ...rules({ resent: "refused" }) },
  { sees: "OBS-BND-DUPTX", title: "a transaction may be in a bundle once", ...sends({ duplicates: "refused" }) },
  {
    sees: "OBS-BND-RESEND",
    title: "a bundle that has landed isn't taken again",
    ...rules({ resent: "refused once it has landed" }),
  },
  {
    sees: "OBS-BND-TIP",
    title: "twice as much is needed, and the target knows",
    ...rules({ leastTip: 2000n }),
    target: (target) => ({
      ...target,
      ...(target.bundles ? { bundles: { ...target.bundles, tipLamports: 2000 } } : {}),
    }),
  },
  { sees: "OBS-BND-TIP", title: "half as much is enough", ...rules({ leastTip: 500n }) },
  { sees: "OBS-BND-TIP", title: "one lamport is enough", ...rules({ leastTip: 1n }) },
  { sees: "OBS-BND-TIP", title: "no lamport is enough", ...rules({ leastTip: 0n }) },
  { sees: "OBS-BND-IDENC", title: "ids are hex in capitals", ...ids({ idForm: "HEX" }) },
  { sees: "OBS-BND-IDENC", title: "ids are base58", ...ids({ idForm: "base58" }) },
  { sees: "OBS-BND-IDENC", title: "ids are base64", ...ids({ idForm: "base64" }) },
  { sees: "OBS-BND-IDENC", title: "ids are base64 for addresses", ...ids({ idForm: "base64url" }) },
  { sees: "OBS-BND-IDENC", title: "ids are hex behind 0x", ...ids({ idForm: "0x hex" }) },
  ...(["HEX", "0x hex", "base58", "base64", "base64url"] as const).map(
    (idForm): Choice => ({
      sees: "OBS-BND-IDENC",
      title: `ids are ${idForm}, and other texts are refused`,
      ...ids({ idForm, choices: { statuses: { malformed: "refused" } } }),
    }),
  ),
  { sees: "OBS-BND-IDRULE", title: "signatures run together", ...ids({ id: "signatures run together" }) },
  { sees: "OBS-BND-IDRULE", title: "signatures are hashed as bytes", ...ids({ id: "raw bytes" }) },
  {
    sees: "OBS-BND-IDRULE",
    title: "signatures are hashed behind their count",
    ...ids({ id: "raw bytes behind their count" }),
  },
  { sees: "OBS-BND-INVALIDRATE", title: "what is refused doesn't count", rpc: { envelope: { limitJudged: "last" } } },
  {
    sees: "OBS-BND-INVALIDRATE",
    title: "too many are refused like bad params",
    rpc: refusal("rate", -32602, "Invalid params"),
  },
  {
    sees: "OBS-RATE-SB-REFUSAL",
    title: "too many are refused with another code",
    rpc: refusal("rate", -32429, "rate limited"),
    warned: ["EXT-JR-08"],
  },
  {
    sees: "OBS-RATE-SB-REFUSAL",
    title: "too many are refused in other words",
    rpc: refusal("rate", -32097, "Network congested. Endpoint is globally rate limited."),
  },
  {
    sees: "OBS-RATE-SB-REFUSAL",
    title: "too many are refused with the code of server errors",
    rpc: refusal("rate", -32000, "slow down"),
  },
  { sees: "OBS-RATE-SB-REFUSAL", title: "too many are refused with HTTP 429", rpc: { errorStatus: "by cause" } },

  {
    sees: "OBS-BST-CODES",
    title: "params are refused as no request",
    rpc: refusal("params", -32600, "Invalid Request"),
  },
  {
    sees: "OBS-BST-CODES",
    title: "params are refused with the code of server errors",
    rpc: refusal("params", -32000, "bundle rejected"),
  },
  { sees: "OBS-BST-CODES", title: "a bad key is told in other words", rpc: refusal("key", -32001, "Invalid API key") },
  { sees: "OBS-BST-CODES", title: "errors come with HTTP statuses of their own", rpc: { errorStatus: "by cause" } },
  { sees: "OBS-BST-EMPTY", title: "an empty list is refused", ...statuses({ emptyList: "refused" }) },
  { sees: "OBS-BST-DUP", title: "an id asked twice is told once", ...statuses({ duplicates: "told once" }) },
  {
    sees: "OBS-BST-DUP",
    title: "an id asked twice is told once, then null",
    ...statuses({ duplicates: "told once, then null" }),
  },
  { sees: "OBS-BST-DUP", title: "an id asked twice is refused", ...statuses({ duplicates: "refused" }) },
  { sees: "OBS-BST-BADID", title: "what is no id is refused", ...statuses({ malformed: "refused" }) },
  { sees: "OBS-BST-BADID", title: "ids are known in any case", ...statuses({ idCase: "any" }) },
  { sees: "OBS-BST-BADID", title: "what is no text is nothing that landed", ...statuses({ nonTexts: "null" }) },
  { sees: "OBS-BST-FLAT", title: "flat params are taken too", ...statuses({ flat: "taken too" }) },
  { sees: "OBS-BST-ERR", title: "an error is a text in Err", ...statuses({ failure: "in Err" }) },
  { sees: "OBS-BST-ERR", title: "an error says that Ok is false", ...statuses({ failure: "Ok is false" }) },
  { sees: "OBS-BST-ERR", title: "a bundle that failed isn't told of", ...statuses({ failure: "not told of" }) },
  { sees: "OBS-BST-TRANS", title: "what is processed isn't told of", ...statuses({ stages: "from confirmed on" }) },
  { sees: "OBS-BST-TRANS", title: "what isn't final isn't told of", ...statuses({ stages: "finalized alone" }) },
  {
    sees: "OBS-BST-TRANS",
    title: "what was confirmed is processed once more",
    ...statuses({ stages: "with a step back" }),
  },
  { sees: "OBS-BST-AGE", title: "statuses are kept for five minutes", ...statuses({ kept_ms: 5 * minute_ms }) },
  { sees: "OBS-BST-AGE", title: "statuses are kept for two hours", ...statuses({ kept_ms: 120 * minute_ms }) },
  { sees: "OBS-BST-SIGORDER", title: "signatures are told backwards", ...statuses({ signatureOrder: "reversed" }) },
  {
    sees: "OBS-BST-EXTRA",
    title: "statuses and errors have further members",
    ...statuses({ members: "further ones" }),
  },

  { sees: "OBS-SIM-PARAMS", title: "an empty bundle can be simulated", ...simulation({ ofNothing: "succeeds" }) },
  { sees: "OBS-SIM-PARAMS", title: "what is no transaction is no request", ...sends({ undecodable: "invalid" }) },
  {
    sees: "OBS-SIM-PARAMS",
    title: "an object without transactions can be simulated",
    ...simulation({ params: "an object", ofNothing: "succeeds" }),
  },
  { sees: "OBS-SIM-RESULT", title: "params are an object", ...simulation({ params: "an object" }) },
  {
    sees: "OBS-SIM-RESULT",
    title: "each transaction is told of",
    ...simulation({ result: "transaction by transaction" }),
  },
  { sees: "OBS-SIM-RESULT", title: "the result is a text", ...simulation({ result: "a text" }) },
  { sees: "OBS-SIM-RESULT", title: "the result is null", ...simulation({ result: "null" }) },
];

const alone: Suite = { ...suite, checks: [] };
const onlyHere = (target: Target): Target => ({ ...target, offers: ["bundles"] });

interface Judged {
  readonly observed: readonly Observed[];
  readonly broken: readonly string[];
  readonly inconclusive: readonly string[];
}

async function judged(
  judges: Suite,
  { rpc, answer, target = (given) => given }: Partial<Choice>,
  observe: readonly ObservationId[],
): Promise<Judged> {
  const observed: Observed[] = [];
  const mutant =
    rpc || answer
      ? { id: "another choice", ...(rpc ? { rules: { rpc } } : {}), ...(answer ? { answer } : {}) }
      : undefined;
  const options = inProcess(judges, mutant);
  const onEvent: EngineOptions["onEvent"] = (event) => {
    if (event.event === "observation") observed.push(event.observation);
  };
  const verdicts = await new Engine({ ...options, target: target(onlyHere(options.target)), observe, onEvent }).run();
  const idsOf = (wanted: string): string[] => verdicts.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);
  return { observed, broken: idsOf("broken"), inconclusive: idsOf("inconclusive") };
}

const isMine = (id: string): boolean => /^OBS-(BND|BST|SIM|RATE-SB)-/.test(id);
const mine: readonly ObservationId[] = observations.map(({ id }) => id).filter(isMine);
const summary = (observed: readonly Observed[]): string =>
  canonical(observed.map(({ values }) => values.map((reading) => reading.summary)));

test("every open point of bundles has a probe, and a choice that it sees", () => {
  const probed = suite.probes.map(({ id }) => id);
  expect(mine.filter((id) => !probed.includes(id))).toEqual([]);
  expect(mine.filter((id) => !choices.some(({ sees }) => sees === id))).toEqual([]);
});

test("the honest platform shows the same in both looks and in another run", async () => {
  const [first, second] = [await judged(alone, {}, mine), await judged(alone, {}, mine)];
  expect(first.observed.filter(({ state }) => state !== "stable")).toEqual([]);
  expect(first.observed).toHaveLength(mine.length);
  expect(second.observed).toEqual(first.observed);
  expect(first.broken).toEqual([]);
});

for (const choice of choices) {
  const { sees, title, always } = choice;
  test(`${sees} sees that ${title}: ${unspecifiedBehaviour(dataPlatform, sees).question}`, async () => {
    const [honest, other] = [
      await judged(alone, always ? { rpc: always } : {}, [sees]),
      await judged(alone, choice, [sees]),
    ];
    expect(other.observed.map(({ state, reason }) => ({ state, reason }))).toEqual([{ state: "stable", reason: null }]);
    expect(summary(other.observed)).not.toBe(summary(honest.observed));
  });
}

for (const choice of choices) {
  const { sees, title, warned = [] } = choice;
  test(`no requirement is broken where ${title} (${sees})`, { tag: "@slow" }, async () => {
    const { broken, inconclusive, observed } = await judged(suite, choice, mine);
    expect({ broken: [...broken].sort(), inconclusive }).toEqual({ broken: [...warned].sort(), inconclusive: [] });
    expect(
      observed.filter(({ reason, state }) => state === "unstable" || reason?.startsWith("the probe itself")),
    ).toEqual([]);
  });
}

test("a platform without control shows what needs none, and says what does", () => {
  const options = inProcess(alone);
  const { control: _, ...target } = onlyHere(options.target);
  const lacking = ({ allow }: Pick<Target, "allow">): readonly string[] => {
    const { probes } = new Engine({ ...options, target: { ...target, isReference: false, allow } }).plan;
    return probes
      .filter(({ lacks, probe }) => lacks !== null && isMine(probe.id))
      .map(({ probe, lacks }) => `${probe.id}: ${lacks}`);
  };
  expect(lacking({ allow: ["throttle"] })).toEqual([
    "OBS-BND-TIP: no control over the platform",
    "OBS-BND-RESEND: the target doesn't allow `sendBundle`",
    "OBS-BND-DUPTX: the target doesn't allow `sendBundle`",
    "OBS-RATE-SB-REFUSAL: the target doesn't allow `sendBundle`",
    "OBS-SIM-RESULT: no control over the platform",
  ]);
});

/** The reference as a vendor: no control, and nothing known of it. */
async function asVendor(
  allow: Target["allow"],
  rpc: RpcChange = {},
): Promise<{ readonly observed: readonly Observed[]; readonly exchanges: readonly Exchange[] }> {
  const [observed, exchanges]: [Observed[], Exchange[]] = [[], []];
  const options = inProcess(alone, { id: "vendor", rules: { rpc } });
  const { control: _, ...target } = onlyHere(options.target);
  const onEvent: EngineOptions["onEvent"] = (event) => {
    if (event.event === "observation") observed.push(event.observation);
    if (event.event === "exchange") exchanges.push(event.exchange);
  };
  const payer = new Secret("payer", textOf(new Uint8Array(32).fill(7)));
  const bundles = target.bundles ? { bundles: { ...target.bundles, payer } } : {};
  await new Engine({
    ...options,
    target: { ...target, ...bundles, isReference: false, allow },
    observe: mine,
    onEvent,
  }).run();
  return { observed, exchanges };
}

const seenThere = (observed: readonly Observed[], id: ObservationId): unknown =>
  observed.find((one) => one.id === id)?.values[0]?.summary;

test("a vendor that allows no bundles is sent none that could run", async () => {
  const { observed, exchanges } = await asVendor(["throttle"]);
  const sent = exchanges.flatMap(({ sent: { body = "" } }) => (body.includes("sendBundle") ? [body] : []));
  expect(sent.length).toBeGreaterThan(50);
  expect(sent.filter((body) => /[\w+/=-]{20}/.test(body))).toEqual([]);
  expect(observed.filter(({ state }) => state === "unstable")).toEqual([]);
  expect(observed.filter(({ state }) => state === "withheld").map(({ id }) => id)).toEqual([
    "OBS-BST-ERR",
    "OBS-BND-TIP",
    "OBS-BND-RESEND",
    "OBS-BND-DUPTX",
    "OBS-RATE-SB-REFUSAL",
    "OBS-SIM-RESULT",
  ]);
});

test("a vendor that allows bundles shows what becomes of one that is sent twice", async () => {
  const { observed } = await asVendor(["sendBundle"]);
  expect(seenThere(observed, "OBS-BND-RESEND")).toEqual({ "the same bundle at once": "the same id" });
  expect(seenThere(observed, "OBS-BND-DUPTX")).toEqual({ "[a, a]": "taken" });
  expect(seenThere(observed, "OBS-BND-INVALIDRATE")).toBeUndefined();
});

test("codes of server errors are told too, though no call for a bundle is sent again on a vendor", async () => {
  const { observed } = await asVendor(["throttle"], refusal("params", -32000, "bundle rejected"));
  expect(seenThere(observed, "OBS-BND-CODES")).toMatchObject({ "params absent": '200 error -32000 "bundle rejected"' });
  expect(seenThere(observed, "OBS-BST-CODES")).toMatchObject({ "6 ids": '200 error -32000 "bundle rejected"' });
  expect(seenThere(observed, "OBS-BND-INVALIDRATE")).toEqual({
    "12 at once: refused like one alone": "3 to 7",
    "12 at once: the others": '200 error -32097 "Too many requests"',
  });
});
