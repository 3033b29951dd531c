// All that other programs use of Assay: its commands as functions, and the definitions of custom checks.
export * from "../custom/definition.ts";
export { broken, equals, type Finding, held, must } from "../harness/core/finding.ts";
export { sum } from "../harness/model/law.ts";
export type { Run } from "../harness/record/run.ts";
export type { Comparison } from "../reports/compare/comparison.ts";
export { type CommandOptions, CommandRefused, compare, judge, type RunOptions, run } from "./commands.ts";
