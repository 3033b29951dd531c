// Probes of JSON-RPC envelopes, ids and batches (§4.3)

import { type Json, listOf, valueAt } from "../../harness/core/json.ts";
import { otherNeed } from "../../harness/core/reason.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import type { Template } from "../../harness/core/template.ts";
import { type AnsweredExchange, withoutNumbers } from "../../harness/model/fingerprint.ts";
import type { Probe } from "../../harness/model/probe.ts";
import { isServed } from "../../harness/transport/answers.ts";
import { describeEnvelope, describeWithId } from "../shared/describeEnvelope.ts";
import { forFeature, probesFor } from "../shared/forFeature.ts";
import { rawRpc } from "../shared/requestSpecs.ts";
import { tabledRequests } from "./baselineRequests.ts";
import { everyResult, getOnRpc, methodOf, onRpc } from "./probeRequests.ts";

const { answerProbe } = forFeature("compression");
const anyMethod = probesFor(onRpc);

const healthCall = { jsonrpc: "2.0", id: 1, method: "getIndexerHealth" } as const;
const { id: _, ...withoutId } = healthCall;
const text = JSON.stringify(healthCall);

const json = (value: Template): RequestSpec => rawRpc({ json: value });
const call = (change: { readonly [member: string]: Template }): RequestSpec => json({ ...healthCall, ...change });
/** With an id as it is written here: `1e400` wouldn't survive a JSON writer. */
const withId = (literal: string): RequestSpec =>
  rawRpc(`{"jsonrpc":"2.0","id":${literal},"method":"getIndexerHealth"}`);
const callWith = (id: string | number): Template => ({ ...healthCall, id });

const longId = "x".repeat(10 * 1024);

const withWords = (answered: AnsweredExchange): Json => {
  const message = valueAt(answered.answer.json?.value, "/error/message");
  const text = typeof message === "string" ? `, ${JSON.stringify(withoutNumbers(message))}` : "";
  return `${describeWithId(answered)}${text}`;
};

const idsIn = (list: readonly Json[]): readonly Json[] => list.flatMap((item) => valueAt(item, "/id") ?? []);

function orderOf(sent: readonly Json[], got: readonly Json[]): string {
  if (JSON.stringify(got) === JSON.stringify(sent)) return "as sent";
  return sent.length === got.length && sent.every((id) => got.includes(id))
    ? "in another order"
    : `with the ids ${JSON.stringify(got)}`;
}

const kindOf = (item: Json): string => {
  const code = valueAt(item, "/error/code") ?? null;
  return valueAt(item, "/result") === undefined ? `error ${JSON.stringify(code)}` : "results";
};

/** `200 an array of 2: results as sent`; for anything but an array, status and envelope. */
function describeBatch(answered: AnsweredExchange): Json {
  const { requestSpec, answer } = answered;
  if (!Array.isArray(answer.json?.value)) return describeWithId(answered);
  const items = listOf(answer.json.value);
  const kinds = [...new Set(items.map(kindOf))];
  const order = orderOf(idsIn(requestSpec.json as readonly Json[]), idsIn(items));
  return `${answer.status} an array of ${items.length}: ${kinds.join(" and ")} ${order}`;
}

const containers: { readonly [name: string]: { readonly params?: Template } } = {
  absent: {},
  null: { params: null },
  "[]": { params: [] },
  "{}": { params: {} },
  '"x"': { params: "x" },
  "1": { params: 1 },
};
const everyContainer = tabledRequests.flatMap(({ method }) =>
  Object.entries(containers).map(
    ([name, params]) => [`${method}, params ${name}`, json({ jsonrpc: "2.0", id: 1, method, ...params })] as const,
  ),
);

const nested = (levels: number): Template => Array.from({ length: levels }).reduce<Template>((inner) => [inner], 1);
const deep = (levels: number): RequestSpec => call({ params: { unknown: nested(levels) } });

/** Which of two ids came back. */
const duplicates = { 1: "the first counts", 2: "the last counts" } as const;
const whichCounts = (answered: AnsweredExchange): Json => {
  const id = valueAt(answered.answer.json?.value, "/id");
  return isServed(answered) && (id === 1 || id === 2) ? duplicates[id] : describeWithId(answered);
};

