// Laws of JSON-RPC errors: codes and messages of the method's own error table (§7.2)
import { equals, type Finding, held, must } from "../../harness/core/finding.ts";
import { type Json, valueAt } from "../../harness/core/json.ts";
import { keyHolder } from "../../harness/core/stimulus.ts";
import { type Law, law, type Reading, type Scope } from "../../harness/model/law.ts";
import { rpcErrorOf } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { rpcErrors } from "../../specs/generated/operations.ts";
import { type ErrorTable, rowOf } from "../shared/jsonRpcOracles.ts";

/** Codes of JSON-RPC itself, which no table names. */
const protocolCodes = [-32700, -32600, -32601];

/** Whole tables; for bundles one code alone is shown. */
type Tabled = Exclude<ErrorTable, "bundles">;

const scopeOf: { readonly [F in Tabled]: Scope } = {
  tokenAccounts: "getTokenAccounts",
  compression: { errorTable: "compression" },
};
const otherOf: { readonly [F in Tabled]: Tabled } = { tokenAccounts: "compression", compression: "tokenAccounts" };

/** A code of the table comes with the message of that row. */
const messages = (errorTable: Tabled): readonly Law[] =>
  (rpcErrors[errorTable] ?? []).map(({ code, message, requirement }) => {
    const clause = ({ exchange, any }: Reading<Json>): Finding | undefined => {
      const got = any("/error/message");
      if (
        message === undefined ||
        rpcErrorOf(exchange)?.code !== code ||
        typeof got !== "string" ||
        (got !== message && mayBeLag(exchange))
      )
        return undefined;
      return equals("/error/message", got, message);
    };
    return law<Json>(scopeOf[errorTable], "error", { [requirement]: clause });
  });

/** Whether empty params are accepted is unspecified (OBS-IH-PARAMS). */
const isEmpty = (params: Json | undefined): boolean =>
  params === undefined || params === null || (typeof params === "object" && Object.keys(params).length === 0);

/** Nothing was wrong with the call: its error may be that of a lagging index, whose code isn't shown (T-26). */
export const mayBeLag = ({ stimulus, sent }: Exchange): boolean =>
  stimulus.operation === "getIndexerHealth" && keyHolder(stimulus) !== null && isEmpty(valueAt(sent.json, "/params"));

function ofItsTable(errorTable: Tabled, exchange: Exchange): Finding | undefined {
  const error = rpcErrorOf(exchange);
  if (!error || error.code === undefined) return undefined;
  const { code, message } = error;
  const [own, foreign] = [errorTable, otherOf[errorTable]].map((one) => rpcErrors[one] ?? []);
  const isOwn = protocolCodes.includes(code) || (own ?? []).some((row) => row.code === code);
  const isForeign = (foreign ?? []).some((row) => row.code === code && row.message === message);
  if (!isOwn && !isForeign && mayBeLag(exchange)) return undefined;
  if (!isOwn)
    return must(false, "/error/code", `a code of its table: ${(own ?? []).map((row) => row.code).join(", ")}`, code);
  return isForeign ? must(false, "/error/message", "a message of its own table", message) : held;
}

/** -32003 means two things (T-01). */
function meansItsOwn(errorTable: Tabled, exchange: Exchange): Finding | undefined {
  const error = rpcErrorOf(exchange);
  if (error?.code !== -32003) return undefined;
  const [permission, timeout] = [rowOf("tokenAccounts", "permission").message, rowOf("compression", "timeout").message];
  const [own = "", foreign] = errorTable === "tokenAccounts" ? [permission, timeout] : [timeout, permission];
  if (error.message === foreign) return must(false, "/error/message", JSON.stringify(own), error.message);
  return error.message === own ? held : undefined;
}

export const laws: readonly Law[] = [
  ...messages("tokenAccounts"),
  ...messages("compression"),
  law("getTokenAccounts", "error", { "ERR-TA-SET-01": ({ exchange }) => ofItsTable("tokenAccounts", exchange) }),
  law({ errorTable: "compression" }, "error", {
    "ERR-CMP-SET-01": ({ exchange }) => ofItsTable("compression", exchange),
  }),
  law("getTokenAccounts", "error", { "ERR-X-01": ({ exchange }) => meansItsOwn("tokenAccounts", exchange) }),
  law({ errorTable: "compression" }, "error", { "ERR-X-01": ({ exchange }) => meansItsOwn("compression", exchange) }),
];
