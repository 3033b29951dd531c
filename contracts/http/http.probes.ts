// What is left open about plain HTTP: methods, paths, headers, sizes, caching? (§4)

import type { Json } from "../../harness/core/json.ts";
import type { Stimulus } from "../../harness/core/stimulus.ts";
import { type Answered, fingerprintOf, headerNames } from "../../harness/model/fingerprint.ts";
import {
  experiment,
  observeAll,
  observeEach,
  type Probe,
  type ProbeContext,
  type Reading,
  readingOf,
  requestProbe,
  type Seen,
} from "../../harness/model/probe.ts";
import { headerOf } from "../../harness/transport/exchange.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import {
  describeEnvelope,
  everyError,
  everyResult,
  getOnRpc,
  kindOf,
  everywhere as onBoth,
} from "../jsonrpc/describeEnvelope.ts";
import { cases } from "../jsonrpc/http.probes.ts";
import { seenAs } from "../shared/describeCalls.ts";
import { movedBetween } from "../shared/figures.ts";
import { health } from "../shared/jsonRpcRequests.ts";
import { describeHeader, everyOutcome, open, outcomeOf, owners } from "../shared/probeRequests.ts";
import { undescribed, usage, usagePath } from "../shared/stimuli.ts";
import { everyKeyless, cases as walletCases, outcomeOf as walletOutcomeOf } from "../wallet/describeCalls.ts";

const everywhere: readonly Feature[] = [...onBoth, "wallet"];
const id = { projectOf: "owner" } as const;
const method = (name: string): Stimulus => undescribed(name, usagePath(id), "owner");
const at = (...path: Stimulus["path"]): Stimulus => open({ path });
const withHeader = (name: string, value: string): Stimulus => open({ headers: [[name, value]] });

const status = ({ answer }: Answered): Json => answer.status;
/** At the JSON-RPC address a status says little without what came with it. */
const came = (answered: Answered): Json =>
  answered.stimulus.api === "rpc" ? describeEnvelope(answered) : status(answered);
const statusAnd =
  (...names: readonly string[]) =>
  (answered: Answered): Json => ({
    status: came(answered),
    ...Object.fromEntries(names.map((name) => [name, describeHeader(answered, name)])),
  });

/** Whether a refusal is worded like the documented ones. */
const shape = (answered: Answered): Json => {
  const members = Object.keys(fingerprintOf(answered, { case: "" }).body);
  return {
    ...(statusAnd("allow")(answered) as object),
    body: ["/statusCode", "/message", "/error"].every((member) => members.includes(member))
      ? "as documented errors"
      : "another",
  };
};

/** A base without a path is the same address with a slash at its end and without. */
const whereTo = (answered: Answered): Json => {
  const { stimulus, sent } = answered;
  const isSame = stimulus.api === "rpc" && stimulus.path.length === 0 && new URL(sent.url).pathname === "/";
  return isSame ? "the same address: the base has no path" : statusAnd("location")(answered);
};

const origin = ["origin", "https://assay.example"] as const;
const preflight: Stimulus = {
  ...method("OPTIONS"),
  carriers: [],
  headers: [origin, ["access-control-request-method", "GET"], ["access-control-request-headers", "x-api-key"]],
};
const cors = (answered: Answered): Json => {
  const { headers } = answered.answer;
  const names = headers.map(([name]) => name).filter((name) => name.startsWith("access-control-"));
  return statusAnd("allow", "vary", ...names)(answered);
};

const [readBefore, headBetween] = [
  { ...owners, again: 700 },
  { ...method("HEAD"), again: 700 },
];

const caching = (answered: Answered): Json => {
  const etag = headerOf(answered.answer, "etag");
  return {
    "cache-control": describeHeader(answered, "cache-control"),
    vary: describeHeader(answered, "vary"),
    etag: etag === undefined ? "none" : etag.startsWith("W/") ? "weak" : "strong",
    age: headerOf(answered.answer, "age") === undefined ? "none" : "sent",
  };
};

/** Documented requests of any surface, and how they came out. */
const kindOrOutcomeOf = (answered: Answered): string | undefined =>
  outcomeOf(answered) ?? kindOf(answered) ?? walletOutcomeOf(answered);
