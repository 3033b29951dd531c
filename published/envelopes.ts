// Answers to JSON-RPC methods: documents describe the whole envelope, its result, or what the result wraps.
import type { DocumentLine } from "./documents.ts";
import type { PublishedOperation } from "./publishedOperation.ts";
import { childOf, kindsOf, memberNames, ofKind, possible, type SchemaShape, valuesOf } from "./shapes.ts";

/** How much of an envelope a document describes; `combined`: successes and errors in one, where neither is required. */
export type AnswerForm = "envelope" | "combined" | "result" | "bare" | "value";

/** What a document says of one kind of answer. */
export interface PublishedAnswer {
  readonly shape: SchemaShape;
  readonly line: DocumentLine;
  readonly form: AnswerForm;
  /** A JSON pointer to it in the envelope: empty, `/result`, `/result/value`, or `/error`. */
  readonly below: string;
}

const has = (alternative: SchemaShape[number], name: string): boolean => memberNames([alternative]).includes(name);

const isSuccess = (status: string): boolean => status === "result" || /^2(\d\d|XX)$/i.test(status);

/** The answer to a success: an envelope's error apart. Null where no document describes it. */
export function resultIn({ answers, operation, isShared }: PublishedOperation): PublishedAnswer | null {
  if (isShared) return null;
  const [found] = [...answers].filter(([status, { shape }]) => isSuccess(status) && shape !== null);
  const answer = found?.[1];
  if (!found || !answer?.shape) return null;
  const { line, shape } = answer;
  if (found[0] !== "result") {
    const envelopes = shape.filter((one) => has(one, "result") || (has(one, "jsonrpc") && !has(one, "error")));
    if (envelopes.length > 0) return { shape: envelopes, line, form: formOf(envelopes), below: "" };
  }
  const results = shape.filter((one) => !(has(one, "error") && has(one, "jsonrpc")));
  const wraps = ["context", "value"].every((name) => operation.members["result"]?.includes(name));
  const isWrapped = results.some((one) => has(one, "context") || has(one, "value"));
  const says = results.some(
    (one) => kindsOf(one)?.some((kind) => kind !== "null") && (memberNames([one]).length > 0 || !isObject(one)),
  );
  return wraps && !isWrapped && says
    ? { shape: results, line, form: "value", below: "/result/value" }
    : { shape: results, line, form: results.some(isObject) ? "result" : "bare", below: "/result" };
}

const formOf = (envelopes: SchemaShape): AnswerForm =>
  envelopes.some((one) => has(one, "result") && has(one, "error")) ? "combined" : "envelope";

const isObject = (alternative: SchemaShape[number]): boolean =>
  kindsOf(alternative)
    ?.filter((kind) => kind !== "null")
    .join() === "object";

/** Each description of a refusal: of refusing statuses, and of successes whose body may be an error. */
export function errorsOf({ answers }: PublishedOperation): readonly PublishedAnswer[] {
  return [...answers].flatMap(([status, { shape, line }]): readonly PublishedAnswer[] => {
    if (shape === null) return [];
    const enveloped = shape.filter((one) => has(one, "error"));
    if (isSuccess(status)) {
      const errors = enveloped.filter((one) => !has(one, "result"));
      if (errors.length > 0 && errors.length < possible(shape).length)
        return [{ shape: errors, line, form: "envelope", below: "" }];
      return formOf(shape) === "combined" ? [{ shape: enveloped, line, form: "combined", below: "" }] : [];
    }
    if (enveloped.length > 0) return [{ shape: enveloped, line, form: "envelope", below: "" }];
    const bare = ofKind(shape, ["object"]).filter((one) => has(one, "code") && has(one, "message"));
    return bare.length > 0 ? [{ shape: bare, line, form: "result", below: "/error" }] : [];
  });
}

/** Codes that error schemas list as their only ones. */
export function codesIn(errors: readonly PublishedAnswer[]) {
  return errors.flatMap(({ shape, below }) => {
    const error = below === "" ? childOf(shape, "error").shape : shape;
    return error.flatMap((alternative) => {
      const code = childOf([alternative], "code");
      const message = childOf([alternative], "message").shape;
      return valuesIn(code.shape).flatMap((value) =>
        typeof value === "number" && code.line ? [{ code: value, messages: valuesIn(message), line: code.line }] : [],
      );
    });
  });
}

const valuesIn = (shape: SchemaShape): readonly unknown[] =>
  shape.flatMap((alternative) => valuesOf(alternative) ?? []).map((text) => JSON.parse(text) as unknown);
