// Platforms in this process: their fetch as the wire.
import { coded } from "./contentCoding.ts";
import type { HeaderList } from "./exchange.ts";
import type { WireAnswer, WireRequest } from "./wire.ts";

/** @param sent all headers as they would be on a connection, in their order and case */
export type PlatformFetch = (request: Request, sent: HeaderList) => Response | Promise<Response>;

export async function fetchedBy(
  fetch: PlatformFetch,
  { method, url, headers, body }: WireRequest,
): Promise<WireAnswer> {
  const bytes = coded(headers, body);
  const sent = [...headers, ...(bytes === null ? [] : [["content-length", String(Buffer.byteLength(bytes))] as const])];
  // A Web request can't carry the body of a GET; only its length shows that there is one.
  const carried =
    bytes === null || method === "GET" ? {} : { body: bytes as NonNullable<ConstructorParameters<typeof Response>[0]> };
  const request = new Request(url, {
    method,
    headers: sent.map(([name, value]) => [name, value] as [string, string]),
    ...carried,
  });
  const response = await fetch(request, sent);
  return {
    status: response.status,
    headers: [...response.headers],
    body: new Uint8Array(await response.arrayBuffer()),
  };
}
