// Statuses, codes and messages of refused wallet requests; only the 403 on free plans is shown (§5.7, §7.3)
import type { ErrorShape, WalletCause, WalletRefusal } from "../platform/walletRules.ts";
import type { WireAnswer } from "../platform/wire.ts";

const refusal = (status: number, code: string, message: string): WalletRefusal => ({ status, code, message });
const unauthorized = refusal(401, "UNAUTHORIZED", "The API key is missing or isn't known");

export const honestRefusals: { readonly [C in WalletCause]: WalletRefusal } = {
  noKey: unauthorized,
  malformedKey: unauthorized,
  unknownKey: unauthorized,
  revokedKey: unauthorized,
  blockedAddress: refusal(403, "ADDRESS_BLOCKED", "This API key is not allowed from your address"),
  plan: refusal(403, "PLAN_REQUIRED", "This endpoint needs a paid plan"),
  wallet: refusal(400, "INVALID_WALLET", "Neither a wallet address nor a domain"),
  moment: refusal(
    400,
    "INVALID_MOMENT",
    "Name exactly one past moment: unix time in seconds, ISO 8601 with a zone, or a slot",
  ),
  query: refusal(400, "INVALID_QUERY", "A query parameter is unknown or isn't good"),
  mediaType: refusal(415, "UNSUPPORTED_MEDIA_TYPE", "Send application/json"),
  tooLarge: refusal(413, "BODY_TOO_LARGE", "The body is too large"),
  body: refusal(400, "INVALID_BODY", "The body isn't a list of wallet addresses and domains"),
  tooMany: refusal(400, "TOO_MANY_ENTRIES", "At most 100 addresses and domains per call"),
  notFound: refusal(404, "NOT_FOUND", "Nothing is known of this wallet"),
  verb: refusal(405, "METHOD_NOT_ALLOWED", "Method not allowed"),
};

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
): WireAnswer {
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
