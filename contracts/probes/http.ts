// What is left open about plain HTTP on the usage endpoint: methods, paths, headers, sizes, caching? (§4)
import { headerOf } from "../../harness/exchange.ts";
import { type Answered, fingerprintOf, headerNames } from "../../harness/fingerprint.ts";
import type { Json } from "../../harness/json.ts";
import { asking, beholding, experiment, type Probe, type Reading, readingOf, type Seen, watching } from "../../harness/probe.ts";
import type { Stimulus } from "../../harness/stimulus.ts";
import { undescribed, usage, usagePath } from "../stimuli.ts";
import { everyOutcome, headerTold, open, outcomeOf, owners } from "./asks.ts";
import { movedBetween } from "./figures.ts";

const id = { projectOf: "owner" } as const;
const method = (name: string): Stimulus => undescribed(name, usagePath(id), "owner");
const at = (...path: Stimulus["path"]): Stimulus => open({ path });
const withHeader = (name: string, value: string): Stimulus => open({ headers: [[name, value]] });

const status = ({ answer }: Answered): Json => answer.status;
const statusAnd =
  (...names: readonly string[]) =>
  (answered: Answered): Json => ({ status: answered.answer.status, ...Object.fromEntries(names.map((name) => [name, headerTold(answered, name)])) });

/** Whether a refusal is worded like the documented ones. */
const shape = (answered: Answered): Json => {
  const members = Object.keys(fingerprintOf(answered, { case: "" }).body);
  return {
    ...(statusAnd("allow")(answered) as object),
    body: ["/statusCode", "/message", "/error"].every((member) => members.includes(member)) ? "as documented errors" : "another",
  };
};

const origin = ["origin", "https://assay.example"] as const;
const preflight: Stimulus = { ...method("OPTIONS"), carriers: [], headers: [origin, ["access-control-request-method", "GET"], ["access-control-request-headers", "x-api-key"]] };
const cors = (answered: Answered): Json => {
  const { headers } = answered.answer;
  const names = headers.map(([name]) => name).filter((name) => name.startsWith("access-control-"));
  return statusAnd("allow", "vary", ...names)(answered);
};

const [readBefore, headBetween] = [
  { ...owners, again: 200 },
  { ...method("HEAD"), again: 200 },
];

const caching = (answered: Answered): Json => {
  const etag = headerOf(answered.answer, "etag");
  return {
    "cache-control": headerTold(answered, "cache-control"),
    vary: headerTold(answered, "vary"),
    etag: etag === undefined ? "none" : etag.startsWith("W/") ? "weak" : "strong",
    age: headerOf(answered.answer, "age") === undefined ? "none" : "sent",
  };
};

const seenAs = (name: string, answered: Answered, tells: Json): Seen => ({ fingerprint: fingerprintOf(answered, { case: name }), tells });

/** An address of 8 KiB. */
const longQuery = [["x", "a".repeat(8 * 1024)]] as const;

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
const percentiles = [50, 95, 99] as const;

function latencies(hand: readonly Answered[]): Reading {
  const sorted = hand.flatMap(({ latency_ms, stimulus }) => (stimulus.operation === "getProjectUsage" ? [latency_ms] : [])).sort((a, b) => a - b);
  const at_ms = (percentile: number): number => sorted[Math.ceil((sorted.length * percentile) / 100) - 1] ?? 0;
  return { tells: { usage: Object.fromEntries(percentiles.map((percentile) => [`p${percentile}`, bandOf(at_ms(percentile))])) }, fingerprints: [] };
}

