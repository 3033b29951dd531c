// An answer that contradicts the model after all previous commands
import { broken } from "../../harness/core/finding.ts";
import type { Shown } from "../../harness/model/check.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";

/** Ends a sequence of commands. */
export class ModelViolation extends Error {
  readonly shown: Shown;

  constructor(about: RequirementId, exchange: Exchange, at: string, expected: string, got: unknown) {
    super(`${about} is broken`);
    this.shown = { about: [about], exchange, finding: broken(at, expected, got) };
  }
}
