// A recorded request with its answer, as a recording or a proxy has it: in clear, keys included.
import type { HeaderList } from "../transport/exchange.ts";

export interface RecordedAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: HeaderList;
  /** Bytes as they came, perhaps compressed; a text is decoded already. Null where it isn't recorded, or not whole. */
  readonly body: Uint8Array | string | null;
  /** Set where the head may have had fields that aren't recorded. */
  readonly lacksHeaders?: boolean;
  /** Set where the recording holds the body as JSON rather than as its text, which somebody has parsed then. */
  readonly isParsed?: true;
}

export interface Recorded {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: HeaderList;
  /** Null where there was none, or where it isn't recorded. */
  readonly body: string | null;
  /** Why no complete answer is there, as a fault of the network; else the answer. */
  readonly answer: RecordedAnswer | { readonly fault: string };
  /** Unix time in ms. */
  readonly sentAt_ms: number;
  readonly latency_ms: number;
  /** Set where nothing can be lacking: a proxy has seen the very bytes. */
  readonly isExact?: true;
  /** Set where it broke something in our own journal: what may be a failure of the network was confirmed there. */
  readonly isConfirmed?: boolean;
}

/** Whether a recorder of others wrote it, which may have changed what it wrote; our own journals say `isConfirmed`. */
export const isOthers = ({ isExact, isConfirmed }: Recorded): boolean => !isExact && isConfirmed === undefined;

/** What a recording holds at one place: an exchange, or why it can't be read. */
export type RecordedEntry = Recorded | { readonly unread: string };
