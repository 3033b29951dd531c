// Types of a proxy before the platform, which sees keys and commands
/** A request as it passes. */
export interface Passing {
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
type Serve = (request: Passing) => Promise<Answer>;

export type PlatformProxy = (serve: Serve) => Serve;
