// Laws of JSON-RPC errors: codes and messages of the method's own error table (§7.2)
import { equals, type Finding, held, must } from "../../harness/core/finding.ts";
import { type Json, valueAt } from "../../harness/core/json.ts";
import { keyHolder } from "../../harness/core/stimulus.ts";
import { type Law, law, type Reading } from "../../harness/model/law.ts";
import { rpcErrorOf } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { rpcErrors } from "../../specs/generated/operations.ts";
import { rowOf } from "../shared/jsonRpcOracles.ts";

/** Codes of JSON-RPC itself, which no table names. */
const protocolCodes = [-32700, -32600, -32601];

/** Whole tables, and the requirement that only their codes are used; for bundles one code alone is shown. */
export const setOf = { tokenAccounts: "ERR-TA-SET-01", compression: "ERR-CMP-SET-01" } as const;
type Tabled = keyof typeof setOf;

const otherOf: { readonly [F in Tabled]: Tabled } = { tokenAccounts: "compression", compression: "tokenAccounts" };

/** A code of the table comes with the message of that row. */
const messages = (errorTable: Tabled): readonly Law[] =>
  (rpcErrors[errorTable] ?? []).map(({ code, message, requirement }) => {
    const clause = ({ exchange, any }: Reading<Json>): Finding | undefined => {
      const got = any("/error/message");
      if (message === undefined || rpcErrorOf(exchange)?.code !== code || typeof got !== "string") return undefined;
      return got !== message && mayBeLag(exchange) ? undefined : equals("/error/message", got, message);
    };
    return law<Json>({ errorTable }, "error", { [requirement]: clause });
  });

/** Whether empty params are accepted is unspecified (OBS-IH-PARAMS). */
const isEmpty = (params: Json | undefined): boolean =>
  params === undefined || params === null || (typeof params === "object" && Object.keys(params).length === 0);

/** Nothing was wrong with the call: its error may be that of a lagging index, whose code isn't shown (T-26). */
export const mayBeLag = ({ stimulus, sent }: Exchange): boolean =>
  stimulus.operation === "getIndexerHealth" && keyHolder(stimulus) !== null && isEmpty(valueAt(sent.json, "/params"));

function ofItsTable(errorTable: Tabled, exchange: Exchange): Finding | undefined {
  const error = rpcErrorOf(exchange);
  if (error?.code === undefined) return undefined;
  const { code, message } = error;
  const own = (rpcErrors[errorTable] ?? []).map((row) => row.code);
  const isOwn = protocolCodes.includes(code) || own.includes(code);
  const isForeign =
    rpcErrors[otherOf[errorTable]]?.some((row) => row.code === code && row.message === message) ?? false;
  if (!isOwn && !isForeign && mayBeLag(exchange)) return undefined;
  if (!isOwn) return must(false, "/error/code", `a code of its table: ${own.join(", ")}`, code);
  return must(!isForeign, "/error/message", "a message of its own table", message);
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

const lawsOf = (errorTable: Tabled): readonly Law[] => [
  ...messages(errorTable),
  law({ errorTable }, "error", {
    [setOf[errorTable]]: ({ exchange }: Reading<Json>) => ofItsTable(errorTable, exchange),
    "ERR-X-01": ({ exchange }) => meansItsOwn(errorTable, exchange),
  }),
];

export const laws: readonly Law[] = [...lawsOf("tokenAccounts"), ...lawsOf("compression")];
