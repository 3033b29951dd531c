// Proxies before the platform, which see keys and commands
import type { Doc, Value } from "./wire.ts";

/** A request as it passes. */
export interface ProxyPassing {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
}

interface Answer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

type Serve = (request: ProxyPassing) => Promise<Answer>;

/** The key in the header, else in the query. */
export const keyIn = ({ url, headers }: Pick<ProxyPassing, "url" | "headers">): string | null =>
  headers.find(([name]) => name.toLowerCase() === "x-api-key")?.[1] ?? new URL(url).searchParams.get("api-key");

/** The JSON of an answer. */
export const docIn = ({ body }: Answer): Doc => JSON.parse(new TextDecoder().decode(body)) as Doc;

export const inBytes = (body: Value): Uint8Array => new TextEncoder().encode(JSON.stringify(body));

export type PlatformProxy = (serve: Serve) => Serve;
