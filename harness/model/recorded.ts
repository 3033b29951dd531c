// What in a recording may be its recorder's rather than the platform's: laws don't judge it there.
import { type Json, listOf, stepsOf, valueAt } from "../core/json.ts";
import type { Exchange } from "../transport/exchange.ts";

/**
 * Recorders that parse JSON round larger numbers: JavaScript keeps 2^53, Lua's cjson 14 digits. In a recording they
 * compare with nothing.
 */
const mostRecorded = 1e14;

/** Whether a recorder may have written a number or a text otherwise than it was: rounded, or in another encoding. */
export const mayBeRewritten = ({ recordedAs }: Exchange, ...values: readonly (Json | undefined)[]): boolean =>
  recordedAs !== undefined &&
  values.every((value) => typeof value === typeof values[0]) &&
  values.some((value) =>
    typeof value === "number" ? Math.abs(value) >= mostRecorded : typeof value === "string" && /[^ -~]/.test(value),
  );

/** An integer beyond 2^53, which readers of JSON write as a text to keep its digits. */
const isLongNumber = (value: Json | undefined): boolean =>
  typeof value === "string" && /^-?\d{16,}$/.test(value) && !Number.isSafeInteger(Number(value));

/** What pipelines of logs drop. */
const dropped: readonly Json[] = [null, "", [], {}];

/** An error of a schema; at what is missing, where something is. */
interface SchemaError {
  readonly at: string;
  readonly keyword: string;
}

/**
 * Whether a recorder may have made an error: a long number is a text, or a member without a value has gone or come.
 * @param errorsOf those of another body
 */
export function mayBeRecorders(
  { at, keyword }: SchemaError,
  { answer, recordedAs }: Exchange,
  errorsOf: (body: Json) => readonly SchemaError[],
): boolean {
  const body = answer?.json?.value;
  if (recordedAs === undefined || body === undefined) return false;
  const got = valueAt(body, at);
  if (keyword === "type" && isLongNumber(got)) return true;
  if (recordedAs !== "json" || (got ?? null) !== null) return false;
  return (got === undefined ? dropped : [undefined]).some((member) => {
    const errors = errorsOf(withMember(body, stepsOf(at), member));
    return !errors.some((error) => error.at === at || error.at.startsWith(`${at}/`));
  });
}

/** A copy with another member, or without it. */
function withMember(value: Json, [step = "", ...rest]: readonly string[], member: Json | undefined): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value))
    return listOf(value).map((item, nth) => (String(nth) === step ? withMember(item, rest, member) : item));
  const { [step]: own, ...others } = value as { readonly [name: string]: Json };
  const changed = rest.length > 0 && own !== undefined ? withMember(own, rest, member) : member;
  return changed === undefined ? others : { ...others, [step]: changed };
}
