// Probes of plain HTTP: methods, paths, headers and caching (§4).
import type { Json } from "../../harness/core/json.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import { type AnsweredExchange, type Fingerprint, headerNames } from "../../harness/model/fingerprint.ts";
import type { Probe, ProbeContext, Seen } from "../../harness/model/probe.ts";
import { headerOf } from "../../harness/transport/exchange.ts";
import { httpCases } from "../jsonrpc/http.probes.ts";
import { getOnRpc } from "../jsonrpc/probeRequests.ts";
import { fieldsOf, seenAs } from "../shared/describeCalls.ts";
import { probesFor } from "../shared/forFeature.ts";
import { health } from "../shared/jsonRpcRequests.ts";
import { describeHeader, open } from "../shared/probeRequests.ts";
import { ownersUsage, undescribed, usagePath, usageRequest } from "../shared/requestSpecs.ts";
import { movedBetween } from "../usage/usageReader.ts";
import { walletCalls as walletCases } from "../wallet/describeCalls.ts";
import { describeAnswer, everyFeature, observeOutcomes } from "./everyKind.ts";

const onUsage = probesFor("usage");
const onUsageAndCompression = probesFor(["usage", "compression"]);
const onAll = probesFor(everyFeature);

const id = { projectOf: "owner" } as const;
const method = (name: string): RequestSpec => undescribed(name, usagePath(id), "owner");
const at = (...path: RequestSpec["path"]): RequestSpec => open({ path });
const withHeader = (name: string, value: string): RequestSpec => open({ headers: [[name, value]] });

const statusAnd =
  (...names: readonly string[]) =>
  (answered: AnsweredExchange) => ({
    status: describeAnswer(answered),
    ...Object.fromEntries(names.map((name) => [name, describeHeader(answered, name)])),
  });

/** Whether a refusal has the members of the documented ones. */
const shape = (answered: AnsweredExchange): Json => {
  const members = Object.keys(fieldsOf(answered));
  const isDocumented = ["/statusCode", "/message", "/error"].every((member) => members.includes(member));
  return { ...statusAnd("allow")(answered), body: isDocumented ? "as documented errors" : "another" };
};

/** A base without a path is the same address with and without a slash at its end. */
const locationOf = (answered: AnsweredExchange): Json => {
  const { requestSpec, sent } = answered;
  const isSame = requestSpec.api === "rpc" && requestSpec.path.length === 0 && new URL(sent.url).pathname === "/";
  return isSame ? "the same address: the base has no path" : statusAnd("location")(answered);
};

const describeWinner = (answered: AnsweredExchange, { winner }: Fingerprint): Json =>
  winner === null ? describeAnswer(answered) : `${answered.answer.status}: ${winner}`;

const origin = ["origin", "https://assay.example"] as const;
const preflight: RequestSpec = {
  ...method("OPTIONS"),
  carriers: [],
  headers: [origin, ["access-control-request-method", "GET"], ["access-control-request-headers", "x-api-key"]],
};
const cors = (answered: AnsweredExchange): Json => {
  const { headers } = answered.answer;
  const names = headers.map(([name]) => name).filter((name) => name.startsWith("access-control-"));
  return statusAnd("allow", "vary", ...names)(answered);
};

const caching = (answered: AnsweredExchange): Json => {
  const etag = headerOf(answered.answer, "etag");
  const age = headerOf(answered.answer, "age");
  return {
    "cache-control": describeHeader(answered, "cache-control"),
    vary: describeHeader(answered, "vary"),
    etag: etag === undefined ? "none" : etag.startsWith("W/") ? "weak" : "strong",
    age: age === undefined ? "none" : "sent",
  };
};

const cacheable = {
  served: ownersUsage,
  refused: usageRequest({ as: "anonymous" }),
  "JSON-RPC result": health(),
  "JSON-RPC error": health(undefined, { as: "anonymous", id: "no key" }),
};

