// Answers of the chain's own RPC: free, and never judged, as it isn't part of the interface
import { isObject, type Json, parseJson, valueAt } from "../../harness/core/json.ts";
import { Inconclusive, notSeen } from "../../harness/core/outcomes.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import type { Template } from "../../harness/core/template.ts";
import type { CheckContext } from "../../harness/model/check.ts";
import type { Target } from "../../harness/targets/target.ts";
import { isServed } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { rawRpc } from "../shared/requestSpecs.ts";

type Members = "target" | "once" | "now_ms" | "elsewhere" | "fresh" | "mostSends";

/** What makes bundles: a check or a probe. */
export interface BundleContext extends Pick<CheckContext, Members> {
  ask(requestSpec: RequestSpec): Promise<Exchange>;
}

/** Whether a run asks a chain; the reference looks neither at blockhashes nor at funds. */
export const needsChain = ({ isReference, bundles }: Target): boolean =>
  !isReference || bundles?.blockhashFrom !== undefined;

/** Whom it asks, for people. */
export const sourceOf = ({ bundles }: Target): string =>
  bundles?.blockhashFrom ? "bundles.blockhashFrom" : "the platform's getLatestBlockhash";

const requestOf = (method: string, params: Template): RequestSpec =>
  rawRpc({ json: { jsonrpc: "2.0", id: 1, method, params } });

export const blockhashRequest = requestOf("getLatestBlockhash", [{ commitment: "confirmed" }]);

export const balanceRequest = (address: string): RequestSpec =>
  requestOf("getBalance", [address, { commitment: "confirmed" }]);

/**
 * A result of the chain's RPC, of `bundles.blockhashFrom` or the platform itself; undefined where there is none.
 * @throws Withheld where the address that the target names doesn't answer
 */
export async function askedOfChain(context: BundleContext, request: RequestSpec): Promise<Json | undefined> {
  const from = context.target.bundles?.blockhashFrom;
  if (!from) {
    const exchange = await context.ask(context.fresh(request)).catch(unlessUnserved);
    return exchange && isServed(exchange) ? valueAt(exchange.answer?.json?.value, "/result") : undefined;
  }
  const { answer, fault } = await context.elsewhere({
    method: "POST",
    url: typeof from === "string" ? from : from.open(),
    headers: [["content-type", "application/json"]],
    body: JSON.stringify(request.json),
  });
  if (!answer) throw notSeen(`bundles.blockhashFrom doesn't answer (${fault?.kind})`);
  return valueAt(parseJson(answer.text)?.value, "/result");
}

/** A platform may answer a method that it doesn't have with a failure. @throws what is none */
function unlessUnserved(error: unknown): undefined {
  if (!(error instanceof Inconclusive)) throw error;
}

/** Lamports; null where the chain doesn't say. */
export async function balanceOf(context: BundleContext, address: string): Promise<number | null> {
  const result = await askedOfChain(context, balanceRequest(address));
  const value = isObject(result) ? result["value"] : null;
  return typeof value === "number" ? value : null;
}
