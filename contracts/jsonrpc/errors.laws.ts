// Laws of JSON-RPC errors: codes and messages of the method's own error table (§7.2)
import { equals, type Finding, held, must } from "../../harness/core/finding.ts";
import { type Json, valueAt } from "../../harness/core/json.ts";
import { keyHolder } from "../../harness/core/requestSpec.ts";
import { type Law, type LawReading, law } from "../../harness/model/law.ts";
import { rpcErrorOf } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { type CompleteTable, onlyCodesOf, type RpcErrorRow, rpcErrors } from "../../specs/generated/operations.ts";

/** Codes of JSON-RPC itself, which no table names. */
const protocolCodes = [-32700, -32600, -32601];

const tables = Object.keys(onlyCodesOf) as CompleteTable[];

/** A row of another table, where the method's own table doesn't have the same. */
function isForeign(errorTable: CompleteTable, code: number, message: Json | undefined): boolean {
  const isSame = (row: RpcErrorRow): boolean => row.code === code && row.message === message;
  return !rpcErrors[errorTable].some(isSame) && tables.some((one) => rpcErrors[one].some(isSame));
}

/** A code of the table comes with the message of that row. */
const messages = (errorTable: CompleteTable): readonly Law[] =>
  rpcErrors[errorTable].map(({ code, message, requirement }) => {
    const clause = ({ exchange, any }: LawReading<Json>): Finding | undefined => {
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
export const mayBeLag = ({ requestSpec, sent }: Exchange): boolean =>
  requestSpec.operation === "getIndexerHealth" &&
  keyHolder(requestSpec) !== null &&
  isEmpty(valueAt(sent.json, "/params"));

function ofItsTable(errorTable: CompleteTable, exchange: Exchange): Finding | undefined {
  const error = rpcErrorOf(exchange);
  if (error?.code === undefined) return undefined;
  const { code, message } = error;
  const own = rpcErrors[errorTable].map((row) => row.code);
  const isOwn = protocolCodes.includes(code) || own.includes(code);
  const isOfAnother = isForeign(errorTable, code, message);
  if (!isOwn && !isOfAnother && mayBeLag(exchange)) return undefined;
  if (!isOwn) return must(false, "/error/code", `a code of its table: ${own.join(", ")}`, code);
  return must(!isOfAnother, "/error/message", "a message of its own table", message);
}

/** A code that means something else in another table, as -32003 does (T-01). */
export const sharedCode = -32003;

function meansItsOwn(errorTable: CompleteTable, own: string, exchange: Exchange): Finding | undefined {
  const error = rpcErrorOf(exchange);
  if (error?.code !== sharedCode) return undefined;
  if (isForeign(errorTable, sharedCode, error.message))
    return must(false, "/error/message", JSON.stringify(own), error.message);
  return error.message === own ? held : undefined;
}

function lawsOf(errorTable: CompleteTable): readonly Law[] {
  const shared = rpcErrors[errorTable].find(({ code }) => code === sharedCode)?.message;
  return [
    ...messages(errorTable),
    law({ errorTable }, "error", {
      [onlyCodesOf[errorTable]]: ({ exchange }: LawReading<Json>) => ofItsTable(errorTable, exchange),
      ...(shared === undefined
        ? {}
        : { "ERR-X-01": ({ exchange }: LawReading<Json>) => meansItsOwn(errorTable, shared, exchange) }),
    }),
  ];
}

export const laws: readonly Law[] = tables.flatMap(lawsOf);
