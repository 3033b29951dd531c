// What do the endpoints share: the request as it was understood, and what the platform keeps between requests?

import type { RawHeaders } from "../access/keys.ts";
import type { Bucket, Limiter } from "../access/limiter.ts";
import type { Meters } from "../metering/meters.ts";
import type { Refusal, Rules } from "./rules.ts";
import type { Call, Value, WireAnswer } from "./wire.ts";
import type { Key, Project, World } from "./world.ts";

export interface RequestContext {
  readonly url: URL;
  readonly call: Call;
  readonly headers: RawHeaders;
  readonly address: string;
  readonly body: string;
  readonly id: string | null;
  /** The address or domain in the path, as it was written there. */
  readonly wallet: string | null;
  /** The same for all requests of one connection. */
  readonly connection: object;
}

export interface Services {
  readonly rules: Rules;
  readonly world: World;
  readonly limiter: Limiter;
  readonly meters: Meters;
  readonly now_ms: () => number;
  /** Lets time pass before an answer. */
  readonly wait: (duration_ms: number) => Promise<void>;
  /** Reads so far, by project. */
  readonly reads: Map<Project, number>;
  readonly general: Bucket;
  /** JSON-RPC calls so far, by project and cycle. */
  readonly calls: Map<string, number>;
  /** Envelopes that were sent, for the mutant that sends them again. */
  readonly envelopes: Map<string, Value>;
  /** For the mutant that confuses calls that run at once. */
  lastId: Value;
  /** Bodies that came to the JSON-RPC address so far. */
  rpcCalls: number;
}

/** A refusal in the shape of the usage endpoint (§7.1), for whatever isn't JSON-RPC. */
export const problem = ({ status, message, error }: Refusal, headers: Record<string, string> = {}): WireAnswer => ({
  status,
  headers: { "content-type": "application/json; charset=utf-8", ...headers },
  body: { statusCode: status, message, error },
});

/** Whether the address of a client may use a key. */
export function mayAsk(
  { project, key }: { readonly project: Project; readonly key: Key },
  address: string,
  { addressScope, refusals }: Rules,
): boolean {
  const restricted = addressScope === "key" ? [key] : project.keys;
  return (
    refusals.blockedAddress === null ||
    restricted.every(({ allowedAddresses }) => !allowedAddresses || allowedAddresses.includes(address))
  );
}
