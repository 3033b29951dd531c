// What a document says of an operation as a whole: its path, its key, which requests it accepts.
import type { Json } from "../harness/core/json.ts";
import { kindReading, listOfLength } from "./acceptance.ts";
import { type DocumentReading, reading, silent } from "./keywords.ts";
import type { PublishedOperation } from "./publishedOperation.ts";
import { whyRefused } from "./refusals.ts";
import { fits, steps } from "./requests.ts";
import { childOf, type SchemaShape } from "./shapes.ts";
import type { Statement } from "./statement.ts";

/** @param limits how long the interface lets lists of this operation's requests be */
export function factOf(
  { keyword, value }: Statement,
  published: PublishedOperation,
  limits: readonly Statement[],
): DocumentReading {
  const { operation, path, line, body, bodyTypes, request, answers } = published;
  switch (keyword) {
    case "method":
      return reading(true, `method ${operation.id}`, line);
    case "path":
    case "version":
      return path === null ? silent : pathReading(keyword, operation, path);
    case "status": {
      const answer = answers.get(String(value));
      return answer ? reading(true, `status ${String(value)}`, answer.line) : silent;
    }
    case "security":
      return carrierReading(value as { readonly in: string; readonly name: string }, published);
    case "content":
      return contentReading(published);
    case "requestBody":
      if (operation.method === "GET")
        return reading(bodyTypes.length === 0, bodyTypes.length === 0 ? "no requestBody" : "a requestBody", line);
      return entriesReading(request, limits);
    case "id":
      return body === null ? silent : kindReading(childOf(body, "id").shape, "whole");
    case "params":
      return paramsReading(value as readonly Json[] | null, published, limits);
    default:
      return silent;
  }
}

function pathReading(
  keyword: string,
  operation: PublishedOperation["operation"],
  { method, template, line }: NonNullable<PublishedOperation["path"]>,
): DocumentReading {
  const ours = steps(operation.path);
  const theirs = steps(template);
  const versionOf = (steps: readonly string[]): string | undefined => steps.find((step) => /^v\d+$/.test(step));
  const shown = theirs.map((step) => (step.startsWith("{") ? "/{…}" : `/${step}`)).join("");
  if (keyword === "version") return reading(versionOf(ours) === versionOf(theirs), shown, line);
  const isSame = fits(ours, theirs, true);
  return reading(method === operation.method && isSame, `${method} ${shown}`, line);
}

function contentReading({ bodyTypes, line }: PublishedOperation): DocumentReading {
  if (bodyTypes.length === 0) return silent;
  const isJson = bodyTypes.some((type) => /^application\/json\b|^\*\/\*/i.test(type));
  return reading(isJson, isJson ? "content: application/json" : `content: ${[...bodyTypes].sort().join(", ")}`, line);
}

/** Whether the list of a body may be as long as the interface lets it be. */
function entriesReading(request: SchemaShape | null, limits: readonly Statement[]): DocumentReading {
  const limit = limits.find(({ at }) => at === "/entries");
  return limit && request ? listOfLength(childOf(request, "entries").shape, Number(limit.value)) : silent;
}

/** Another name in the same place contradicts; that it isn't listed says nothing. */
function carrierReading(
  ours: { readonly in: string; readonly name: string },
  { carriers }: PublishedOperation,
): DocumentReading {
  const isHeader = ours.in === "header";
  const isSame = (name: string): boolean =>
    isHeader ? name.toLowerCase() === ours.name.toLowerCase() : name === ours.name;
  const inPlace = carriers.filter((carrier) => carrier.in === ours.in).sort((a, b) => (a.name < b.name ? -1 : 1));
  const same = inPlace.filter(({ name }) => isSame(name));
  const found = same.find(({ isAlone }) => isAlone) ?? same[0] ?? inPlace[0];
  if (!found) return silent;
  const name = isSame(found.name) ? ours.name : found.name;
  const together = found.isAlone ? "" : ", together with another key";
  return reading(isSame(found.name) && found.isAlone, `${ours.in} ${name}${together}`, found.line);
}

/** Requests that the interface shows, which a document must accept. @param examples null for a method without params */
function paramsReading(
  examples: readonly Json[] | null,
  { body, request, line }: PublishedOperation,
  limits: readonly Statement[],
): DocumentReading {
  if (examples === null) {
    if (body === null) {
      const refusal = request === null ? null : whyRefused(request, {});
      return request === null ? silent : reading(refusal === null, refusal?.text ?? "params may be left out", line);
    }
    const { is, requiredLine } = childOf(body, "params");
    return is === "required"
      ? reading(false, "params is required", requiredLine)
      : reading(true, "params may be left out", line);
  }
  if (request === null) return silent;
  const full = limits.flatMap(({ at, value }) =>
    examples.slice(0, 1).map((example) => filled(example, at.split("/").slice(1), Number(value))),
  );
  for (const example of [...examples, ...full]) {
    const refusal = whyRefused(request, example);
    if (refusal) return reading(false, refusal.text, refusal.line);
  }
  return reading(true, "accepts the interface's examples", line);
}

/** An example whose list at a place is as long as it may be. */
function filled(example: Json, [step, ...further]: readonly string[], count: number): Json {
  if (!Array.isArray(example)) return example;
  const items = example as readonly Json[];
  if (step === undefined) return Array.from({ length: count }, () => items[0] ?? null);
  return items.map((item, nth) => (String(nth) === step ? filled(item, further, count) : item));
}
