// Which requests does a healthy platform serve, method by method? Everything is refused beside one of them.
import { givensIn } from "../../harness/core/stimulus.ts";
import { type MethodName, operations, type Part } from "../../specs/generated/operations.ts";
import { good } from "../generated/good.ts";
import type { Family } from "../shared/jsonRpcOracles.ts";
import type { Ask } from "../shared/stimuli.ts";

/** One good request of a method, cheap and small: what its file exports as `good`. */
export interface Good {
  readonly method: MethodName;
  readonly part: Part;
  readonly family: Family;
  readonly ask: Ask;
}

/** Of a family whose refusals have words; for bundles the interface shows none (§7.2). */
export interface Tabled extends Good {
  readonly family: Exclude<Family, "bundles">;
}

const isMethod = (id: string): id is MethodName => id in good;
const isFamily = (errors: string): errors is Family => ["tokenAccounts", "compression", "bundles"].includes(errors);
const wanted = ({ ask }: Good): number => givensIn(ask()).length;

/** Those that want the least of the target come first. */
export const goodRequests: readonly Good[] = operations
  .flatMap(({ id, part, errors }): readonly Good[] => {
    const ask = isMethod(id) ? good[id] : undefined;
    return ask && isMethod(id) && isFamily(errors) ? [{ method: id, part, family: errors, ask }] : [];
  })
  .sort((a, b) => wanted(a) - wanted(b));

export const tabledRequests: readonly Tabled[] = goodRequests.flatMap(({ family, ...good }) =>
  family === "bundles" ? [] : [{ ...good, family }],
);

/** For what is the same whatever is asked: one request of each part. */
export const onePerPart: readonly Good[] = goodRequests.filter(
  ({ part }, nth) => goodRequests.findIndex((one) => one.part === part) === nth,
);
