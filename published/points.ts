// Each statement of the interface beside what one document says to it.
import { acceptance } from "./acceptance.ts";
import { codesIn, errorsOf, type PublishedAnswer, resultIn } from "./envelopes.ts";
import { factOf } from "./facts.ts";
import { type DocumentReading, judgedKeyword, judgedType, reading, silent } from "./keywords.ts";
import type { PublishedOperation } from "./publishedOperation.ts";
import { childOf, type SchemaShape, valuesOf } from "./shapes.ts";
import type { Statement } from "./statement.ts";

/** A statement of the interface, and what a document says to it. */
export interface Point extends DocumentReading {
  readonly statement: Statement;
  /** The document, as the command names it. */
  readonly document: string;
}

/** What documents' statements are read from: each part of an operation, looked up once. */
interface Parts {
  readonly published: PublishedOperation;
  readonly result: PublishedAnswer | null;
  readonly errors: readonly PublishedAnswer[];
  /** How long the interface lets lists of its requests be. */
  readonly limits: readonly Statement[];
}

export function pointsOf(published: PublishedOperation, statements: readonly Statement[]): readonly Point[] {
  const isMethod = published.operation.api === "rpc";
  const own = statements.filter(({ operation }) => operation === published.operation.id);
  const parts = {
    published,
    limits: own.filter(({ part, keyword }) => part === "request" && keyword === "maxItems"),
    result: isMethod ? resultIn(published) : null,
    errors: isMethod ? errorsOf(published) : [],
  };
  return own.map((statement) => ({ statement, document: published.document.file, ...readingOf(statement, parts) }));
}

function readingOf(statement: Statement, parts: Parts): DocumentReading {
  const { part, keyword } = statement;
  const { published, result, errors } = parts;
  if (keyword === "row" || keyword === "only") return errorReading(statement, parts);
  if (part === "operation") return factOf(statement, published, parts.limits);
  if (part === "request")
    return published.request === null ? silent : within(statement, published.request, { isAnswer: false });
  if (part === "result") return result === null ? silent : inAnswer(statement, result);
  if (part === "error") return worst(errors.map((error) => inAnswer(statement, error)));
  const answer =
    published.answers.get(part) ?? published.answers.get(`${part[0]}XX`) ?? published.answers.get("default");
  return answer?.shape ? within(statement, answer.shape, { isAnswer: true }) : silent;
}

/** Of several descriptions of one thing: one that contradicts, else one that says anything. */
function worst(readings: readonly DocumentReading[]): DocumentReading {
  const found = (is: DocumentReading["is"]): DocumentReading | undefined => readings.find((one) => one.is === is);
  return found("contradicted") ?? found("confirmed") ?? found("silent") ?? silent;
}

/** What is above the part that a document describes, it can't say. */
function inAnswer(statement: Statement, { shape, form, below }: PublishedAnswer): DocumentReading {
  const { at, keyword } = statement;
  if (form === "combined" && ["/result", "/error"].includes(at)) {
    // Each is there instead of the other, which may be null.
    if (keyword === "present") return silent;
    if (keyword === "type") return within(statement, shape, { isAnswer: true, mayBeNull: true });
  }
  if (below === "") return within(statement, shape, { isAnswer: true });
  if (!at.startsWith(below) || (at === below && keyword === "present")) return silent;
  return within({ ...statement, at: at.slice(below.length) }, shape, { isAnswer: true });
}

interface Sent {
  /** Whether the platform sends it. */
  readonly isAnswer: boolean;
  readonly mayBeNull?: boolean;
}

function within({ at, keyword, value }: Statement, root: SchemaShape, { isAnswer, mayBeNull }: Sent): DocumentReading {
  const steps = at.split("/").slice(1);
  const last = keyword === "present" || keyword === "not" ? steps.pop() : undefined;
  let shape = root;
  let isOfEvery = false;
  for (const step of steps) {
    const child = childOf(shape, step);
    if (child.line === null) return silent;
    ({ shape, isOfEvery } = child);
  }
  if (last !== undefined) return keyword === "not" ? absence(shape, last) : presence(shape, last);
  if (keyword === "accepts") return acceptance(shape, value);
  // Where a document describes all items alike, this one may be of any of their types.
  if (keyword === "type" && isOfEvery) return someType(value, shape);
  return keyword === "type"
    ? judgedType(value, shape, isAnswer, mayBeNull)
    : judgedKeyword(keyword, value, shape, isAnswer);
}

function someType(ours: unknown, shape: SchemaShape): DocumentReading {
  const fitting = shape.filter((alternative) => judgedType(ours, [alternative], false).is === "confirmed");
  return judgedType(ours, fitting.length > 0 ? fitting : shape, false);
}

function presence(shape: SchemaShape, name: string): DocumentReading {
  const { is, line, requiredLine, isClosed, shape: own } = childOf(shape, name);
  if (isClosed) return reading(false, "not described, and nothing else may be there", requiredLine);
  if (line !== null && own.length === 0) return reading(false, "false: never there", line);
  if (is === "required") return reading(true, "required", requiredLine);
  return is === "optional" ? reading(false, "optional: not among required", requiredLine) : silent;
}

/** `error` of a success and `result` of an error: one that may be there says nothing, one that is required does. */
function absence(shape: SchemaShape, name: string): DocumentReading {
  const { is, line, requiredLine, shape: own } = childOf(shape, name);
  if (is === "required") return reading(false, "required", requiredLine);
  return line !== null && own.length === 0 ? reading(true, "false: never there", line) : silent;
}

/** Of an error table. */
function errorReading({ keyword, value }: Statement, { published, errors }: Parts): DocumentReading {
  const listed = published.codes.map(({ code, message, line }) => ({
    code,
    line,
    messages: message === null ? [] : [message],
  }));
  const codes = [...codesIn(errors), ...listed];
  const texts = [...new Set(codes.map(({ code }) => code))].sort((a, b) => b - a).join(", ");
  if (keyword === "only") {
    const known = [...(value as readonly number[]), ...protocolCodes];
    const [other] = codes.filter(({ code }) => !known.includes(code));
    const [any] = codes;
    return any ? reading(other === undefined, `codes ${texts}`, (other ?? any).line) : silent;
  }
  const { code, status, message, error } = value as { readonly [member: string]: number | string | undefined };
  if (status !== undefined) return statusReading(published, { status, message, error });
  const found = codes.filter((one) => one.code === code);
  const [first] = found;
  if (!first) return silent;
  const messages = [...new Set(found.flatMap((one) => one.messages))];
  const isSame = message === undefined || messages.length === 0 || messages.includes(message);
  return reading(isSame, `code ${code}${messages.map((one) => ` ${JSON.stringify(one)}`).join(" or")}`, first.line);
}

/** Of JSON-RPC itself, which every table leaves out. */
export const protocolCodes = [-32700, -32600, -32601];

function statusReading(
  { answers }: PublishedOperation,
  { status, message, error }: { readonly [member: string]: string | number | undefined },
): DocumentReading {
  const name = String(status);
  const answer = answers.get(name) ?? answers.get(`${name.slice(0, 1)}XX`);
  if (!answer) return silent;
  const shape = answer.shape ?? [];
  const readings = Object.entries({ statusCode: status, message, error }).flatMap(([member, value]) => {
    const own = childOf(shape, member).shape;
    // One description may be of several rows.
    const isListed = own.some((one) => valuesOf(one)?.includes(JSON.stringify(value)));
    return value === undefined || isListed ? [] : [judgedKeyword("const", value, own, true)];
  });
  return readings.find(({ is }) => is === "contradicted") ?? reading(true, `status ${status}`, answer.line);
}