const discovered = (answered: AnsweredExchange): Json => {
  const version = valueAt(answered.answer.json?.value, "/result/openrpc");
  return typeof version === "string" ? `a document, openrpc ${withoutNumbers(version)}` : describeEnvelope(answered);
};

const describeLength = (answered: AnsweredExchange): Json =>
  `${describeEnvelope(answered)}, ${answered.answer.text.length} characters`;

const literalIds = ["null", "1.5", "1e400", "9007199254740993", "-0", "true", "{}", "[]"];

export const probes: readonly Probe[] = [
  anyMethod.observeEach("OBS-RPC-OKSTATUS", everyResult, (answered) =>
    answered.requestSpec.operation !== null && answered.requestSpec.api === "rpc" && isServed(answered)
      ? { case: methodOf(answered.requestSpec)?.id ?? "", summary: answered.answer.status }
      : undefined,
  ),
  answerProbe("OBS-RPC-PARSE", withWords, {
    "cut off before its end": rawRpc(text.slice(0, -1)),
    "no body": rawRpc(""),
    "a byte order mark before it": rawRpc(`\ufeff${text}`),
    "a comma before its end": rawRpc(`${text.slice(0, -1)},}`),
    "no JSON": rawRpc("getIndexerHealth"),
  }),
  answerProbe("OBS-RPC-INVALID", describeWithId, {
    "{}": json({}),
    "1": json(1),
    '"x"': json("x"),
    null: json(null),
    "no jsonrpc": json({ id: 1, method: "getIndexerHealth" }),
    'jsonrpc "1.0"': call({ jsonrpc: "1.0" }),
    "jsonrpc 2": call({ jsonrpc: 2 }),
    "no method": json({ jsonrpc: "2.0", id: 1 }),
    "method 5": call({ method: 5 }),
  }),
  answerProbe("OBS-RPC-METHOD", describeEnvelope, {
    noSuchMethod: call({ method: "noSuchMethod" }),
    "in capitals": call({ method: "GETINDEXERHEALTH" }),
    "a space before it": call({ method: " getIndexerHealth" }),
  }),
  answerProbe("OBS-RPC-ID", describeWithId, {
    ...Object.fromEntries(literalIds.map((literal) => [literal, withId(literal)])),
    missing: json(withoutId),
    "a text of 10 kB": call({ id: longId }),
  }),
  answerProbe("OBS-RPC-NOTIFY", describeLength, { "a call without an id": json(withoutId) }),
  answerProbe("OBS-RPC-BATCH", describeBatch, {
    "no call": json([]),
    "what is no call": json([1]),
    "one call": json([callWith(1)]),
    "two calls": json([callWith("a"), callWith(2)]),
    "a call and a notification": json([callWith(1), withoutId]),
    "11 calls": json(Array.from({ length: 11 }, (__, nth) => callWith(nth + 1))),
  }),
  answerProbe("OBS-RPC-DUPKEY", whichCounts, {
    "two ids": rawRpc('{"jsonrpc":"2.0","id":1,"id":2,"method":"getIndexerHealth"}'),
  }),
  answerProbe("OBS-RPC-EXTRA", describeEnvelope, { "foo beside method": call({ foo: 1 }) }),
  anyMethod.answerProbe("OBS-RPC-PARAMS", describeEnvelope, Object.fromEntries(everyContainer)),
  answerProbe(
    "OBS-RPC-DEPTH",
    describeEnvelope,
    { "50 levels": deep(50), "500 levels": deep(500) },
    { unless: ({ isReference }) => (isReference ? null : otherNeed("sent to the reference only")) },
  ),
  anyMethod.answerProbe("OBS-RPC-GET", describeEnvelope, { GET: getOnRpc }),
  anyMethod.answerProbe("OBS-RPC-DISCOVER", discovered, { "rpc.discover": call({ method: "rpc.discover" }) }),
  answerProbe("OBS-RPC-UNICODE", describeWithId, {
    "a lone surrogate": withId('"\\ud800"'),
    "a zero": withId('"\\u0000"'),
  }),
];
