// Refusals of JSON-RPC calls, thrown by handlers
import type { RpcCause } from "../errors/causes.ts";

/** Thrown by a handler; the envelope words it by the method's error table. */
export class Refused extends Error {
  readonly rpcCause: RpcCause;
  /** Follows the message of the error table: for methods whose messages aren't documented. */
  readonly why: string | undefined;

  constructor(rpcCause: RpcCause, why?: string) {
    super(rpcCause);
    this.rpcCause = rpcCause;
    this.why = why;
  }
}

/** @throws Refused for bad params unless a condition holds */
export function needs(condition: boolean, why?: string): asserts condition {
  if (!condition) throw new Refused("params", why);
}
