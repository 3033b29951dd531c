// Probes of HTTP at the JSON-RPC address: content types, sizes, protocols (§4.3)

import type { Json } from "../../harness/core/json.ts";
import { notSeen } from "../../harness/core/outcomes.ts";
import { otherNeed } from "../../harness/core/reason.ts";
import { questionOf, type RequestSpec } from "../../harness/core/requestSpec.ts";
import { withoutNumbers } from "../../harness/model/fingerprint.ts";
import type { Probe, ProbeContext, Seen } from "../../harness/model/probe.ts";
import { baseOf } from "../../harness/targets/bases.ts";
import type { Target } from "../../harness/targets/target.ts";
import { isServed } from "../../harness/transport/answers.ts";
import { headerOf } from "../../harness/transport/exchange.ts";
import { seenAs } from "../shared/describeCalls.ts";
import { describeEnvelope } from "../shared/describeEnvelope.ts";
import { forFeature, probesFor } from "../shared/forFeature.ts";
import { open } from "../shared/probeRequests.ts";
import { rawRpc } from "../shared/requestSpecs.ts";
import { rpcAndUsage, unjudgedHealth } from "./probeRequests.ts";

const origin = ["origin", "https://assay.example"] as const;
const json = ["content-type", "application/json"] as const;

/** Cases of observations that are about the usage endpoint as well. */
export const httpCases = {
  OPTIONS: {
    "JSON-RPC: OPTIONS, as a browser asks": {
      ...rawRpc(""),
      method: "OPTIONS",
      carriers: [],
      headers: [origin, ["access-control-request-method", "POST"], ["access-control-request-headers", "content-type"]],
    },
    "JSON-RPC: POST with an Origin": unjudgedHealth({ headers: [json, origin] }),
  },
  SLASH: {
    "JSON-RPC: the base without a slash at its end": unjudgedHealth({ path: [] }),
    "JSON-RPC: a doubled slash": unjudgedHealth({ path: ["//"] }),
  },
  404: {
    "JSON-RPC: an unknown path, with a key": unjudgedHealth({ path: ["/nope"] }),
    "JSON-RPC: an unknown path, without one": unjudgedHealth({ path: ["/nope"], carriers: [] }),
  },
  QUERY: { "JSON-RPC: ?x=1": unjudgedHealth({ query: [["x", "1"]] }) },
  GZIP: {
    "JSON-RPC: Accept-Encoding: gzip": unjudgedHealth({ headers: [json, ["accept-encoding", "gzip"]] }),
    "JSON-RPC: Accept-Encoding: br": unjudgedHealth({ headers: [json, ["accept-encoding", "br"]] }),
    "JSON-RPC: Accept-Encoding: identity": unjudgedHealth({ headers: [json, ["accept-encoding", "identity"]] }),
    "JSON-RPC: a gzipped body": unjudgedHealth({ headers: [json, ["content-encoding", "gzip"]] }),
  },
} satisfies { readonly [row: string]: { readonly [name: string]: RequestSpec } };

const typed = (type: string): RequestSpec => unjudgedHealth({ headers: [["content-type", type]] });

const longAddress = open({ query: [["x", "a".repeat(8 * 1024)]] });

const paddedTo = (size_KiB: number): RequestSpec =>
  rawRpc({ json: { jsonrpc: "2.0", id: 1, method: "getIndexerHealth", padding: "x".repeat(size_KiB * 1024) } });
const padded = { "64 KiB": paddedTo(64), "256 KiB": paddedTo(256), "1 MiB": paddedTo(1024) };

/** Larger and larger bodies, until one isn't served. */
async function largest({ ask, canAsk }: ProbeContext): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  if (canAsk(longAddress)) {
    const answered = await ask(longAddress);
    seen.push(seenAs("an address of 8 KiB", answered, answered.answer.status));
  }
  for (const [name, requestSpec] of Object.entries(padded).filter(([, one]) => canAsk(one))) {
    const answered = await ask(requestSpec);
    seen.push(seenAs(`JSON-RPC: a body of ${name}`, answered, describeEnvelope(answered)));
    if (!isServed(answered)) break;
  }
  return seen;
}

const bare = {
  admin: open({ carriers: [], plainHttp: true }),
  rpc: unjudgedHealth({ carriers: [], plainHttp: true }),
} as const;
const apis = ["admin", "rpc"] as const;
const isSecure = ({ bases }: Target, api: keyof typeof bare): boolean => bases[api]?.startsWith("https:") ?? false;

/** The answer to plain http; a refused connection is one, too. */
async function plainly({ ask, all }: ProbeContext, name: string, requestSpec: RequestSpec): Promise<Seen> {
  try {
    const answered = await ask(requestSpec);
    const { status } = answered.answer;
    const location = withoutNumbers(headerOf(answered.answer, "location") ?? "none");
    return seenAs(name, answered, { status, location });
  } catch (error) {
    // The last exchange of this repeat has the fault of a refused connection.
    const last = all.findLast((one) => questionOf(one.requestSpec) === questionOf(requestSpec));
    if (!last?.fault) throw error;
    return { case: name, summary: `no answer: ${last.fault.kind}` };
  }
}

async function negotiated({ handshake, target }: ProbeContext, base: string): Promise<Json> {
  if (!handshake) return "withheld: this run makes no handshakes";
  const shaken = await handshake(new URL(base));
  return "protocol" in shaken ? shaken.protocol : target.redact(`withheld: ${shaken.withheld}`);
}

async function protocols(context: ProbeContext): Promise<readonly Seen[]> {
  const { target, canAsk } = context;
  const seen: Seen[] = [];
  for (const api of apis) {
    const base = baseOf(target, api);
    if (base === undefined || !isSecure(target, api) || !canAsk(bare[api])) continue;
    seen.push(await plainly(context, `${api}: plain http, without a key`, bare[api]));
    seen.push({ case: `${api}: ALPN, h2 and http/1.1 offered`, summary: await negotiated(context, base) });
  }
  if (seen.length === 0) throw notSeen("no base address that is offered is https");
  return seen;
}

export const probes: readonly Probe[] = [
  forFeature("compression").answerProbe("OBS-HTTP-CTYPE", describeEnvelope, {
    "no content type": unjudgedHealth({ headers: [] }),
    "text/plain": typed("text/plain"),
    "application/json; charset=utf-16": typed("application/json; charset=utf-16"),
    "application/json-rpc": typed("application/json-rpc"),
  }),
  probesFor(["usage", "compression"]).experiment("OBS-HTTP-SIZE", [longAddress, ...Object.values(padded)], largest, {
    suffices: "any",
    unless: ({ isReference }) => (isReference ? null : otherNeed("sent to the reference only")),
  }),
  probesFor(rpcAndUsage).experiment("OBS-HTTP-TLS", Object.values(bare), protocols, {
    suffices: "any",
    unless: (target) =>
      apis.some((api) => isSecure(target, api)) ? null : otherNeed("every base address is plain http"),
  }),
];
