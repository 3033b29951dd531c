// Vendors that the reference plays: they pay for bundles, and answers change on their way
import { Secret } from "../../harness/core/secret.ts";
import type { WireAnswer, WireRequest } from "../../harness/transport/wire.ts";
import { WireFault } from "../../harness/transport/wireFault.ts";
import type { components } from "../../specs/generated/openapi.ts";
import { asVendor, type Between, changeIn, type OfTarget, type TargetChange } from "./probeSpecs.ts";

/** Of the account that pays, and its public key. */
export const secret = "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi";
export const payer = "AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9";

/** Has a payer, but allows nothing yet. */
export const payingVendor =
  (change: TargetChange = {}): OfTarget =>
  (given) => {
    const { bundles, ...target } = given;
    if (!bundles) throw new Error("the target names no tip account");
    const paying = { ...bundles, payer: new Secret("payer", secret) };
    const known = { offers: ["bundles"], perSecond: 1000, bundles: paying } as const;
    return asVendor({ ...known, ...changeIn(given, change) })(target);
  };

export const answered = (status: number, body: unknown): WireAnswer => ({
  status,
  headers: [["content-type", "application/json"]],
  body: Buffer.from(JSON.stringify(body)),
});
/** A connection that is cut before it is answered. */
export const cut: ReturnType<Between> = () => Promise.reject(new WireFault("reset", "the connection was reset"));
/** An envelope with the id of its call. */
export const enveloped = ({ body }: WireRequest, members: object): WireAnswer => {
  const { id } = JSON.parse(String(body)) as { readonly id: number };
  return answered(200, { jsonrpc: "2.0", id, ...members });
};

/** Replaces the answers to some requests, which the platform doesn't see. */
export const answering =
  (instead: (request: WireRequest) => WireAnswer | null): Between =>
  (wire) =>
  (request, signal) => {
    const answer = instead(request);
    return answer ? Promise.resolve(answer) : wire(request, signal);
  };

export type Usage = components["schemas"]["ProjectUsage"];
/** Rewrites usage documents, by what was served before. */
export const rewriting =
  (rewrite: (usage: Usage) => void, onServed: (request: WireRequest) => void = () => undefined): Between =>
  (wire) =>
  async (request, signal) => {
    const answer = await wire(request, signal);
    if (answer.status !== 200) return answer;
    onServed(request);
    if (!new URL(request.url).pathname.endsWith("/usage")) return answer;
    const usage = JSON.parse(Buffer.from(answer.body).toString()) as Usage;
    rewrite(usage);
    const headers = answer.headers.filter(([name]) => name.toLowerCase() !== "content-length");
    return { ...answer, headers, body: Buffer.from(JSON.stringify(usage)) };
  };

/** Whether a call of sendBundle has a text that could be a transaction. */
export const isBundle = ({ body = "" }: { readonly body?: string }): boolean =>
  body.includes('"sendBundle"') && /[\w+/=-]{86}/.test(body);
