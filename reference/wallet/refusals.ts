// Answers to refused wallet requests
import type { ErrorShape, WalletCause, WalletRefusal } from "../platform/walletRules.ts";
import type { PlatformAnswer } from "../platform/wire.ts";

/** Thrown while a request is examined; the endpoint turns it into an answer. */
export class Declined extends Error {
  readonly walletCause: WalletCause;

  constructor(walletCause: WalletCause) {
    super(walletCause);
    this.walletCause = walletCause;
  }
}

export function declined(
  { status, code, message }: WalletRefusal,
  shape: ErrorShape,
  headers: Record<string, string> = {},
): PlatformAnswer {
  const challenge: Record<string, string> = status === 401 ? { "www-authenticate": 'ApiKey realm="wallet"' } : {};
  const bodies = {
    "code and message": { code, message },
    nested: { error: { code, message } },
    "as of the usage endpoint": { statusCode: status, message, error: code },
  };
  return {
    status,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "cache-control": "private, no-store",
      ...challenge,
      ...headers,
    },
    body: bodies[shape],
  };
}