const everyKind = [...everyOutcome, ...everyResult, ...everyError, ...everyKeyless];

const skews = [
  [2, "under 2 s"],
  [60, "under 60 s"],
] as const;

function skewOf({ answer, sentAt_ms, latency_ms }: Answered): string {
  const shown_ms = Date.parse(headerOf(answer, "date") ?? "");
  if (Number.isNaN(shown_ms)) return "no date";
  const skew_s = Math.abs(shown_ms - sentAt_ms - latency_ms / 2) / 1000;
  return skews.find(([most]) => skew_s < most)?.[1] ?? "60 s or more";
}

/** Bands wide enough to stay the same from run to run. */
const bands = [
  [300, "under 300 ms"],
  [1000, "under 1 s"],
  [3000, "under 3 s"],
] as const;
const bandOf = (latency_ms: number): string => bands.find(([most]) => latency_ms < most)?.[1] ?? "3 s or more";
/** Of fewer answers the highest few are chance: a percentile is told where at least so many were had. */
const percentiles = [
  [50, 1],
  [95, 100],
  [99, 500],
] as const;

function bandsOf(latencies: readonly number[]): Json {
  const sorted = [...latencies].sort((a, b) => a - b);
  const at_ms = (percentile: number): number => sorted[Math.ceil((sorted.length * percentile) / 100) - 1] ?? 0;
  return Object.fromEntries(
    percentiles
      .filter(([, fewest]) => sorted.length >= fewest)
      .map(([percentile]) => [`p${percentile}`, bandOf(at_ms(percentile))]),
  );
}

function latenciesOf(sampleHalf: readonly Answered[]): Reading {
  const byOperation = new Map<string, number[]>();
  for (const { latency_ms, stimulus } of sampleHalf) {
    if (stimulus.operation !== null)
      byOperation.set(stimulus.operation, [...(byOperation.get(stimulus.operation) ?? []), latency_ms]);
  }
  return {
    summary: Object.fromEntries(
      [...byOperation]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([operation, latencies]) => [operation, bandsOf(latencies)]),
    ),
    fingerprints: [],
  };
}

async function cached({ ask, canAsk }: ProbeContext): Promise<Reading> {
  const asked = {
    served: owners,
    refused: usage({ as: "anonymous" }),
    "JSON-RPC result": health(),
    "JSON-RPC error": health(undefined, { as: "anonymous", id: "no key" }),
  };
  const seen: Seen[] = [];
  for (const [name, stimulus] of Object.entries(asked)) {
    if (!canAsk(stimulus)) continue;
    const answered = await ask(stimulus);
    seen.push(seenAs(name, answered, caching(answered)));
    const etag = headerOf(answered.answer, "etag");
    if (name !== "served" || etag === undefined) continue;
    const again = await ask(withHeader("if-none-match", etag));
    seen.push(seenAs("If-None-Match", again, again.answer.status));
  }
  const reading = readingOf(seen);
  return "If-None-Match" in reading.summary || !("served" in reading.summary)
    ? reading
    : { ...reading, summary: { ...reading.summary, "If-None-Match": "not asked: no ETag was sent" } };
}

