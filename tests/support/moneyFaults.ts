// Faults on the way of calls that cost: each is caused after the platform has taken the call, or before it has
import type { WireAnswer, WireRequest } from "../../harness/transport/wire.ts";
import { WireFault } from "../../harness/transport/wireFault.ts";

/** What comes instead of an answer. */
export interface MoneyFault {
  /** Whether the platform takes the call before; it may charge for it then. */
  readonly isTaken: boolean;
  /** Whether it refuses a call for its rate, which may be sent again then, as often as the plan pays for. */
  readonly isRefusal: boolean;
  readonly how: (request: WireRequest) => Promise<WireAnswer>;
}

/** What comes back; null where the connection is dropped. */
export const answerBy = (fault: MoneyFault, request: WireRequest): Promise<WireAnswer | null> =>
  fault.how(request).catch((error: unknown) => {
    if (error instanceof WireFault) return null;
    throw error;
  });

/** An origin where nothing may ever arrive. */
export const elsewhere = "http://elsewhere.assay.example";

const html = "<!doctype html><title>Please wait</title>";

const answering =
  (
    status: number,
    headers: WireAnswer["headers"],
    body: string | ((request: WireRequest) => object),
  ): MoneyFault["how"] =>
  (request) =>
    Promise.resolve({
      status,
      headers: [["content-type", typeof body === "string" ? "text/html" : "application/json"], ...headers],
      body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body(request))),
    });

const idOf = ({ body = "" }: WireRequest): unknown => {
  try {
    return (JSON.parse(body) as { readonly id?: unknown }).id ?? null;
  } catch {
    return null;
  }
};
const rpcError =
  (code: number, message: string) =>
  (request: WireRequest): object => ({ jsonrpc: "2.0", id: idOf(request), error: { code, message } });

const taken = (how: MoneyFault["how"], isRefusal = false): MoneyFault => ({ isTaken: true, isRefusal, how });
const failing =
  (kind: WireFault["kind"]): MoneyFault["how"] =>
  () =>
    Promise.reject(new WireFault(kind, "made"));

const slowDown = rpcError(-32005, "Too many requests, retry me");
const waits = ["0", "1", "Fri, 31 Dec 2100 23:59:59 GMT", "1000000000", "-5", "soon"] as const;

export const moneyFaults: { readonly [name: string]: MoneyFault } = {
  ...Object.fromEntries(
    [408, 425, 429, 500, 503].map(
      (status) => [`HTML ${status}`, taken(answering(status, [], html), status === 429)] as const,
    ),
  ),
  "a drop before the call is read": { isTaken: false, isRefusal: false, how: failing("reset") },
  "a drop after the call is read": taken(failing("reset")),
  "an empty answer": taken(answering(200, [], "")),
  "no answer until the deadline": taken(() => new Promise(() => undefined)),
  "HTML 200": taken(answering(200, [], html)),
  ...Object.fromEntries(
    [307, 308].flatMap((status) => [
      [`${status} to itself`, taken((request) => answering(status, [["location", request.url]], "")(request))] as const,
      [`${status} elsewhere`, taken(answering(status, [["location", `${elsewhere}/`]], ""))] as const,
    ]),
  ),
  "a wrong id": taken(answering(200, [], () => ({ jsonrpc: "2.0", id: "another", result: "taken" }))),
  "an error that asks for a retry": taken(answering(200, [], slowDown), true),
  ...Object.fromEntries(
    waits.flatMap((wait) => [
      [`JSON 429 with Retry-After: ${wait}`, taken(answering(429, [["retry-after", wait]], slowDown), true)] as const,
      [`HTML 429 with Retry-After: ${wait}`, taken(answering(429, [["retry-after", wait]], html), true)] as const,
      [
        `JSON 503 with Retry-After: ${wait}`,
        taken(answering(503, [["retry-after", wait]], rpcError(-32000, "Try again later"))),
      ] as const,
    ]),
  ),
};
