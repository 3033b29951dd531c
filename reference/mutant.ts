// What is a lie? One named change of the rules or of the answers, beside the honest code.
import type { ControlId, MutantId } from "../specs/generated/requirements.ts";
import type { RuleChange } from "./rules.ts";
import type { Bend, Call, Value, WireAnswer } from "./wire.ts";

export interface Lie {
  readonly id: string;
  readonly rules?: RuleChange;
  readonly answer?: Bend;
}

interface Change {
  readonly rules?: RuleChange;
  readonly answer?: Bend;
}

/** A lie that must be found. */
export interface Mutant extends Lie {
  readonly id: MutantId;
  /** Further requirements that it trips, as ids or prefixes of ids; an undeclared trip fails. */
  readonly also: readonly string[];
}

/** A benign variation that must not be flagged. */
export interface Control extends Lie {
  readonly id: ControlId;
}

export const mutant = (id: MutantId, change: Change, ...also: readonly string[]): Mutant => ({ id, ...change, also });
export const control = (id: ControlId, change: Change): Control => ({ id, ...change });

type Doc = { [member: string]: Value };

const isDoc = (value: unknown): value is Doc => typeof value === "object" && value !== null && !Array.isArray(value) && !("raw" in value);

/** Bends the usage documents that are served. */
export const usageDoc =
  (change: (doc: Doc, call: Call) => Value): Bend =>
  (answer, call) => {
    if (call.operation !== "getProjectUsage" || answer.status !== 200 || !isDoc(answer.body)) return answer;
    return { ...answer, body: change(answer.body, call) };
  };

/** Bends refusals of the usage endpoint, with one status or any. */
export const refusalOf =
  (status: number | "any", change: (answer: WireAnswer, body: Doc) => WireAnswer): Bend =>
  (answer, call) => {
    if (call.operation !== "getProjectUsage" || answer.status < 400 || !isDoc(answer.body)) return answer;
    return status === "any" || answer.status === status ? change(answer, answer.body) : answer;
  };

export const onPlan =
  (kind: "free" | "paid", bend: Bend): Bend =>
  (answer, call) =>
    call.project?.plan.kind === kind ? bend(answer, call) : answer;

/** The object that holds the last step of a pointer, e.g. `creditCycle` for `/creditCycle/start`. */
function holderAt(doc: Doc, pointer: string): [Doc, string] | null {
  const steps = pointer.split("/").slice(1);
  const last = steps.pop() ?? "";
  let here: Value | undefined = doc;
  for (const step of steps) here = isDoc(here) ? here[step] : undefined;
  return isDoc(here) ? [here, last] : null;
}

export const getAt = (doc: Doc, pointer: string): Value | undefined => {
  const place = holderAt(doc, pointer);
  return place?.[0][place[1]];
};

/** Usage documents without a member. */
export const without = (...pointers: readonly string[]): Bend =>
  usageDoc((doc) => {
    for (const pointer of pointers) {
      const place = holderAt(doc, pointer);
      if (place) delete place[0][place[1]];
    }
    return doc;
  });

/** Usage documents with another value at a place that they have. */
export const replaced = (pointer: string, value: (honest: Value, doc: Doc, call: Call) => Value): Bend =>
  usageDoc((doc, call) => {
    const place = holderAt(doc, pointer);
    const honest = place?.[0][place[1]];
    if (place && honest !== undefined) place[0][place[1]] = value(honest, doc, call);
    return doc;
  });

/** Usage documents with a further member. */
export const added = (pointer: string, value: (doc: Doc) => Value): Bend =>
  usageDoc((doc) => {
    const place = holderAt(doc, pointer);
    if (place) place[0][place[1]] = value(doc);
    return doc;
  });

/** Usage documents with a member under another name. */
export const renamed = (pointer: string, name: string): Bend =>
  usageDoc((doc) => {
    const place = holderAt(doc, pointer);
    const honest = place?.[0][place[1]];
    if (place && honest !== undefined) {
      delete place[0][place[1]];
      place[0][name] = honest;
    }
    return doc;
  });

/** One bend after the other. */
export const both =
  (first: Bend, second: Bend): Bend =>
  (answer, call) =>
    second(first(answer, call), call);
