// One request as the endpoints see it, and refusals in the shape of the usage endpoint (§7.1)
import type { Refusal } from "./rules.ts";
import type { JsonRpcCall, PlatformAnswer, RawHeaders } from "./wire.ts";

export interface RequestContext {
  readonly url: URL;
  readonly call: JsonRpcCall;
  readonly headers: RawHeaders;
  /** Of the client. */
  readonly address: string;
  readonly body: string;
  /** The project's id in the path. */
  readonly id: string | null;
  /** The address or domain in the path, as it was written there. */
  readonly wallet: string | null;
  /** The same for all requests of one connection. */
  readonly connection: object;
}

/** A refusal in the shape of the usage endpoint (§7.1), for everything that isn't JSON-RPC. */
export const problem = ({ status, message, error }: Refusal, headers: Record<string, string> = {}): PlatformAnswer => ({
  status,
  headers: { "content-type": "application/json; charset=utf-8", ...headers },
  body: { statusCode: status, message, error },
});
