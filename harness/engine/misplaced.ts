// Misplaced answers: those that don't come from the platform that the interface describes.
import { rpcErrorOf, suspicion } from "../transport/answers.ts";
import { type Exchange, type Fault, headerOf, mediaTypeOf } from "../transport/exchange.ts";
import { foreignnessOf } from "../transport/foreign.ts";

/** No answer with such a fault comes from the platform. */
const farFaults: readonly Fault["kind"][] = ["refused", "reset", "dns", "tls", "proxy", "protocol"];
/** Nothing was asked, so that a key would change nothing. */
export const withoutConnection: readonly Fault["kind"][] = ["refused", "dns", "tls"];
export const wrongPlaces: readonly number[] = [404, 405, 407, 410];
const gateways: readonly number[] = [502, 503, 504];

export const isGateways = ({ answer }: Exchange): boolean => gateways.includes(answer?.status ?? 0);

/** Why the answer doesn't come from the platform that the interface describes; null where it may. */
export function misplacedBy(exchange: Exchange): string | null {
  const { answer, fault, protocol } = exchange;
  const doubt = suspicion(exchange);
  if (!answer) return fault && farFaults.includes(fault.kind) ? doubt : null;
  if (protocol.kind === "json-rpc" && rpcErrorOf(exchange)) return null;
  const { status } = answer;
  if (status >= 300 && status < 400)
    return `a redirect (HTTP ${status} to ${headerOf(answer, "location") ?? "nowhere"})`;
  if (wrongPlaces.includes(status)) return `HTTP ${status}`;
  if (answer.json || foreignnessOf(exchange)?.isOwn) return null;
  const isText = status < 300 || gateways.includes(status);
  return isText || mediaTypeOf(answer)?.includes("html") ? (doubt ?? `HTTP ${status} without JSON`) : null;
}
