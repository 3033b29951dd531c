// What is k6 told, and what does it say back? The words between scripts and whoever starts them; nothing here runs.

/** A request as k6 can send it. */
export interface K6Request {
  readonly method: string;
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  /** The body's bytes; null where there is none. */
  readonly body_base64: string | null;
}

/** What k6 made of one request. */
export interface K6Answer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body_base64: string;
  /** k6's own number of what went wrong; 0 where an answer came. */
  readonly errorCode: number;
  readonly error: string;
}

export interface VolleyRound extends K6Request {
  readonly at_ms: number;
  readonly connection: number;
}

/** Orders of volley.ts. */
export interface VolleyOrders {
  readonly rounds: readonly VolleyRound[];
  /** From the last time to send until k6 gives up. */
  readonly deadline_ms: number;
  /** Between k6's being ready and the volley's start. */
  readonly lead_ms: number;
}

/** What volley.ts says of a round; times after the volley's start. */
export interface VolleyRecord {
  /** Index of the round. */
  readonly nth: number;
  /** When the script told k6 to send. */
  readonly called_ms: number;
  /** When the connection was there: never later than the first byte. */
  readonly sent_ms: number;
  /** When the answer was whole: never earlier than its last byte. */
  readonly received_ms: number;
  readonly answer: K6Answer;
}

/** The last line of every script. */
export interface Summary {
  readonly iterations: number;
  readonly droppedIterations: number;
  readonly requests: number;
}
