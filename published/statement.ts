// What an interface says at one place, as far as documents of others can say it, too.
import type { RequirementId } from "../harness/core/interface.ts";

/** One keyword, or one fact of an operation, that carries a requirement. */
export interface Statement {
  readonly id: RequirementId;
  readonly operation: string;
  /** `operation`, `request`, or an answer: an HTTP status, `result` or `error`. */
  readonly part: string;
  /** A JSON pointer within it; `*` stands for any array index. */
  readonly at: string;
  readonly keyword: string;
  /** What stands at the keyword; true for `present`. */
  readonly value: unknown;
  /** Where. */
  readonly file: string;
  readonly line: number;
}
