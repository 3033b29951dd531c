// Refusals of JSON-RPC calls, thrown by handlers
import type { RpcCause } from "../errors/causes.ts";

/** Thrown by a handler; the envelope words it by the method's error table. */
export class Refused extends Error {
  readonly rpcCause: RpcCause;

  constructor(rpcCause: RpcCause) {
    super(rpcCause);
    this.rpcCause = rpcCause;
  }
}

/** @throws Refused for bad params unless a condition holds */
export function needs(condition: boolean): asserts condition {
  if (!condition) throw new Refused("params");
}
