// What can stand before the platform, and see keys and commands?

/** Requests and answers as they pass something that stands before the platform. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
}
interface Answered {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}
type Serve = (asked: Asked) => Promise<Answered>;

export type PlatformProxy = (serve: Serve) => Serve;
