// Which requests does a healthy platform serve, method by method? Everything is refused beside one of them.
import { givensIn } from "../../harness/core/stimulus.ts";
import { type Feature, type MethodName, operations } from "../../specs/generated/operations.ts";
import { baseline } from "../generated/baseline.ts";
import type { ErrorTable } from "../shared/jsonRpcOracles.ts";
import type { Ask } from "../shared/stimuli.ts";

/** One good request of a method, cheap and small: what its file exports as `good`. */
export interface BaselineRequest {
  readonly method: MethodName;
  readonly feature: Feature;
  readonly errorTable: ErrorTable;
  readonly ask: Ask;
}

/** Of a family whose refusals have words; for bundles the interface shows none (§7.2). */
export interface Tabled extends BaselineRequest {
  readonly errorTable: Exclude<ErrorTable, "bundles">;
}

const isMethod = (id: string): id is MethodName => id in baseline;
const isErrorTable = (errors: string): errors is ErrorTable =>
  ["tokenAccounts", "compression", "bundles"].includes(errors);
const wanted = ({ ask }: BaselineRequest): number => givensIn(ask()).length;

/** Those that want the least of the target come first. */
export const baselineRequests: readonly BaselineRequest[] = operations
  .flatMap(({ id, feature, errors }): readonly BaselineRequest[] => {
    const ask = isMethod(id) ? baseline[id] : undefined;
    return ask && isMethod(id) && isErrorTable(errors) ? [{ method: id, feature, errorTable: errors, ask }] : [];
  })
  .sort((a, b) => wanted(a) - wanted(b));

export const tabledRequests: readonly Tabled[] = baselineRequests.flatMap(({ errorTable, ...good }) =>
  errorTable === "bundles" ? [] : [{ ...good, errorTable }],
);

/** For what is the same whatever is asked: one request of each part. */
export const onePerFeature: readonly BaselineRequest[] = baselineRequests.filter(
  ({ feature }, nth) => baselineRequests.findIndex((one) => one.feature === feature) === nth,
);
