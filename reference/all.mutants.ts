// Every lie and every benign variation that the reference knows.
import * as calendar from "./calendar.mutants.ts";
import * as keys from "./keys.mutants.ts";
import * as ledger from "./ledger.mutants.ts";
import type { Control, Mutant } from "./mutant.ts";
import * as platform from "./platform.mutants.ts";
import * as usage from "./rest/usage.mutants.ts";
import * as rules from "./rules.mutants.ts";

export const mutants: readonly Mutant[] = [...usage.mutants, ...calendar.mutants, ...ledger.mutants, ...keys.mutants, ...rules.mutants, ...platform.mutants];
export const controls: readonly Control[] = [...calendar.controls, ...ledger.controls, ...rules.controls];
