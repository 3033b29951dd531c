// A workload: what one's own application asks, and how often, in place of the panel's own questions.
import { createHash } from "node:crypto";
import { unknownBundleIds } from "../contracts/bundles/requests.ts";
import { newAddresses } from "../contracts/compression/newAddresses.ts";
import { canonical, type Json, valueAt } from "../harness/core/json.ts";
import { isGiven, pointerOf, type Template } from "../harness/core/template.ts";
import type { Target } from "../harness/targets/target.ts";
import type { PanelWorkload } from "./panelReport.ts";
import { namedQuestions, type PolledQuestion } from "./questions.ts";

/** Params of an operation, and how often they are asked beside its others. */
interface WeightedParams {
  readonly value: Json;
  readonly weight: number;
}

/** One operation of a workload. */
export interface WorkloadCall {
  readonly operation: string;
  readonly weight: number;
  /** Null where the panel picks them. */
  readonly params: readonly WeightedParams[] | null;
}

export interface Workload extends Pick<PanelWorkload, "name" | "is" | "why" | "left"> {
  readonly calls: readonly WorkloadCall[];
}

/** Why what one's own application calls isn't asked. */
export const neverAsked: { readonly [operation: string]: string } = {
  sendBundle: "can't be undone",
  simulateBundle: "its parameters aren't in the interface",
};

/** So many distinct questions are polled often enough in 20 rounds. */
export const mostQuestions = 60;

const total = (all: readonly { readonly weight: number }[]): number => all.reduce((sum, { weight }) => sum + weight, 0);

/** Without calls for which there is a reason, which it names. */
export function withoutCalls(workload: Workload, reasonFor: (operation: string) => string | null): Workload {
  const reasons = workload.calls.map((call) => ({ call, why: reasonFor(call.operation) }));
  const calls = ({ weight }: WorkloadCall): number => (workload.is === "recording" ? weight : 0);
  return {
    ...workload,
    calls: reasons.flatMap(({ call, why }) => (why === null ? [call] : [])),
    left: [
      ...workload.left,
      ...reasons.flatMap(({ call, why }) => (why === null ? [] : [{ what: call.operation, calls: calls(call), why }])),
    ],
  };
}

/** The same of a workload, whatever lists tell on a night. */
const digestOf = (calls: readonly WorkloadCall[]): string => {
  const all = total(calls);
  const parts = calls.map(({ operation, weight, params }) => {
    const asked = params?.map(({ value, weight: own }) => [canonical(value), (own / total(params)).toPrecision(9)]);
    return canonical([operation, (weight / all).toPrecision(9), asked?.sort() ?? null]);
  });
  return createHash("sha256").update(parts.sort().join("\n")).digest("hex").slice(0, 12);
};

/** As a panel saves it. */
export function workloadReport({ name, is, why, calls, left }: Workload): PanelWorkload {
  const all = total(calls);
  const shares = Object.fromEntries(calls.map(({ operation, weight }) => [operation, weight / all]));
  return { name, is, why, shares, left, digest: digestOf(calls) };
}

/** What any target may be asked that has no sample of it: a bundle that nobody sent, an address that nobody created. */
const madeUp = (seed: number): { readonly [operation: string]: Json } => ({
  getBundleStatuses: [[unknownBundleIds[0] ?? ""]],
  getMultipleNewAddressProofs: Object.values(newAddresses(seed)).slice(0, 1),
});

/**
 * Its questions, each with its share of all calls.
 * @param own what the panel would ask by itself
 */
export function workloadQuestions(
  { calls }: Workload,
  own: readonly PolledQuestion[],
  seed: number,
): readonly PolledQuestion[] {
  const all = total(calls);
  const named = calls.reduce((sum, { params }) => sum + (params?.length ?? 0), 0);
  const room = Math.max(1, Math.floor((mostQuestions - named) / calls.filter(({ params }) => !params).length));
  return calls.flatMap(({ operation, weight, params }) => {
    const picked = own.filter((question) => question.operation === operation).slice(0, room);
    const made = madeUp(seed)[operation];
    const spare = picked.length === 0 && made !== undefined ? namedQuestions([{ [operation]: made }]) : picked;
    const asked = params
      ? params.map((one) => ({ question: namedQuestions([{ [operation]: one.value }])[0], weight: one.weight }))
      : spare.map((question) => ({ question, weight: 1 }));
    return asked.flatMap(({ question, weight: part }): PolledQuestion[] =>
      question ? [{ ...question, share: ((weight / all) * part) / total(asked) }] : [],
    );
  });
}

/** Whether a panel finds something to ask there by itself. @param own what it would ask, lists included */
export const canPick = (operation: string, own: readonly PolledQuestion[]): boolean =>
  Object.hasOwn(madeUp(0), operation) || own.some((question) => question.operation === operation);

/**
 * Params with the first value that any target gives for each sample: all vendors are asked the same.
 * @throws MissingSample for one that none gives
 */
export function filledFrom(template: Template, targets: readonly Target[]): Json {
  if (typeof template !== "object" || template === null) return template;
  if (isGiven(template)) {
    const at = pointerOf(template);
    const [value] = targets.flatMap(({ samples }) => valueAt({ samples }, at) ?? []);
    if (value === undefined) throw new MissingSample(at);
    return value;
  }
  if (Array.isArray(template)) return template.map((item: Template) => filledFrom(item, targets));
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, filledFrom(value, targets)]));
}

/** A sample that no target gives. */
export class MissingSample extends Error {
  /** As a pointer into a target file. */
  readonly at: string;

  constructor(at: string) {
    super(`no target gives ${at}`);
    this.at = at;
  }
}