export const probes: readonly Probe[] = [
  experiment(
    "OBS-HTTP-HEAD",
    [readBefore, headBetween, { ...owners, again: 701 }],
    async ({ ask, target }) => {
      const [before, head] = [await ask(readBefore), await ask(headBetween)];
      const after = await ask({ ...owners, again: 701 });
      const moved = movedBetween(before, after);
      const figures = !target.quiet
        ? "not known: the target isn't said to be quiet"
        : Object.keys(moved).length
          ? moved
          : "none";
      return readingOf([
        seenAs("HEAD", head, head.answer.status),
        seenAs("figures that moved meanwhile", before, figures),
      ]);
    },
    { feature: "usage" },
  ),
  requestProbe(
    "OBS-HTTP-OPTIONS",
    {
      "OPTIONS, as a browser asks": preflight,
      "GET with an Origin": open({ headers: [origin] }),
      ...cases.OPTIONS,
      ...walletCases.OPTIONS,
    },
    { feature: everywhere, summary: cors },
  ),
  requestProbe(
    "OBS-HTTP-METHOD",
    {
      POST: method("POST"),
      PUT: method("PUT"),
      DELETE: method("DELETE"),
      "JSON-RPC: GET": getOnRpc,
      ...walletCases.METHOD,
    },
    { feature: everywhere, summary: shape },
  ),
  requestProbe(
    "OBS-HTTP-SLASH",
    {
      "a slash at the end": at(...usagePath(id), "/"),
      "a doubled slash": at("/v0//admin/projects/", id, "/usage"),
      ...cases.SLASH,
    },
    { feature: ["usage", "compression"], summary: whereTo },
  ),
  requestProbe(
    "OBS-HTTP-CASE",
    { "the path with capitals": at("/V0/Admin/Projects/", id, "/Usage") },
    { feature: "usage", summary: status },
  ),
  requestProbe(
    "OBS-HTTP-404",
    {
      "an unknown path, with a key": at("/v0/admin/nope"),
      "an unknown path, without one": {
        ask: open({ path: ["/v0/admin/nope"], carriers: [] }),
        wins: { 401: "the key is judged first", 404: "the path is judged first" },
      },
      ...cases[404],
      ...walletCases[404],
    },
    {
      feature: ["usage", "compression", "wallet"],
      summary: (answered, { winner }) => (winner === null ? came(answered) : `${answered.answer.status}: ${winner}`),
    },
  ),
  requestProbe(
    "OBS-HTTP-QUERY",
    { "?x=1": open({ query: [["x", "1"]] }), ...cases.QUERY },
    { feature: ["usage", "compression"], summary: came },
  ),
  observeEach(
    "OBS-HTTP-CHARSET",
    everyKind,
    (answered) => {
      const outcome = kindOrOutcomeOf(answered);
      const [, ...parameters] = describeHeader(answered, "content-type").split(";");
      return outcome === undefined
        ? undefined
        : { case: outcome, summary: parameters.map((one) => one.trim().toLowerCase()).join("; ") || "no parameter" };
    },
    { feature: everywhere },
  ),
  requestProbe(
    "OBS-HTTP-ACCEPT",
    {
      "Accept: text/html": withHeader("accept", "text/html"),
      "Accept: application/xml": withHeader("accept", "application/xml"),
    },
    { feature: "usage", summary: statusAnd("content-type") },
  ),
  requestProbe(
    "OBS-HTTP-GZIP",
    {
      ...Object.fromEntries(
        ["gzip", "br", "identity"].map((coding) => [
          `Accept-Encoding: ${coding}`,
          withHeader("accept-encoding", coding),
        ]),
      ),
      ...cases.GZIP,
    },
    { feature: ["usage", "compression"], summary: statusAnd("content-encoding", "vary") },
  ),
  experiment(
    "OBS-HTTP-CACHE",
    [owners, usage({ as: "anonymous" }), health(), health(undefined, { as: "anonymous", id: "no key" })],
    cached,
    {
      feature: ["usage", "compression"],
      suffices: "any",
    },
  ),
  observeEach(
    "OBS-HTTP-HDRS",
    everyKind,
    (answered) => {
      const outcome = kindOrOutcomeOf(answered);
      return outcome === undefined ? undefined : { case: outcome, summary: headerNames(answered.answer) };
    },
    { feature: everywhere },
  ),
  requestProbe(
    "OBS-HTTP-GETBODY",
    {
      "a body of {}": open({ headers: [["content-type", "application/json"]], body: "{}" }),
    },
    { feature: "usage" },
  ),
  observeEach(
    "OBS-HTTP-DATE",
    everyKind,
    (answered) => {
      const outcome = kindOrOutcomeOf(answered);
      return outcome === undefined ? undefined : { case: outcome, bucket: skewOf(answered), summary: skewOf(answered) };
    },
    { feature: everywhere },
  ),
  observeAll("OBS-HTTP-LATENCY", everyKind, ({ sampleHalf }) => latenciesOf(sampleHalf), { feature: everywhere }),
];
