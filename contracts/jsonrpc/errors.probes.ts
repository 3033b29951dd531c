// Probes of JSON-RPC errors: data, HTTP statuses, further members, causes without a documented error (§7.2, §7.3)
import { isObject, type Json, valueAt } from "../../harness/core/json.ts";
import { sample } from "../../harness/core/template.ts";
import type { AnsweredExchange } from "../../harness/model/fingerprint.ts";
import type { Probe, Sight } from "../../harness/model/probe.ts";
import { describeOutcome, isServed, rpcErrorOf } from "../../harness/transport/answers.ts";
import { base58Text } from "../shared/base58.ts";
import { asUndescribed, fieldsAt } from "../shared/describeCalls.ts";
import { describeEnvelope } from "../shared/describeEnvelope.ts";
import { forFeature, probesFor } from "../shared/forFeature.ts";
import { resultOf } from "../shared/jsonRpcOracles.ts";
import { owner, tokenAccounts } from "../shared/jsonRpcRequests.ts";
import { everyError, everyResult, methodOf, onRpc } from "./probeRequests.ts";

const { observeEach } = probesFor(onRpc);
const { answerProbe } = forFeature("tokenAccounts");

/** `tokenAccounts -32602`: the same code means different things in different error tables. */
function describeError(answered: AnsweredExchange): string | undefined {
  const error = rpcErrorOf(answered);
  return error
    ? `${methodOf(answered.requestSpec)?.errors ?? "no method"} ${error.code ?? "without a code"}`
    : undefined;
}

const errorProbe = (id: Probe["id"], summary: (answered: AnsweredExchange) => Json): Probe =>
  observeEach(id, everyError, (answered) => {
    const name = describeError(answered);
    return name === undefined ? undefined : { case: name, summary: summary(answered) };
  });

/** Classes of the values at a place and below. */
const below = (answered: AnsweredExchange, place: string): Json =>
  fieldsAt(answered, (path) => path === place || path.startsWith(`${place}/`));

const documented = { "": ["jsonrpc", "id", "result", "error"], "/error": ["code", "message", "data"] } as const;

const namesIn = (answered: AnsweredExchange, at: keyof typeof documented): readonly string[] => {
  const value = valueAt(answered.answer.json?.value, at);
  const known: readonly string[] = documented[at];
  return isObject(value) ? Object.keys(value).filter((name) => !known.includes(name)) : [];
};

const extraMembers: Sight = (answered) => {
  const isError = rpcErrorOf(answered) !== null;
  if (!isError && !(isServed(answered) && answered.requestSpec.api === "rpc")) return undefined;
  const names = [...namesIn(answered, ""), ...namesIn(answered, "/error").map((name) => `error.${name}`)];
  return { case: isError ? "errors" : "results", summary: names.length ? names.sort() : "none" };
};

/** An address that nobody has used, made for this run. */
const fresh = (): string => base58Text(crypto.getRandomValues(new Uint8Array(32)));
const describeAccounts = (answered: AnsweredExchange): Json => {
  const accounts = resultOf(answered, "/token_accounts");
  if (!isServed(answered)) return describeOutcome(answered);
  return Array.isArray(accounts) ? (accounts.length === 0 ? "an empty list" : "accounts") : "a result without a list";
};
const ownerRefused = sample("causes/getTokenAccounts/permission");

export const probes: readonly Probe[] = [
  errorProbe("OBS-ERR-RPC-DATA", (answered) => below(answered, "/error/data")),
  errorProbe("OBS-ERR-RPC-HTTP", ({ answer }) => answer.status),
  observeEach("OBS-ERR-RPC-EXTRA", [...everyResult, ...everyError], extraMembers),
  answerProbe("OBS-ERR-TA-NOTFOUND", describeAccounts, {
    "an unknown owner": tokenAccounts({ owner: fresh(), limit: 2 }),
    "an unknown mint": tokenAccounts({ mint: fresh(), limit: 2 }),
  }),
  answerProbe("OBS-ERR-TA-PERM", describeEnvelope, {
    "a key restricted to another address": asUndescribed(tokenAccounts({ owner, limit: 2 }, { as: "ipBlocked" })),
    "an owner that the target names for it": asUndescribed(tokenAccounts({ owner: ownerRefused, limit: 2 })),
  }),
];
