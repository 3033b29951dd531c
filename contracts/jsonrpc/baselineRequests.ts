// Baseline requests: for each method a cheap one that a healthy platform serves, the positive control of refusals.
import { givensIn } from "../../harness/core/requestSpec.ts";
import {
  type CompleteTable,
  type ErrorTable,
  type Feature,
  type MethodName,
  onlyCodesOf,
  operations,
  rpcErrors,
} from "../../specs/generated/operations.ts";
import { baseline } from "../generated/baseline.ts";
import type { Ask } from "../shared/requestSpecs.ts";

/** The baseline request of one method: what the method's file exports as `baseline`. */
export interface BaselineRequest {
  readonly method: MethodName;
  readonly feature: Feature;
  readonly errorTable: ErrorTable;
  readonly ask: Ask;
}

/** A method whose error table the interface shows whole; that of bundles it doesn't (§7.2). */
export interface Tabled extends BaselineRequest {
  readonly errorTable: CompleteTable;
}

const isMethod = (id: string): id is MethodName => id in baseline;
const isErrorTable = (errors: string): errors is ErrorTable => errors in rpcErrors;
export const isComplete = (errors: string): errors is CompleteTable => errors in onlyCodesOf;
const samplesOf = ({ ask }: BaselineRequest): number => givensIn(ask()).length;

/** Those that need the least sample data come first. */
export const baselineRequests: readonly BaselineRequest[] = operations
  .flatMap(({ id, feature, errors }): readonly BaselineRequest[] => {
    const ask = isMethod(id) ? baseline[id] : undefined;
    return ask && isMethod(id) && isErrorTable(errors) ? [{ method: id, feature, errorTable: errors, ask }] : [];
  })
  .sort((a, b) => samplesOf(a) - samplesOf(b));

export const tabledRequests: readonly Tabled[] = baselineRequests.flatMap(({ errorTable, ...request }) =>
  isComplete(errorTable) ? [{ ...request, errorTable }] : [],
);

/** One baseline request per feature, for what doesn't depend on the method. */
export const onePerFeature: readonly BaselineRequest[] = baselineRequests.filter(
  ({ feature }, nth) => baselineRequests.findIndex((one) => one.feature === feature) === nth,
);