export const probes: readonly Probe[] = [
  experiment("OBS-HTTP-HEAD", [readBefore, headBetween, { ...owners, again: 201 }], async ({ ask, target }) => {
    const [before, head] = [await ask(readBefore), await ask(headBetween)];
    const after = await ask({ ...owners, again: 201 });
    const moved = movedBetween(before, after);
    const figures = !target.quiet ? "not known: the target isn't said to be quiet" : Object.keys(moved).length ? moved : "none";
    return readingOf([seenAs("HEAD", head, head.answer.status), seenAs("figures that moved meanwhile", before, figures)]);
  }),
  asking("OBS-HTTP-OPTIONS", { "OPTIONS, as a browser asks": preflight, "GET with an Origin": open({ headers: [origin] }) }, { tells: cors }),
  asking("OBS-HTTP-METHOD", { POST: method("POST"), PUT: method("PUT"), DELETE: method("DELETE") }, { tells: shape }),
  asking("OBS-HTTP-SLASH", { "a slash at the end": at(...usagePath(id), "/"), "a doubled slash": at("/v0//admin/projects/", id, "/usage") }, { tells: statusAnd("location") }),
  asking("OBS-HTTP-CASE", { "the path with capitals": at("/V0/Admin/Projects/", id, "/Usage") }, { tells: status }),
  asking("OBS-HTTP-404", {
    "an unknown path, with a key": at("/v0/admin/nope"),
    "an unknown path, without one": { ask: open({ path: ["/v0/admin/nope"], carriers: [] }), wins: { 401: "the key is judged first", 404: "the path is judged first" } },
  }),
  asking("OBS-HTTP-QUERY", { "?x=1": open({ query: [["x", "1"]] }) }),
  watching("OBS-HTTP-CHARSET", everyOutcome, (answered) => {
    const outcome = outcomeOf(answered);
    const [, ...parameters] = headerTold(answered, "content-type").split(";");
    return outcome === undefined ? undefined : { case: outcome, tells: parameters.map((one) => one.trim().toLowerCase()).join("; ") || "no parameter" };
  }),
  asking(
    "OBS-HTTP-ACCEPT",
    { "Accept: text/html": withHeader("accept", "text/html"), "Accept: application/xml": withHeader("accept", "application/xml") },
    { tells: statusAnd("content-type") },
  ),
  asking("OBS-HTTP-GZIP", Object.fromEntries(["gzip", "br", "identity"].map((coding) => [`Accept-Encoding: ${coding}`, withHeader("accept-encoding", coding)])), {
    tells: statusAnd("content-encoding", "vary"),
  }),
  experiment("OBS-HTTP-CACHE", [owners, usage({ as: "nobody" })], async ({ ask }) => {
    const [served, refused] = [await ask(owners), await ask(usage({ as: "nobody" }))];
    const both = [seenAs("served", served, caching(served)), seenAs("refused", refused, caching(refused))];
    const etag = headerOf(served.answer, "etag");
    if (etag === undefined) return { ...readingOf(both), tells: { ...readingOf(both).tells, "If-None-Match": "not asked: no ETag was sent" } };
    const again = await ask(withHeader("if-none-match", etag));
    return readingOf([...both, seenAs("If-None-Match", again, again.answer.status)]);
  }),
  watching("OBS-HTTP-HDRS", everyOutcome, (answered) => {
    const outcome = outcomeOf(answered);
    return outcome === undefined ? undefined : { case: outcome, tells: headerNames(answered.answer) };
  }),
  asking("OBS-HTTP-GETBODY", { "a body of {}": open({ headers: [["content-type", "application/json"]], body: "{}" }) }),
  asking("OBS-HTTP-SIZE", { "an address of 8 KiB": open({ query: longQuery }) }, { unless: ({ isReference }) => (isReference ? null : "asked of the reference only") }),
  asking(
    "OBS-HTTP-TLS",
    { "plain http, without a key": open({ carriers: [], plainHttp: true }) },
    { tells: statusAnd("location"), unless: ({ bases }) => (bases.admin?.startsWith("https:") ? null : "the base of admin is plain http itself") },
  ),
  watching("OBS-HTTP-DATE", everyOutcome, (answered) => {
    const outcome = outcomeOf(answered);
    return outcome === undefined ? undefined : { case: outcome, bucket: skewOf(answered), tells: skewOf(answered) };
  }),
  beholding("OBS-HTTP-LATENCY", everyOutcome, ({ hand }) => latencies(hand)),
];
