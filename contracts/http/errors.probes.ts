// Probes of errors: further members of the usage endpoint's, and errors made by gateways (§7).
import { valueAt } from "../../harness/core/json.ts";
import { type Answered, fingerprintOf } from "../../harness/model/fingerprint.ts";
import { type Probe, type Reading, readingOf } from "../../harness/model/probe.ts";
import { isServed, rpcErrorOf, suspicion } from "../../harness/transport/answers.ts";
import { mediaTypeOf } from "../../harness/transport/exchange.ts";
import { everyResult, everywhere } from "../jsonrpc/describeEnvelope.ts";
import { probesFor } from "../shared/forFeature.ts";
import { everyOutcome, outcomeOf } from "../shared/probeRequests.ts";

const documented = ["", "/statusCode", "/message", "/error"];

/** Whether an error lacks the documented shape, as those of a gateway in front of the platform do. */
const isForeign = (answered: Answered): boolean => {
  if (answered.stimulus.api === "rpc") return rpcErrorOf(answered) === null && !isServed(answered);
  return documented.slice(1).some((member) => valueAt(answered.answer.json?.value, member) === undefined);
};

function gatewayErrors(answers: readonly Answered[]): Reading {
  if (answers.length === 0) return { summary: { seen: "none" }, fingerprints: [] };
  return readingOf(
    answers.map((answered) => {
      const kind = `${answered.answer.status} ${mediaTypeOf(answered.answer) ?? "without a type"}`;
      return {
        fingerprint: fingerprintOf(answered, { case: kind }),
        summary: /<html/i.test(answered.answer.text)
          ? "a page"
          : answered.answer.text === ""
            ? "empty"
            : "another text",
      };
    }),
  );
}

export const probes: readonly Probe[] = [
  probesFor("usage").observeEach("OBS-ERR-ADM-EXTRA", everyOutcome, (answered) => {
    const outcome = outcomeOf(answered);
    if (outcome === undefined || answered.answer.status < 400) return undefined;
    const members = Object.entries(fingerprintOf(answered, { case: "" }).body).filter(
      ([path]) => !documented.includes(path),
    );
    return { case: outcome, summary: members.length ? Object.fromEntries(members) : "none" };
  }),
  probesFor(everywhere).observeAll("OBS-ERR-GATEWAY", [...everyOutcome, ...everyResult], ({ all }) =>
    gatewayErrors(
      all.filter((one): one is Answered => one.answer !== null && suspicion(one) !== null).filter(isForeign),
    ),
  ),
];
