// Why something couldn't be asked or judged, which is never a breach.
import { BudgetSpent, Inconclusive, Withheld } from "../../harness/core/outcomes.ts";

/** The reason of an error that gives one. @throws any other error */
export function reasonOf(error: unknown): string {
  if (error instanceof Withheld || error instanceof Inconclusive || error instanceof BudgetSpent) return error.message;
  throw error;
}