async function cached({ ask, canAsk }: ProbeContext): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  for (const [name, requestSpec] of Object.entries(cacheable)) {
    if (!canAsk(requestSpec)) continue;
    const answered = await ask(requestSpec);
    seen.push(seenAs(name, answered, caching(answered)));
    const etag = headerOf(answered.answer, "etag");
    if (name !== "served") continue;
    const conditional = etag === undefined ? null : await ask(withHeader("if-none-match", etag));
    seen.push(
      conditional
        ? seenAs("If-None-Match", conditional, conditional.answer.status)
        : { case: "If-None-Match", summary: "not tested: no ETag was sent" },
    );
  }
  return seen;
}

export const probes: readonly Probe[] = [
  onUsage.experiment(
    "OBS-HTTP-HEAD",
    [{ ...ownersUsage, again: 0 }, method("HEAD"), { ...ownersUsage, again: 1 }],
    async ({ ask, fresh, target }) => {
      const before = await ask(fresh(ownersUsage));
      const head = await ask(fresh(method("HEAD")));
      const moved = movedBetween(before, await ask(fresh(ownersUsage)));
      const figures = Object.keys(moved).length ? moved : "none";
      const shown = target.quiet ? figures : "unknown: the target doesn't say `quiet: true`";
      return [seenAs("HEAD", head, head.answer.status), seenAs("figures that moved meanwhile", before, shown)];
    },
    { when: "alone" },
  ),
  onAll.answerProbe("OBS-HTTP-OPTIONS", cors, {
    "OPTIONS, as a browser asks": preflight,
    "GET with an Origin": open({ headers: [origin] }),
    ...httpCases.OPTIONS,
    ...walletCases.OPTIONS,
  }),
  onAll.answerProbe("OBS-HTTP-METHOD", shape, {
    POST: method("POST"),
    PUT: method("PUT"),
    DELETE: method("DELETE"),
    "JSON-RPC: GET": getOnRpc,
    ...walletCases.METHOD,
  }),
  onUsageAndCompression.answerProbe("OBS-HTTP-SLASH", locationOf, {
    "a slash at the end": at(...usagePath(id), "/"),
    "a doubled slash": at("/v0//admin/projects/", id, "/usage"),
    ...httpCases.SLASH,
  }),
  onUsage.requestProbe("OBS-HTTP-CASE", { "the path with capitals": at("/V0/Admin/Projects/", id, "/Usage") }),
  probesFor(["usage", "compression", "wallet"]).answerProbe("OBS-HTTP-404", describeWinner, {
    "an unknown path, with a key": at("/v0/admin/nope"),
    "an unknown path, without one": {
      ask: open({ path: ["/v0/admin/nope"], carriers: [] }),
      wins: { 401: "the key is judged first", 404: "the path is judged first" },
    },
    ...httpCases[404],
    ...walletCases[404],
  }),
  onUsageAndCompression.answerProbe("OBS-HTTP-QUERY", describeAnswer, {
    "?x=1": open({ query: [["x", "1"]] }),
    ...httpCases.QUERY,
  }),
  observeOutcomes("OBS-HTTP-CHARSET", (answered) => {
    const [, ...parameters] = describeHeader(answered, "content-type").split(";");
    return { summary: parameters.map((one) => one.trim().toLowerCase()).join("; ") || "no parameter" };
  }),
  onUsage.answerProbe("OBS-HTTP-ACCEPT", statusAnd("content-type"), {
    "Accept: text/html": withHeader("accept", "text/html"),
    "Accept: application/xml": withHeader("accept", "application/xml"),
  }),
  onUsageAndCompression.answerProbe("OBS-HTTP-GZIP", statusAnd("content-encoding", "vary"), {
    "Accept-Encoding: gzip": withHeader("accept-encoding", "gzip"),
    "Accept-Encoding: br": withHeader("accept-encoding", "br"),
    "Accept-Encoding: identity": withHeader("accept-encoding", "identity"),
    ...httpCases.GZIP,
  }),
  onUsageAndCompression.experiment("OBS-HTTP-CACHE", Object.values(cacheable), cached, { suffices: "any" }),
  observeOutcomes("OBS-HTTP-HDRS", ({ answer }) => ({ summary: headerNames(answer) })),
  onUsage.requestProbe("OBS-HTTP-GETBODY", {
    "a body of {}": open({ headers: [["content-type", "application/json"]], body: "{}" }),
  }),
];
