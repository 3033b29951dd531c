// Probes of errors: further members of the usage endpoint's, and errors made by gateways (§7).
import { valueAt } from "../../harness/core/json.ts";
import type { AnsweredExchange } from "../../harness/model/fingerprint.ts";
import type { Probe, Seen } from "../../harness/model/probe.ts";
import { isServed, rpcErrorOf, suspicion } from "../../harness/transport/answers.ts";
import { mediaTypeOf } from "../../harness/transport/exchange.ts";
import { everyResult, rpcAndUsage } from "../jsonrpc/probeRequests.ts";
import { fieldsAt, seenAs } from "../shared/describeCalls.ts";
import { probesFor } from "../shared/forFeature.ts";
import { describeUsageOutcome, everyOutcome } from "../shared/probeRequests.ts";

const documented = ["", "/statusCode", "/message", "/error"];

/** Whether an error lacks the documented shape, as those of a gateway in front of the platform do. */
const isForeign = (answered: AnsweredExchange): boolean => {
  if (answered.requestSpec.api === "rpc") return rpcErrorOf(answered) === null && !isServed(answered);
  return documented.slice(1).some((member) => valueAt(answered.answer.json?.value, member) === undefined);
};

function describeGateway(answered: AnsweredExchange): Seen {
  const { status, text } = answered.answer;
  const otherText = text === "" ? "empty" : "another text";
  const kind = `${status} ${mediaTypeOf(answered.answer) ?? "without a type"}`;
  return seenAs(kind, answered, /<html/i.test(text) ? "a page" : otherText);
}

export const probes: readonly Probe[] = [
  probesFor("usage").observeEach("OBS-ERR-ADM-EXTRA", everyOutcome, (answered) => {
    const outcome = describeUsageOutcome(answered);
    if (outcome === undefined || answered.answer.status < 400) return undefined;
    return { case: outcome, summary: fieldsAt(answered, (path) => !documented.includes(path)) };
  }),
  probesFor(rpcAndUsage).observeAll("OBS-ERR-GATEWAY", [...everyOutcome, ...everyResult], ({ all }) => {
    const suspicious = all.filter((one): one is AnsweredExchange => one.answer !== null && suspicion(one) !== null);
    const found = suspicious.filter(isForeign);
    return found.length === 0 ? [{ case: "seen", summary: "none" }] : found.map(describeGateway);
  }),
];
